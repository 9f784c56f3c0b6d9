// recall-dev of ../shared/bench: questions over real coding sessions, answered by quotes. Grades as the
// scorer beside it does: a row takes the grade of a quote that its text holds, each quote counts once.

import { byRank, discounted, type Scores, share } from "./measures.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

/** A question, with the quotes that answer it (2) or help (1); none when nothing answers it. */
export interface RecallQuestion {
  id: string;
  query: string;
  kind: string;
  gold: Quote[];
}

/** Words that a row must hold, and in how many rows they occur: the rarest tell most. */
export interface Quote {
  quote: string;
  grade: number;
  rows?: number;
}

/** A row of the store that the set is asked of. */
export interface RecallRow {
  id: string;
  text: string;
  type?: string;
  session_id?: string;
}

type Rows = ReadonlyMap<string, RecallRow>;

/** Imports every sample tree with ctx, by default from its sources, and exports the rows. */
export async function importSessions(
  directory: string,
  { work, ctx }: { work: string; ctx?: string },
): Promise<void> {
  const main = fromFileUrl(new URL("../../mod.ts", import.meta.url));
  const env = { CTX: ctx ?? `${Deno.execPath()} run -A -q ${main}` };
  const args = [`${directory}/build.sh`, work];
  const { success, stderr } = await new Deno.Command("bash", { args, env }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Reads an export. */
export function readRows(path: string): Map<string, RecallRow> {
  const rows = readLines<RecallRow>(path).filter(({ text }) => typeof text === "string");
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads the questions, to be asked of some rows. */
export function readQuestions(directory: string, rows: Rows): RecallQuestion[] {
  const texts = [...rows.values()].map(({ text }) => text);
  return readLines<RecallQuestion>(`${directory}/queries.jsonl`).map((question) => ({
    ...question,
    gold: question.gold.map((gold) => ({
      ...gold,
      rows: texts.filter((text) => text.includes(gold.quote)).length,
    })),
  }));
}

function readLines<T>(path: string): T[] {
  return Deno.readTextFileSync(path).trim().split("\n").map((line) => JSON.parse(line));
}

/** Scores the ids of an answer, best first; R@k is the share of quotes that the first k hold. */
export function scoreAnswer(
  { gold }: RecallQuestion,
  ids: readonly string[],
  rows: Rows,
): Scores {
  const held = ids.slice(0, 10).map((id) => {
    const text = rows.get(id)?.text ?? "";
    return gold.toReversed().filter(({ quote }) => text.includes(quote)).sort(byWorth);
  });
  const used = new Set<Quote>();
  const gained = held.map((quotes) => {
    const fresh = quotes.find((quote) => !used.has(quote));
    if (fresh) used.add(fresh);
    return gains[fresh?.grade ?? 0];
  });
  const ideal = gold.map(({ grade }) => gains[grade]).sort((a, b) => b - a).slice(0, 10);
  const found = (depth: number): number =>
    share(new Set(held.slice(0, depth).flat()).size, gold.length);
  return {
    ndcg: share(discounted(gained), discounted(ideal)),
    recall5: found(5),
    recall10: found(10),
    ...byRank(held.findIndex(([best]) => best?.grade === 2)),
    empty: ids.length === 0 ? 1 : 0,
  };
}

const gains = [0, 1, 3];

/** The higher grade first, of equal ones the rarer; then, as the scorer has it, the last. */
function byWorth(a: Quote, b: Quote): number {
  return b.grade - a.grade || (a.rows ?? 1) - (b.rows ?? 1);
}

/** The session that a question is about, as far as its best quote tells. */
export function sessionOf({ id, gold }: RecallQuestion, rows: Rows): string {
  const best = gold.find(({ grade }) => grade === 2) ?? gold[0];
  const row = best && [...rows.values()].find(({ text }) => text.includes(best.quote));
  return row?.session_id ?? id;
}
