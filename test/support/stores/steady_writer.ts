// A process that saves one long entry after another, each of which the index follows, until its
// standard input ends. Prints the id of each that was acknowledged.
// Usage: deno run -A steady_writer.ts WORKSPACE

import { openContext } from "../../../src/app/app.ts";
import { execute } from "../../../src/command/execute.ts";
import { save } from "../../../src/commands/memory/save.ts";

const context = openContext({ workspace: Deno.args[0], env: () => undefined });

let isOver = false;
Deno.stdin.readable.pipeTo(new WritableStream()).finally(() => isOver = true);
for (let i = 0; !isOver; i++) {
  const { id } = await execute(save, { text: `entry ${i} ${"z".repeat(40_000)}` }, context);
  Deno.stdout.writeSync(new TextEncoder().encode(`${id}\n`));
  // A turn for the event loop, which hears of the end.
  await new Promise((resolve) => setTimeout(resolve, 0));
}
