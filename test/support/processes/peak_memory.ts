// Reads a Claude Code transcript in a process of its own and tells how much memory that took.

import { claudeCode } from "../../../src/intake/sources/claude_code/claude_code.ts";
import { collect } from "../collect.ts";

const { entries, tally } = await collect(claudeCode, Deno.args[0]);
const status = Deno.readTextFileSync("/proc/self/status");
const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
const result = {
  texts: entries.map((entry) => entry.text),
  skipped: tally.skipped,
  bad_lines: tally.bad_lines,
  peak,
};
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
