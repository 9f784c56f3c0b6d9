// Embeds some texts with the reranker's model in a process of its own and tells how much memory that took.

import { openMiniLm } from "../../src/search/rerank/minilm.ts";

const { embed } = await openMiniLm();
for (let i = 0; i < 8; i++) {
  await embed(`${i} the retry budget of the worker queue was raised, `.repeat(10));
}
const status = Deno.readTextFileSync("/proc/self/status");
const peakMb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000;
Deno.stdout.writeSync(new TextEncoder().encode(String(peakMb)));
