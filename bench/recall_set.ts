// recall-dev of ../shared/bench: questions over real coding sessions, answered by quotes. Grades as the
// scorer beside it does: a row takes the grade of a quote that its text holds, each quote counts once.

/** A question, with the quotes that answer it (2) or help (1); none when nothing answers it. */
export interface RecallQuestion {
  id: string;
  query: string;
  kind: string;
  gold: { quote: string; grade: number }[];
}

/** The measures of one answer. */
export interface RecallScore {
  ndcg: number;
  first: number;
  five: number;
}

/** A row of the store that the set is asked of. */
export interface RecallRow {
  id: string;
  text: string;
  session_id?: string;
}

/** Reads the questions. */
export function readQuestions(directory: string): RecallQuestion[] {
  return readLines(`${directory}/queries.jsonl`);
}

/** Reads an export. */
export function readRows(path: string): Map<string, RecallRow> {
  const rows = readLines<RecallRow>(path).filter(({ text }) => typeof text === "string");
  return new Map(rows.map((row) => [row.id, row]));
}

function readLines<T>(path: string): T[] {
  return Deno.readTextFileSync(path).trim().split("\n").map((line) => JSON.parse(line));
}

/** Scores the ids of an answer, best first. */
export function scoreAnswer(
  { gold }: RecallQuestion,
  ids: readonly string[],
  rows: ReadonlyMap<string, RecallRow>,
): RecallScore {
  const used = new Set<number>();
  const gained: number[] = [];
  let best = Infinity;
  ids.slice(0, 10).forEach((id, rank) => {
    const text = rows.get(id)?.text ?? "";
    const hits = gold.map(({ quote, grade }, i) => ({ grade, i, held: text.includes(quote) }))
      .filter(({ held }) => held).sort((a, b) => b.grade - a.grade);
    if (hits[0]?.grade === 2) best = Math.min(best, rank);
    const fresh = hits.find(({ i }) => !used.has(i));
    if (fresh) used.add(fresh.i);
    gained.push(fresh?.grade ?? 0);
  });
  const ideal = gold.map(({ grade }) => grade).sort((a, b) => b - a).slice(0, 10);
  return { ndcg: dcg(gained) / dcg(ideal), first: best === 0 ? 1 : 0, five: best < 5 ? 1 : 0 };
}

const gains = [0, 1, 3];

function dcg(grades: number[]): number {
  return grades.reduce((sum, grade, i) => sum + gains[grade] / Math.log2(i + 2), 0);
}

/** Five parts of the questions with an answer: those about one session are in one part. */
export function foldBySession(
  questions: readonly RecallQuestion[],
  rows: ReadonlyMap<string, RecallRow>,
): RecallQuestion[][] {
  const sessions = new Map<string, RecallQuestion[]>();
  for (const question of questions) {
    const { quote } = question.gold.find(({ grade }) => grade === 2) ?? question.gold[0];
    const row = [...rows.values()].find(({ text }) => text.includes(quote));
    const session = row?.session_id ?? question.id;
    sessions.set(session, [...sessions.get(session) ?? [], question]);
  }
  const folds: RecallQuestion[][] = [[], [], [], [], []];
  for (const group of [...sessions.values()].sort((a, b) => b.length - a.length)) {
    folds.reduce((least, fold) => fold.length < least.length ? fold : least).push(...group);
  }
  return folds;
}

/** A mean with the bounds of 95 % of its bootstrap samples. */
export function interval(values: readonly number[], random: () => number): string {
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, value) => sum + value, 0) / list.length;
  const means = Array.from(
    { length: 1000 },
    () => mean(values.map(() => values[Math.floor(random() * values.length)])),
  ).sort((a, b) => a - b);
  return `${mean(values).toFixed(3)} [${means[25].toFixed(3)}, ${means[974].toFixed(3)}]`;
}
