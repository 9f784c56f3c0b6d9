// Browsing as an agent does: whole processes over a store of 5,000 sessions, and over one very long
// session.

import { raceProcesses } from "../support/processes.ts";
import { type BenchTable, round } from "../support/table.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

const sessions = 5000;
const rowsPerSession = 20;
const longRows = 5000;

/** Measures lists, outlines, scans and full reads. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  const mod = fromFileUrl(new URL("../../mod.ts", import.meta.url));
  try {
    await writeStore(work);
    await Deno.writeTextFile(`${work}/empty.ts`, "");
    // As in a store that has been used: the state is there, the catalog after the first list.
    const save = ["run", "-A", "--no-check", mod, "save", "a note"];
    await new Deno.Command(Deno.execPath(), { args: save, cwd: work }).output();
    const forms: [string, string[]][] = [
      ["empty Deno script", [`${work}/empty.ts`]],
      [`ctx sessions (of ${sessions + 1})`, [mod, "sessions", "--json"]],
      ["ctx show --format outline (an average session)", [
        mod,
        "show",
        "S-0000042",
        "--format",
        "outline",
      ]],
      [`ctx show --format outline (the largest, ${longRows} messages)`, [
        mod,
        "show",
        "S-long",
        "--format",
        "outline",
      ]],
      ["ctx show --format full (the largest)", [mod, "show", "S-long", "--format", "full"]],
      ["ctx scan --budget 5000 (the largest)", [mod, "scan", "S-long", "--budget", "5000"]],
      ["ctx read 100-110 (the largest)", [mod, "read", "S-long", "100-110"]],
    ];
    const times = await raceProcesses(
      forms.map(([name, args]) => ({
        name,
        command: Deno.execPath(),
        args: ["run", "-A", "--no-check", ...args],
        cwd: work,
        env: { XDG_CONFIG_HOME: work },
      })),
      7,
    );
    return [{
      title: `Browsing, whole process from source (median of 7, interleaved)`,
      head: ["process", "ms", "ms over an empty script"],
      rows: forms.map(([name], i) => [name, round(times[i], 0), round(times[i] - times[0], 0)]),
    }];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function writeStore(work: string): Promise<void> {
  await Deno.mkdir(`${work}/.contextfs`);
  const file = await Deno.open(`${work}/.contextfs/history.ndjson`, { create: true, write: true });
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  for (let session = 0; session <= sessions; session++) {
    const isLong = session === sessions;
    const id = isLong ? "S-long" : `S-${String(session).padStart(7, "0")}`;
    let lines = "";
    for (let row = 0; row < (isLong ? longRows : rowsPerSession); row++) {
      const role = row % 3 === 0 ? "user" : row % 3 === 1 ? "assistant" : "tool";
      lines += JSON.stringify({
        id: `H-${session}-${row}`,
        ts: new Date(1.7e12 + session * 1e7 + row * 1000).toISOString(),
        session_id: id,
        index: row + 1,
        source: { agent: "claude-code", conversation: id, message: `${session}-${row}` },
        role,
        type: role === "tool" ? "tool_output" : "turn",
        text: `message ${row} of ${id}: ${
          "what was said about the parser and its tests ".repeat(6)
        }`,
        files: [`src/file${row % 9}.ts`],
      }) + "\n";
    }
    await writer.write(encoder.encode(lines));
  }
  await writer.close();
}
