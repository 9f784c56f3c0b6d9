// Has the person change a text in their own editor: a file that only they can read, and that goes
// away whatever happens.

import { findEnvironment } from "../../core/environment.ts";
import { CtxError } from "../../core/errors.ts";
import { decodeExact } from "../../core/utf8.ts";
import { findPrograms } from "../../setup/find_programs.ts";

/** The text as it was left in $VISUAL, $EDITOR, vi or Notepad; throws when the editor cannot be started or fails. */
export async function editText(text: string): Promise<string> {
  const said = [Deno.env.get("VISUAL"), Deno.env.get("EDITOR")].find((one) => one?.trim());
  const [program, ...args] = (said ?? (isWindows ? "notepad" : "vi")).trim().split(/\s+/);
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

/** Windows starts a script such as code.cmd only through cmd. */
function toCommand(words: string[]): string[] {
  const [first = ""] = isWindows ? findPrograms(words[0], findEnvironment("PATH")) : [];
  return /\.(?:cmd|bat)$/.test(first) ? ["cmd", "/d", "/c", ...words] : words;
}

const isWindows = Deno.build.os === "windows";

async function run(program: string, args: string[]): Promise<number> {
  // The terminal's signals are the editor's own while it runs.
  const pass = (): void => {};
  Deno.addSignalListener("SIGINT", pass);
  try {
    const [first, ...rest] = toCommand([program, ...args]);
    const child = new Deno.Command(first, {
      args: rest,
      // cmd would otherwise look for the editor in the project first.
      env: isWindows ? { NoDefaultCurrentDirectoryInExePath: "1" } : {},
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
