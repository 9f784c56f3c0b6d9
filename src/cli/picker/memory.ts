// What the picker asks of the store: the newest entries, a search as it is typed, one entry whole, and
// what can be done with one. All in one process, on an index that stays open. Typing leaves no traces:
// only what is opened is a retrieval.

import { openContext } from "../../app/app.ts";
import { readNewest } from "../../read/read_newest.ts";
import { compareText } from "../../core/text.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { ShownEntry } from "../../search/row_shape.ts";
import type { Store } from "../../store/store.ts";
import type { AnyCommand, Context, ResultOf } from "../../command/command.ts";
import { execute } from "../../command/execute.ts";

type Search = typeof import("../../commands/retrieval/search.ts").search;

/** An entry, and its project where several are searched. */
export interface PickTarget {
  id: string;
  workspace?: string;
}

/** One line of the list: what was found, or one of the newest, which have no confidence. */
export type PickRow = ShownEntry & {
  /** What it says, or the part of it that was found. */
  snippet: string;
  /** The document and section that it is part of. */
  place?: string;
};

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

export type PickEntry =
  & Pick<ShownEntry, "id" | "ts" | "role" | "type" | "title" | "session_id">
  & Pick<ShownEntry, "author" | "superseded_by" | "superseded_author">
  & {
    text: string;
    tags?: string[];
    files?: string[];
    source?: { agent: string };
    /** What of its text matches. */
    words?: MatchedWords;
  };

/** What the picker needs of a memory, here or in another thread. */
export type PickMemory = Pick<
  Memory,
  "list" | "read" | "readPins" | "readTitles" | "setPin" | "countForgotten" | "forget"
>;

/** As many as one search gives at once. */
export const pageRows = 50;

const snippetChars = 400;
const titleChars = 80;

/**
 * Which rows: `offset` of them are there already; of every project where `all` is set. With `left`, the
 * newest of a project begin with the session that was worked in last.
 */
export interface ListOptions {
  offset: number;
  all: boolean;
  left?: boolean;
}

/** The type of the row that is no entry, but the session that was worked in last. */
export const leftType = "session";

export class Memory {
  readonly #context: Context;
  /** Other projects by their directory, once they were asked for. */
  readonly #others = new Map<string, Promise<Memory>>();
  #store?: Store;
  /** The last one: what is wrong with an index is told when it is opened, and true of all that follows. */
  #warning?: string;

  constructor(context: Context) {
    this.#context = {
      ...context,
      warn: (message) => void (this.#warning = message),
      // Each key is a search: a project is opened once.
      openProject: async (workspace) => (await this.#openOther(workspace)).#getStore(),
    };
  }

  /** Opens the store; throws STORE_MISSING where there is none. */
  async open(): Promise<void> {
    this.#store = await this.#context.openStore();
  }

  /** The newest entries, or what a query finds. */
  async list(query: string, options: ListOptions): Promise<PickList> {
    return query.trim() === "" ? await this.#newest(options) : await this.#search(query, options);
  }

  /** An entry whole, and what of it a query matches. */
  async read({ id, workspace }: PickTarget, query: string): Promise<PickEntry | undefined> {
    const memory = await this.#memoryOf(workspace);
    if (id.startsWith("S-")) return await memory.#readLeft(id);
    const { get } = await import("../../commands/retrieval/get.ts");
    const { results } = await memory.#run(get, { ids: [id], head: 0 });
    const [entry] = results;
    if (entry === undefined || query.trim() === "") return entry;
    const { matchedWords } = await import("../../search/typing/matched_words.ts");
    return { ...entry, words: matchedWords(query, [entry.title ?? "", entry.text]) };
  }

  /** The ids that are pinned, in every project that was asked for. */
  async readPins(): Promise<string[]> {
    const stores = await this.#openStores();
    return stores.flatMap((store) => parsePins(readPinsText(store))).flatMap((pin) => pin.id ?? []);
  }

  /** The titles of sessions, likewise. */
  async readTitles(): Promise<[session: string, title: string][]> {
    const { readSessionTitles } = await import("../../read/session_titles.ts");
    const titles = (await this.#openStores()).flatMap((store) => [...readSessionTitles(store)]);
    return titles.map(([id, title]) => [id, title.slice(0, titleChars)]);
  }

  /** Pins an entry, or takes its pin away. */
  async setPin({ id, workspace }: PickTarget, pinned: boolean): Promise<void> {
    const { pin, unpin } = await import("../../commands/memory/pin.ts");
    const memory = await this.#memoryOf(workspace);
    if (pinned) await memory.#run(pin, { target: id });
    else await memory.#run(unpin, { target: id });
  }

  /** How many entries go when one is forgotten. */
  async countForgotten({ id, workspace }: PickTarget): Promise<number> {
    const { forget } = await import("../../commands/memory/forget.ts");
    const memory = await this.#memoryOf(workspace);
    return (await memory.#run(forget, { ids: [id], dry_run: true })).count;
  }

  /** Forgets an entry and what was made of it. */
  async forget({ id, workspace }: PickTarget): Promise<void> {
    const { forget } = await import("../../commands/memory/forget.ts");
    const memory = await this.#memoryOf(workspace);
    // Whoever looks at the screen was asked there.
    const context = { ...memory.#context, consent: true as const };
    await execute(forget, { ids: [id] }, context);
  }

  async #readLeft(session: string): Promise<PickEntry | undefined> {
    const { resume } = await import("../../commands/sessions/resume.ts");
    const { sessions: [found], commands } = await this.#run(resume, { session });
    if (found === undefined) return undefined;
    const { id, ended: ts, title, left } = found;
    const open = left.length === 0 ? "Nothing open." : left.map((line) => `- ${line}`).join("\n");
    const steps = commands.map(({ agent, command }) => `${agent}: ${command}`).join("\n");
    return { id, ts, role: "assistant", type: leftType, title, text: `${open}\n\n${steps}` };
  }

  async #newest({ offset, all, left = false }: ListOptions): Promise<PickList> {
    const own = this.#getStore();
    const { stores, warning } = all ? await this.#openAll() : { stores: [own] };
    const found = await Promise.all(stores.map(async (store) => {
      const workspace = all ? store.layout.workspace : undefined;
      const { rows, total } = await readNewest(store, offset + pageRows);
      return { total, rows: rows.map(({ entry }) => ({ entry, workspace })) };
    }));
    const newest = found.flatMap(({ rows }) => rows);
    if (all) newest.sort((a, b) => compareText(b.entry.ts, a.entry.ts));
    const page = newest.slice(offset, offset + pageRows);
    const rows = page.map(({ entry, workspace }) => ({
      id: entry.id,
      ts: entry.ts,
      role: entry.role,
      type: entry.type,
      title: entry.title,
      snippet: entry.text.slice(0, snippetChars),
      session_id: entry.session_id,
      workspace,
    }));
    const total = found.reduce((sum, one) => sum + one.total, 0);
    const last = left && !all && offset === 0 ? await this.#findLeft() : undefined;
    if (last === undefined) return { rows, total, first: page[0]?.entry, warning };
    return { rows: [last, ...rows], total, first: { ...last, text: last.snippet }, warning };
  }

  /** The session of an agent that was worked in last; what it left is read later. */
  async #findLeft(): Promise<PickRow | undefined> {
    const { readOwnSessions } = await import("../../read/own_sessions.ts");
    const store = this.#getStore();
    const found = (await readOwnSessions(store)).find(({ source }) => source !== undefined);
    if (found === undefined) return undefined;
    const { id, ended: ts, source, project, first_user_line: snippet } = found;
    const isHere = project === store.layout.workspace;
    const title = `Left here by ${source}${
      isHere ? "" : ` in ${project.replace(/.*\/(?=.)/, "")}`
    }`;
    return { id, ts, role: "assistant", type: leftType, title, snippet, session_id: id };
  }

  async #search(query: string, { offset, all }: ListOptions): Promise<PickList> {
    const { stores, warning } = all ? await this.#openAll() : { stores: [this.#getStore()] };
    const { search } = await import("../../commands/retrieval/search.ts");
    const { completeQuery } = await import("../../search/typing/complete_query.ts");
    const completed = await completeQuery(stores, query, this.#context.warn);
    const input = {
      query: completed,
      k: pageRows,
      offset,
      include_current: true,
      all_projects: all,
    };
    const { results, total, retrieval } = await this.#run<Search>(search, input);
    const corrected = Object.entries(retrieval.corrected ?? {});
    const searched = corrected.reduce((text, [from, to]) => text.replace(from, to), completed);
    const rows = results.map((row) => ({
      ...row,
      place: row.document && [row.document, row.section].filter(Boolean).join(" › "),
    }));
    const { matchedWords } = await import("../../search/typing/matched_words.ts");
    const words = matchedWords(
      searched,
      rows.flatMap(({ title, place, snippet }) => [title ?? "", place ?? "", snippet]),
    );
    const isFirst = offset === 0 && rows.length > 0;
    const first = isFirst ? await this.read(rows[0], searched) : undefined;
    return {
      rows,
      total,
      words,
      first,
      warning: warning ?? this.#warning,
      ...(searched === query ? {} : { searched }),
    };
  }

  #run<C extends AnyCommand>(command: C, input: object): Promise<ResultOf<C>>;
  #run(command: AnyCommand, input: object): Promise<object> {
    return execute({ ...command, trace: undefined }, input, this.#context);
  }

  /** The store here and those of the other projects on the user's list. */
  async #openAll(): Promise<{ stores: Store[]; warning?: string }> {
    const own = this.#getStore();
    const { openProjects } = await import("../../command/project_list.ts");
    const { stores, notes } = await openProjects(this.#context, { but: own.layout.workspace });
    return { stores: [own, ...stores], warning: notes[0] };
  }

  /** The store here and those that are open already. */
  async #openStores(): Promise<Store[]> {
    const others = await Promise.allSettled(this.#others.values());
    const open = others.filter((other) => other.status === "fulfilled");
    return [this.#getStore(), ...open.map(({ value }) => value.#getStore())];
  }

  async #memoryOf(workspace: string | undefined): Promise<Memory> {
    const isHere = workspace === undefined || workspace === this.#getStore().layout.workspace;
    return isHere ? this : await this.#openOther(workspace);
  }

  #openOther(workspace: string): Promise<Memory> {
    const known = this.#others.get(workspace);
    if (known) return known;
    const other = new Memory(openContext({ surface: "cli", workspace }));
    const opened = other.open().then(() => other);
    this.#others.set(workspace, opened);
    return opened;
  }

  #getStore(): Store {
    if (this.#store === undefined) throw new Error("The store is not open");
    return this.#store;
  }
}
