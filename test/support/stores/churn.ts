// A process that keeps rewriting a store: it saves, compacts, forgets its own entries and collects,
// round after round, and prints one line when it is done.
// Usage: deno run -A churn.ts WORKSPACE ROUNDS

import { openContext } from "../../../src/app/app.ts";
import { findCommand } from "../../../src/commands/mod.ts";
import { execute } from "../../../src/command/execute.ts";

const [workspace, rounds] = Deno.args;
const context = openContext({ workspace, env: () => undefined });

for (let round = 0; round < Number(rounds); round++) {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { id } = await run("save", { text: `churn ${round} ${i} ${"x".repeat(i * 300)}` });
    ids.push(String(id));
  }
  await run("forget", { ids: ids.slice(0, 4), now: round % 3 === 0 });
  await run("compact", { keep: round % 4 * 7, older_than: 0 });
  await run("gc", {});
}
Deno.stdout.writeSync(new TextEncoder().encode(`${rounds} rounds\n`));

async function run(name: string, input: object): Promise<Record<string, unknown>> {
  const command = await findCommand(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return await execute(command, input, context) as Record<string, unknown>;
}
