// Loads the public retrieval sets from ../shared/bench; a set that is absent is left out.
// They are for measuring only and never part of the product (their licences differ).

/** One query and the ids of the documents that answer it. */
export interface JudgedQuery {
  text: string;
  relevant: Set<string>;
}

/** Documents that are searched together, as history rows, and their queries. */
export interface QualityGroup {
  /** A conversation's name; documents that belong together by nothing have none. */
  name?: string;
  rows: Record<string, unknown>[];
  queries: JudgedQuery[];
}

/** A named set: one group, or one for each conversation. */
export interface QualitySet {
  name: string;
  groups: QualityGroup[];
}

/** The sets that are there. */
export function loadQualitySets(directory: string): QualitySet[] {
  const sets: QualitySet[] = [];
  const load = (name: string, read: (path: string) => QualityGroup[]): void => {
    try {
      sets.push({ name, groups: read(`${directory}/${name}`) });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  load("locomo-dev", readChats);
  load("scifact", (path) => [readCorpus(path)]);
  load("cosqa-dev", (path) => [readCorpus(path)]);
  return sets;
}

interface Turn {
  id: string;
  ts: string;
  session: number;
  idx: number;
  role: string;
  speaker: string;
  text: string;
  caption?: string;
}

interface Question {
  conv: string;
  question: string;
  category: number;
  evidence: string[];
}

function readChats(path: string): QualityGroup[] {
  const questions = readLines<Question>(`${path}/queries.jsonl`)
    .filter(({ category }) => category >= 1 && category <= 4);
  const names = [...new Set(questions.map(({ conv }) => conv))];
  return names.map((name) => ({
    name,
    rows: readLines<Turn>(`${path}/${name}.turns.ndjson`).map((turn) => ({
      id: turn.id,
      ts: turn.ts,
      role: turn.role,
      type: "turn",
      session_id: `${name}-${turn.session}`,
      index: turn.idx,
      text: `${turn.speaker}: ${turn.text}${turn.caption ? ` [image: ${turn.caption}]` : ""}`,
    })),
    queries: questions.filter(({ conv }) => conv === name)
      .map(({ question, evidence }) => ({ text: question, relevant: new Set(evidence) })),
  }));
}

function readCorpus(path: string): QualityGroup {
  const relevant = new Map<string, Set<string>>();
  for (const line of Deno.readTextFileSync(`${path}/qrels.tsv`).trim().split("\n")) {
    const [query, document, grade] = line.split("\t");
    if (Number(grade) <= 0) continue;
    relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
  }
  const documents = readLines<{ id: string; title?: string; text: string }>(
    `${path}/corpus.ndjson`,
  );
  return {
    rows: documents.map(({ id, title, text }) => ({
      id,
      ts: "2026-01-01T00:00:00.000Z",
      role: "note",
      type: "note",
      title,
      text,
    })),
    queries: readLines<{ id: string; text: string }>(`${path}/queries.jsonl`)
      .filter(({ id }) => relevant.has(id))
      .map(({ id, text }) => ({ text, relevant: relevant.get(id) ?? new Set() })),
  };
}

function readLines<T>(path: string): T[] {
  return Deno.readTextFileSync(path).trim().split("\n").map((line) => JSON.parse(line));
}
