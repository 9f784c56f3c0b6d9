// Sheets for labellers: from a pool, Markdown with everything a labeller may see, in parts for several
// labellers; and back from their labels to a fixture.
// Run: deno run -A bench/suggest_sheets.ts POOL.json DIRECTORY
//      deno run -A bench/suggest_sheets.ts POOL.json DIRECTORY FIXTURE.json (takes labels-*.json)

import { historyHeads } from "./suggest_history.ts";

/** A case as it is labelled. */
export interface PoolCase {
  case_id: string;
  kind: string;
  file: string;
  symbol?: string;
  commit: string;
  commit_message: string;
  diff_excerpt: string;
  file_excerpt_before: string;
  candidates: { key: string; type: string; title: string; excerpt: string }[];
}

const parts = 4;

const task = `# What to do

You label suggestions. Each case is a moment before a commit: somebody is about to make the change that
the commit message and the diff show, in the file that is named (or just opens it). For each candidate
say whether a careful engineer about to make this change in this file would be glad of it. Be
consistent, not generous: when in doubt, no. Where nothing is relevant the list is empty. Judge each
case by itself; do not look at other files of the repository or at later commits.

Write \`labels-PART.json\` into this directory: an object from case id to the list of ids of its relevant
candidates, with every case of the part, such as \`{"n001": ["a", "f"], "n002": []}\`.
`;

function main(): void {
  const [pool, directory, fixture] = Deno.args;
  const cases: PoolCase[] = JSON.parse(Deno.readTextFileSync(pool));
  Deno.mkdirSync(directory, { recursive: true });
  if (fixture !== undefined) return writeFixture(cases, directory, fixture);
  writeSheets(cases, directory, parts);
}

/** Writes sheets for so many labellers. */
export function writeSheets(cases: PoolCase[], directory: string, parts: number): void {
  const each = Math.ceil(cases.length / parts);
  for (let part = 0; part < parts; part++) {
    const some = cases.slice(part * each, (part + 1) * each);
    const head = task.replaceAll("PART", String(part + 1));
    const text = [head, ...some.map(toSheet)].join("\n");
    Deno.writeTextFileSync(`${directory}/sheet-${part + 1}.md`, text);
    const lines = some.map((item) => JSON.stringify(toLine(item)) + "\n").join("");
    Deno.writeTextFileSync(`${directory}/sheet-${part + 1}.jsonl`, lines);
  }
}

/** The kind of a case would tell the labeller what is expected, and keys which method found it. */
function toLine({ case_id, file, symbol, commit_message, ...item }: PoolCase): unknown {
  const { diff_excerpt, file_excerpt_before } = item;
  const candidates = item.candidates.map(({ type, title, excerpt }, i) => ({
    id: idOf(i),
    type,
    title,
    excerpt,
  }));
  return { case_id, file, symbol, commit_message, diff_excerpt, file_excerpt_before, candidates };
}

function toSheet(item: PoolCase): string {
  const { case_id, file, symbol, commit_message, diff_excerpt, file_excerpt_before } = item;
  const candidates = item.candidates.map(({ type, title, excerpt }, i) =>
    `- **${idOf(i)}** (${type.replace("_", " ")}) ${title}\n  ${excerpt.replace(/\s+/g, " ")}`
  );
  return [
    `\n---\n\n# ${case_id}: ${file}${symbol === undefined ? "" : `, ${symbol}`}`,
    `Commit message:\n\n${quote(commit_message)}`,
    `What the commit does to the file:\n\n${fence(diff_excerpt)}`,
    `The file before, its beginning:\n\n${fence(file_excerpt_before.slice(0, 900))}`,
    `Candidates:\n\n${candidates.join("\n")}`,
  ].join("\n\n") + "\n";
}

function writeFixture(cases: PoolCase[], directory: string, fixture: string): void {
  const labels: Record<string, string[]> = {};
  for (let part = 1; part <= parts; part++) {
    Object.assign(labels, JSON.parse(Deno.readTextFileSync(`${directory}/labels-${part}.json`)));
  }
  const missing = cases.filter(({ case_id }) => labels[case_id] === undefined);
  if (missing.length > 0) {
    throw new Error(`No labels of ${missing.map(({ case_id }) => case_id).join(", ")}`);
  }
  const labelled = cases.map(({ case_id, commit, file, symbol, kind, candidates }) => ({
    id: case_id,
    commit,
    path: file,
    symbol,
    kind,
    pool: candidates.map(({ key }) => key),
    relevant: candidates.filter((_, i) => labels[case_id].includes(idOf(i))).map(({ key }) => key),
  }));
  const about =
    "Cases of this repository's own history up to the commit below; suggest_cases.md says how they were chosen and labelled.";
  const text = JSON.stringify({ about, head: historyHeads.second, cases: labelled }, null, 2);
  Deno.writeTextFileSync(fixture, `${text}\n`);
}

/** The id of a candidate on a sheet. */
export function idOf(i: number): string {
  return String.fromCharCode(97 + i);
}

function fence(text: string): string {
  return `~~~~\n${text.replaceAll("~~~~", "~~~ ~").trimEnd()}\n~~~~`;
}

function quote(text: string): string {
  return text.split("\n").map((line) => `> ${line}`).join("\n");
}

if (import.meta.main) main();
