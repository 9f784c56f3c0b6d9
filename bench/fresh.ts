// `deno task bench fresh --data DIR`: whether the code under entries is still there, told of every
// entry of the store in DIR that stands on code, against the work tree there. DIR is a checkout of a
// repository whose sessions were imported (`ctx import`); other commits are checked out by hand. Counts
// by kind of entry and the time it takes. CTX_BENCH_SHEET=FILE writes cases to judge by hand, of one
// half of the sessions where CTX_BENCH_HALF is 0 or 1, of CTX_BENCH_VERDICTS (drifted,gone,reverted) as
// many as CTX_BENCH_CASES says of each; CTX_BENCH_UNTIL=TIME leaves out what is later than the commit that
// is checked out.

import type { Entry } from "../src/core/entry.ts";
import { hash64 } from "../src/core/hash.ts";
import { editsOf } from "../src/core/rows/edits.ts";
import { isRecord } from "../src/core/rows/record.ts";
import { findEdits, type MadeEdit } from "../src/code/fresh/entry_edits.ts";
import { FileLines } from "../src/code/fresh/file_lines.ts";
import { type Freshness, freshnessNames } from "../src/code/fresh/freshness.ts";
import { FreshnessReader } from "../src/code/fresh/freshness_reader.ts";
import { groundOf, type GroundPart } from "../src/code/fresh/ground.ts";
import type { FileState } from "../src/code/fresh/judge_freshness.ts";
import { openCodeRows } from "../src/code/fresh/open_code_rows.ts";
import { mayStandOnCode } from "../src/code/fresh/may_speak_of_code.ts";
import { WorkFiles } from "../src/code/fresh/work_files.ts";
import { locate } from "../src/index/segment/corpus.ts";
import { diskFiles } from "../src/disk/files.ts";
import { openStore } from "../src/store/store.ts";
import { seededRandom } from "./support/seeded_random.ts";
import { type BenchTable, round } from "./support/table.ts";

interface Case {
  kind: string;
  entry: Entry;
  told: Freshness;
  edits: MadeEdit[];
}

/** Cases of each verdict on a sheet. */
const perVerdict = Number(Deno.env.get("CTX_BENCH_CASES") ?? 17);

/** Runs the bench. */
export async function run(): Promise<BenchTable[]> {
  const data = Deno.env.get("CTX_BENCH_DATA");
  if (data === undefined) throw new Error("say where: --data DIR");
  const half = Deno.env.get("CTX_BENCH_HALF");
  const until = Deno.env.get("CTX_BENCH_UNTIL") ?? "9999";
  using store = openStore({
    workspace: Deno.realPathSync(data),
    files: diskFiles,
    now: () => Date.now(),
    random: () => crypto.randomUUID(),
    warn() {},
  });
  using rows = await openCodeRows(store);
  using reader = new FreshnessReader(store, rows);
  const cases: Case[] = [];
  let ms = 0;
  for (let global = 0; global < rows.corpus.size; global++) {
    const { segmentNumber, row } = locate(rows.corpus, global);
    if (rows.corpus.liveness.dead[segmentNumber]?.has(row)) continue;
    const entry = rows.readEntry(global);
    if (!mayStandOnCode(entry) || typeof entry.patch === "string") continue;
    if (entry.ts > until) continue;
    if (half !== undefined && (hash64(entry.session_id ?? "")[0] & 1) !== Number(half)) continue;
    const start = performance.now();
    const told = await reader.find(entry, global);
    ms += performance.now() - start;
    if (told === undefined) continue;
    const kind = isRecord(entry) ? entry.type : editsOf(entry).length > 0 ? "edit" : "answer";
    cases.push({ kind, entry, told, edits: findEdits(entry, global, rows) });
  }
  const sheet = Deno.env.get("CTX_BENCH_SHEET");
  if (sheet !== undefined) Deno.writeTextFileSync(sheet, toSheet(cases, store.layout.workspace));
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  const count = (kind: string, name: string): number =>
    cases.filter((one) => one.kind === kind && one.told.freshness === name).length;
  return [{
    title: "Entries that stand on code",
    head: ["kind", ...freshnessNames, "in all"],
    rows: kinds.map((kind) => [
      kind,
      ...freshnessNames.map((name) => count(kind, name)),
      cases.filter((one) => one.kind === kind).length,
    ]),
  }, {
    title: "Time",
    head: ["entries", "µs of each"],
    rows: [[cases.length, round(ms * 1000 / Math.max(1, cases.length), 0)]],
  }];
}

/** Cases to judge: what was written, what of it is there, what is said. */
function toSheet(cases: readonly Case[], workspace: string): string {
  const random = seededRandom(Number(Deno.env.get("CTX_BENCH_SEED") ?? 22));
  const verdicts = Deno.env.get("CTX_BENCH_VERDICTS") ?? "drifted,gone,reverted";
  const picked = verdicts.split(",").flatMap((name) => {
    const sessions = new Map<string, number>();
    return cases.filter(({ told }) => told.freshness === name)
      .map((one) => ({ one, order: random() })).sort((a, b) => a.order - b.order)
      .map(({ one }) => one)
      // Not more than two of one session: its cases are alike.
      .filter(({ entry: { session_id = "" } }) => {
        sessions.set(session_id, (sessions.get(session_id) ?? 0) + 1);
        return (sessions.get(session_id) ?? 0) <= 2;
      }).slice(0, perVerdict);
  });
  const files = new WorkFiles(workspace);
  return picked.map(({ kind, entry, told, edits }, i) =>
    [
      `## ${i + 1}. ${told.freshness} · ${kind} · ${entry.id} · ${entry.ts}`,
      JSON.stringify(told.changed),
      ...(kind === "edit" ? [] : [`says: ${entry.text.slice(0, 300)}`]),
      // A file that was renamed is the one that is told.
      ...groundOf(edits).flatMap((part) => {
        const file = files.find(part.path) ?? files.find(told.changed?.path ?? part.path);
        return toLines(part, file);
      }),
      "",
    ].join("\n")
  ).join("\n");
}

/** `=` is there (`=3` three times), `~` a line like it is, `x` nothing is; of what was taken away `<` is back, `-` is not. */
function toLines({ path, added, removed }: GroundPart, file: FileState): string[] {
  if (!(file instanceof FileLines)) return [`${path}: ${file ?? "not there"}`];
  const most = 14;
  return [
    path,
    ...added.map((line) => {
      const count = file.count(line);
      if (count > 0) return `=${count > 1 ? count : ""} ${line}`;
      const like = file.words.findLike(line)?.line;
      return like === undefined ? `x ${line}` : `~ ${line}   →   ${like}`;
    }).slice(0, most),
    ...removed.map((line) => `${file.countWhole(line) > 0 ? "<" : "-"} ${line}`).slice(0, most),
  ].map((line) => line.slice(0, 240));
}
