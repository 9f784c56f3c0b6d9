// The scan search (no index) against merely parsing the same file: how much ranking costs.

import { diskFiles } from "../../src/disk/files.ts";
import { Store } from "../../src/store/store.ts";
import { search } from "../../src/search/run_search.ts";
import { type BenchTable, medianOf, round } from "../support/table.ts";

const rows = 20_000;
const rounds = 5;

/** Measures rows per second of both. */
export async function run(): Promise<BenchTable[]> {
  const workspace = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    await Deno.mkdir(`${workspace}/.contextfs`);
    const path = `${workspace}/.contextfs/history.ndjson`;
    await Deno.writeTextFile(path, makeLog());
    const store = new Store({
      workspace,
      files: diskFiles,
      now: Date.now,
      random: () => crypto.randomUUID(),
      warn: () => {},
    });
    const parse = await time(() => {
      for (const line of Deno.readTextFileSync(path).trimEnd().split("\n")) JSON.parse(line);
    });
    const request = { k: 5, offset: 0, scope: "all", mode: "lexical" } as const;
    const one = await time(() => search(store, { ...request, query: "retry" }));
    const seven = await time(() =>
      search(store, { ...request, query: "how do we retry a failed parcel delivery" })
    );
    const line = (name: string, ms: number): (string | number)[] => [
      name,
      Math.round(rows / (ms / 1000)),
      round(ms / parse),
    ];
    return [{
      title: `Scan search over ${rows} rows without an index (median of ${rounds})`,
      head: ["what", "rows/s", "ratio to JSON.parse"],
      rows: [
        line("JSON.parse of every line", parse),
        line("search, one word", one),
        line("search, a seven-word question", seven),
      ],
    }];
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}

async function time(action: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await action();
    times.push(performance.now() - start);
  }
  return medianOf(times);
}

function makeLog(): string {
  const words = "parcel delivery retry queue worker token label address printer backoff failed"
    .split(" ");
  const lines: string[] = [];
  for (let i = 0; i < rows; i++) {
    const text = Array.from({ length: 80 }, (_, j) => words[(i * 7 + j * j * 3) % words.length]);
    const ts = new Date(1_760_000_000_000 + i * 60_000).toISOString();
    const entry = { id: `H-${i}`, ts, role: "note", type: "note", text: text.join(" ") };
    lines.push(JSON.stringify(entry));
  }
  return lines.join("\n") + "\n";
}
