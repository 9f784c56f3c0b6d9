// `ctx hook claude-code` on a disk so slow that reading never lets the event loop turn, with short
// limits. Says at its end how many mebibytes of the log it has read.

import { runAgentHook } from "../../../src/cli/processes/agent_hook.ts";
import { limitMs } from "../../../src/recall/hook/answer_hook.ts";

const [message] = Deno.args;
Object.assign(limitMs, { prepare: 400, pack: 400 });
let read = 0;
const readSync = Deno.FsFile.prototype.readSync;
Deno.FsFile.prototype.readSync = function (bytes: Uint8Array): number | null {
  const until = performance.now() + (bytes.length < 64 << 10 ? 0 : 150);
  while (performance.now() < until);
  const count = readSync.call(this, bytes);
  read += count ?? 0;
  return count;
};
globalThis.addEventListener(
  "unload",
  () => Deno.stdout.writeSync(new TextEncoder().encode(`${read >> 20}\n`)),
);
Deno.exit(await runAgentHook({ agent: "claude-code", message }));
