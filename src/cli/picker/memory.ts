// What the picker asks of the store: the newest entries, a search as it is typed, one entry whole, and
// what can be done with one. All in one process, on an index that stays open. Typing leaves no traces:
// only what is opened is a retrieval.

import { readNewest } from "../../browse/read_newest.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import type { AnyCommand, Context, ResultOf } from "../../table/command.ts";
import { execute } from "../../table/execute.ts";

type Search = typeof import("../../commands/retrieval/search.ts").search;

const confidences = ["strong", "good", "weak"] as const;
/** How sure a row is. */
export type Confidence = typeof confidences[number];

/** One line of the list. */
export interface PickRow {
  id: string;
  ts: string;
  role: string;
  type: string;
  title?: string;
  /** What it says, or the part of it that was found. */
  snippet: string;
  session_id?: string;
  /** The document and section that it is part of. */
  place?: string;
  /** How sure it is, as scores were worth on judged questions; the newest have none. */
  confidence?: Confidence;
}

/** Words of texts that a query matches, as they are written but in small letters. */
export type MatchedWords = string[];

/** What a query found. */
export interface PickList {
  rows: PickRow[];
  /** How many there are in all. */
  total: number;
  /** What was searched for, where that is not what was typed. */
  searched?: string;
  /** What should be known beside the rows: that the index is damaged, or of an older ctx. */
  warning?: string;
  /** What of the rows matches. */
  words?: MatchedWords;
  /** The first of them whole, as it is looked at first. */
  first?: PickEntry;
}

/** An entry to look at. */
export interface PickEntry {
  id: string;
  ts: string;
  role: string;
  type: string;
  text: string;
  title?: string;
  session_id?: string;
  tags?: string[];
  files?: string[];
  source?: { agent: string };
  superseded_by?: string;
  /** What of its text matches. */
  words?: MatchedWords;
}

/** What the picker needs of a memory, here or in another thread. */
export type PickMemory = Pick<
  Memory,
  "list" | "read" | "readPins" | "setPin" | "countForgotten" | "forget"
>;

/** As many as one search gives at once. */
export const pageRows = 50;

const snippetChars = 400;

/** The store as the picker sees it. */
export class Memory {
  readonly #context: Context;
  #store?: Store;
  /** The last one: what is wrong with an index is told when it is opened, and true of all that follows. */
  #warning?: string;

  constructor(context: Context) {
    this.#context = { ...context, warn: (message) => void (this.#warning = message) };
  }

  /** Opens the store; throws STORE_MISSING where there is none. */
  async open(): Promise<void> {
    this.#store = await this.#context.openStore();
  }

  /** The newest entries, or what a query finds; `offset` rows of it are there already. */
  async list(query: string, offset = 0): Promise<PickList> {
    return query.trim() === "" ? await this.#newest(offset) : await this.#search(query, offset);
  }

  /** An entry whole, and what of it a query matches. */
  async read(id: string, query: string): Promise<PickEntry | undefined> {
    const { get } = await import("../../commands/retrieval/get.ts");
    const { results } = await this.#run(get, { ids: [id], head: 0 });
    const [entry] = results;
    if (entry === undefined || query.trim() === "") return entry;
    const { matchedWords } = await import("../../search/typing/matched_words.ts");
    return { ...entry, words: matchedWords(query, [entry.title ?? "", entry.text]) };
  }

  /** The ids that are pinned. */
  readPins(): Promise<string[]> {
    const pins = parsePins(readPinsText(this.#getStore()));
    return Promise.resolve(pins.flatMap((pin) => pin.id ?? []));
  }

  /** Pins an entry, or takes its pin away. */
  async setPin(id: string, pinned: boolean): Promise<void> {
    const { pin, unpin } = await import("../../commands/memory/pin.ts");
    if (pinned) await this.#run(pin, { target: id });
    else await this.#run(unpin, { target: id });
  }

  /** How many entries go when one is forgotten. */
  async countForgotten(id: string): Promise<number> {
    const { forget } = await import("../../commands/memory/forget.ts");
    return (await this.#run(forget, { ids: [id], dry_run: true })).count;
  }

  /** Forgets an entry and what was made of it. */
  async forget(id: string): Promise<void> {
    const { forget } = await import("../../commands/memory/forget.ts");
    // Whoever looks at the screen was asked there.
    const context = { ...this.#context, consent: true as const };
    await execute(forget, { ids: [id] }, context);
  }

  async #newest(offset: number): Promise<PickList> {
    const { entries, total } = await readNewest(this.#getStore(), offset + pageRows);
    const rows = entries.slice(offset).map(({ id, ts, role, type, title, text, session_id }) => ({
      id,
      ts,
      role,
      type,
      title,
      snippet: text.slice(0, snippetChars),
      session_id,
    }));
    return { rows, total, first: entries[offset] };
  }

  async #search(query: string, offset: number): Promise<PickList> {
    const { search } = await import("../../commands/retrieval/search.ts");
    const { completeQuery } = await import("../../search/typing/complete_query.ts");
    const completed = completeQuery(this.#getStore(), query, this.#context.warn);
    const input = { query: completed, k: pageRows, offset, include_current: true };
    const { results, total, retrieval } = await this.#run<Search>(search, input);
    const corrected = Object.entries(retrieval.corrected ?? {});
    const searched = corrected.reduce((text, [from, to]) => text.replace(from, to), completed);
    const rows = results.map((row) => ({
      ...row,
      confidence: confidences.find((name) => name === Reflect.get(row, "confidence")),
      place: row.document && [row.document, row.section].filter(Boolean).join(" › "),
    }));
    const { matchedWords } = await import("../../search/typing/matched_words.ts");
    const words = matchedWords(
      searched,
      rows.flatMap(({ title, place, snippet }) => [title ?? "", place ?? "", snippet]),
    );
    const isFirst = offset === 0 && rows.length > 0;
    const first = isFirst ? await this.read(rows[0].id, searched) : undefined;
    return {
      rows,
      total,
      words,
      first,
      warning: this.#warning,
      ...(searched === query ? {} : { searched }),
    };
  }

  #run<C extends AnyCommand>(command: C, input: object): Promise<ResultOf<C>>;
  #run(command: AnyCommand, input: object): Promise<object> {
    return execute({ ...command, trace: undefined }, input, this.#context);
  }

  #getStore(): Store {
    if (this.#store === undefined) throw new Error("The store is not open");
    return this.#store;
  }
}
