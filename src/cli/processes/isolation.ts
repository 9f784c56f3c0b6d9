// `ctx isolation test`: tries on this machine whether a caller who is scoped to one session sees
// anything of another. Works in a temporary directory. The thorough form, with every tool, resource
// and log, is a test (test/support/isolation/).

import { openContext } from "../../app/app.ts";
import { encode, execute } from "../../command/execute.ts";
import { type FieldSchema, oneOf } from "../../command/shape.ts";
import { loadCommands } from "../../commands/mod.ts";
import { toCtxError, toErrorBody } from "../../core/errors.ts";
import { defineProcess } from "../line/process.ts";
import { showProgress, writeOut } from "../line/terminal.ts";
import { realPath } from "../../core/platform_path.ts";

const own = "S-own-session";
const other = "S-other-session";
/** What an attacker might try, and what must not come back. */
const bait = [other, "H-other", "beacon"];
const secret = "canary-of-another-session";

export const isolation = defineProcess({
  name: "isolation",
  summary: "Test that a server scoped to one session shows nothing else.",
  description:
    "Creates a store with two sessions in a temporary directory and runs every reading command, scoped to one session, with the other session's ids and words. Exit status 7 means something leaked.",
  input: {
    action: oneOf(["test"], "What to do: test."),
  },
  positional: ["action"],
  examples: [{ argv: ["isolation", "test"], about: "Run the test." }],
  async run(_input, world) {
    const report = await tryScope(own);
    const { attempts, leaks } = report;
    const lines = leaks.map(({ attempt }) => `leak: ${attempt}\n`).join("");
    const verdict = `${attempts} attempts, ${leaks.length} leaks\n`;
    writeOut("stdout", world.json ? JSON.stringify(report) + "\n" : lines + verdict);
    return leaks.length === 0 ? 0 : 7;
  },
});

/** Calls every command that reads; without a scope the leaks show that the test can fail. */
export async function tryScope(
  scopedSession: string | undefined,
): Promise<{ attempts: number; leaks: { attempt: string }[] }> {
  const workspace = realPath(Deno.makeTempDirSync({ prefix: "ctx-isolation-" }));
  try {
    plant(workspace);
    const commands = (await loadCommands()).filter(({ effect, local }) =>
      effect === "read" && !local
    );
    const leaks: { attempt: string }[] = [];
    for (const [i, command] of commands.entries()) {
      showProgress(`trying ${command.name}`, i, commands.length);
      for (const word of bait) {
        const fields = Object.entries(command.input).filter(([, { required }]) => required);
        const input = Object.fromEntries(
          fields.map(([name, { schema }]) => [name, toBait(schema, word)]),
        );
        const env = (name: string) => name === "HOME" ? workspace : undefined;
        const context = openContext({ workspace, cwd: workspace, scopedSession, env });
        const said = await execute(command, input, context)
          .catch((error) => toErrorBody(toCtxError(error)));
        const attempt = `${command.name} ${JSON.stringify(input)}`;
        if (encode(said).includes(secret)) leaks.push({ attempt });
      }
    }
    return { attempts: commands.length * bait.length, leaks };
  } finally {
    showProgress("");
    Deno.removeSync(workspace, { recursive: true });
  }
}

function plant(workspace: string): void {
  const row = { ts: "2026-06-01T12:00:00.000Z", role: "user", type: "turn" };
  const rows = [
    { ...row, id: "H-own", text: "The beacon answers on port 7", session_id: own },
    { ...row, id: "H-other", text: `The beacon says ${secret}`, session_id: other, title: secret },
  ];
  const store = `${workspace}/.contextfs`;
  Deno.mkdirSync(store);
  const text = rows.map((one) => JSON.stringify(one) + "\n").join("");
  Deno.writeTextFileSync(`${store}/history.ndjson`, text);
  Deno.writeTextFileSync(`${store}/pins.md`, `- [H-other] ${secret}\n`);
}

function toBait(schema: FieldSchema, word: string): unknown {
  if (schema.type === "array") return [word];
  return schema.enum?.[0] ?? (schema.type === "string" ? word : 1);
}
