// Has the person change a text in their own editor: a file that only they can read, and that goes
// away whatever happens.

import { CtxError } from "../../core/errors.ts";
import { decodeExact } from "../../core/utf8.ts";

/** The text as it was left in $VISUAL, $EDITOR or vi; throws when the editor cannot be started or fails. */
export async function editText(text: string): Promise<string> {
  const said = [Deno.env.get("VISUAL"), Deno.env.get("EDITOR")].find((one) => one?.trim());
  const [program, ...args] = (said ?? "vi").trim().split(/\s+/);
  const directory = await Deno.makeTempDir({ prefix: "ctx-edit-" });
  const path = `${directory}/entry.md`;
  try {
    await Deno.writeTextFile(path, text, { mode: 0o600 });
    const code = await run(program, [...args, path]);
    if (code !== 0) {
      throw new CtxError(
        "USAGE",
        `Cannot edit: "${program}" exited with ${code}; nothing was changed`,
        {
          hint: "set EDITOR to your editor",
        },
      );
    }
    return decodeExact(await Deno.readFile(path));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const message = `Cannot edit: "${program}" removed the text; nothing was changed`;
    throw new CtxError("USAGE", message, { cause: error });
  } finally {
    await Deno.remove(directory, { recursive: true }).catch(() => {});
  }
}

async function run(program: string, args: string[]): Promise<number> {
  // The terminal's signals are the editor's own while it runs.
  const pass = (): void => {};
  Deno.addSignalListener("SIGINT", pass);
  try {
    const child = new Deno.Command(program, {
      args,
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
    return (await child.status).code;
  } catch (error) {
    const message = `Cannot edit: "${program}" cannot be started`;
    throw new CtxError("DENIED", message, { hint: "set EDITOR to your editor", cause: error });
  } finally {
    Deno.removeSignalListener("SIGINT", pass);
  }
}
