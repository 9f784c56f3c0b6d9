// The picker between the keys and the memory: what is typed becomes a search after a moment, what is
// chosen an outcome. Draws nothing itself and waits for nothing: answers come when they come, and those
// that are no longer asked for are dropped.

import { toCtxError } from "../../core/errors.ts";
import { withoutMarks } from "../../command/view.ts";
import type { PickerState } from "./frame.ts";
import { type ActionName, actionOf } from "./key_table.ts";
import {
  leftType,
  type ListOptions,
  type PickEntry,
  type PickList,
  type PickMemory,
  type PickRow,
  type PickTarget,
} from "./memory.ts";

export interface Picked extends PickTarget {
  command: "get" | "timeline" | "show" | "resume";
}

export interface PickerOptions {
  query: string;
  /** What is shown at once. */
  list: PickList;
  /** Whether the session that was worked in last is shown first. */
  left?: boolean;
  /** Draws the state anew. */
  onChange: () => void;
  /** It is over; with what was chosen, if something was. */
  onEnd: (picked?: Picked) => void;
  /** Puts a text where it can be pasted from. */
  copy: (text: string) => void;
  listRows: () => number;
  /** The first line of the entry that is on the screen. */
  entryFrom: () => number;
}

/** A search begins when nothing was typed for so long, and is told to take long after so long. */
const debounceMs = 40;
const longMs = 250;
/** Rows are asked for when so few are left below. */
const rowsAhead = 10;
const keptEntries = 200;
const scrollLines = 3;

/** The state, and everything that changes it. */
export class Picker implements Disposable {
  readonly state: PickerState;
  /** The last id that was copied. */
  copied?: string;
  readonly #options: PickerOptions;
  #memory?: PickMemory;
  readonly #entries = new Map<string, PickEntry>();
  #timer?: ReturnType<typeof setTimeout>;
  #slow?: ReturnType<typeof setTimeout>;
  /** Counts searches: the answer to an earlier one is not shown. */
  #asked = 0;
  #asksMore = false;
  /** Whether the list is that of an earlier query, and what is to be done with the first row of the next. */
  #isBehind: boolean;
  #next?: ActionName;

  constructor(options: PickerOptions) {
    this.#options = options;
    this.state = {
      query: options.query,
      list: { rows: [], total: 0 },
      selected: 0,
      top: 0,
      showsEntry: true,
      pins: new Set(),
      titles: new Map(),
      all: false,
      mode: "list",
      isSearching: options.query !== "",
    };
    this.#isBehind = options.query !== "";
    if (options.query === "") this.#take(options.list);
  }

  /** From now on there is a memory to ask. */
  connect(memory: PickMemory): void {
    this.#memory = memory;
    if (this.state.query !== "") this.#search();
    this.#readAround();
    this.#readMarks();
  }

  /** What is in the line now. */
  setQuery(query: string): void {
    if (query === this.state.query) return;
    this.state.query = query;
    this.#isBehind = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), debounceMs);
  }

  /** Takes a key; says whether it is not for the line. */
  press(name: string, typed: string): boolean {
    const { state } = this;
    state.message = undefined;
    this.#next = undefined;
    if (state.mode === "forget") {
      state.mode = "list";
      if (typed === "y" || typed === "Y") this.#forget();
      return true;
    }
    if (state.mode === "help") {
      state.mode = "list";
      return true;
    }
    if (typed === "?" && state.query === "") {
      state.mode = "help";
      return true;
    }
    const action = actionOf.get(name);
    if (action === undefined) return false;
    this.#act(action);
    return true;
  }

  /** Keeps the selected row on the screen. */
  fit(): void {
    const { state } = this;
    const rows = Math.max(1, this.#options.listRows());
    state.top = Math.min(state.top, state.selected);
    state.top = Math.max(state.top, state.selected - rows + 1);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#slow);
  }

  #act(action: ActionName): void {
    const { state } = this;
    const row = state.list.rows[state.selected];
    const page = Math.max(1, this.#options.listRows() - 1);
    if (action === "leave") this.#options.onEnd();
    else if (action === "help") state.mode = "help";
    else if (action === "preview") state.showsEntry = !state.showsEntry;
    else if (action === "projects") this.#switchProjects();
    else if (action === "up") this.#move(-1);
    else if (action === "down") this.#move(1);
    else if (action === "page_up") this.#move(-page);
    else if (action === "page_down") this.#move(page);
    else if (action === "first") this.#move(-Infinity);
    else if (action === "last") this.#move(Infinity);
    else if (action === "scroll_up") this.#scroll(-scrollLines);
    else if (action === "scroll_down") this.#scroll(scrollLines);
    else if (this.#isBehind) this.#next = action;
    else if (row !== undefined) this.#actOn(row, action);
  }

  #actOn(row: PickRow, action: ActionName): void {
    const { state } = this;
    const { onEnd, copy } = this.#options;
    const { id, workspace } = row;
    const isLeft = row.type === leftType;
    if (action === "open") onEnd({ command: isLeft ? "resume" : "get", id, workspace });
    else if (isLeft && ["timeline", "pin", "forget"].includes(action)) {
      state.message = "This is a session, not an entry.";
    } else if (action === "timeline") onEnd({ command: "timeline", id, workspace });
    else if (action === "session" && row.session_id !== undefined) {
      onEnd({ command: "show", id: row.session_id, workspace });
    } else if (action === "session") state.message = "This entry has no session.";
    else if (action === "copy") {
      copy(row.id);
      this.copied = row.id;
      state.message = `Copied ${row.id}`;
    } else if (action === "pin") this.#pin(row);
    else if (action === "forget") this.#askToForget(row);
  }

  #move(by: number): void {
    const { state } = this;
    const last = state.list.rows.length - 1;
    const selected = Math.max(0, Math.min(last, state.selected + by));
    if (selected !== state.selected) {
      state.selected = selected;
      state.scroll = undefined;
      state.entry = this.#entryAt(selected);
      this.fit();
      this.#readAround();
    }
    if (by > 0) this.#askMore();
  }

  #scroll(by: number): void {
    this.state.scroll = Math.max(0, this.#options.entryFrom() + by);
  }

  #search(): void {
    const { state } = this;
    const { query } = state;
    const asked = ++this.#asked;
    clearTimeout(this.#slow);
    this.#slow = setTimeout(() => {
      state.isSearching = true;
      this.#options.onChange();
    }, longMs);
    this.#try(async (memory) => {
      const list = await memory.list(query, this.#page(0));
      if (asked === this.#asked) this.#show(list, query);
    });
  }

  /** Here or everywhere; what was typed stays. */
  #switchProjects(): void {
    const { state } = this;
    state.all = !state.all;
    this.#isBehind = true;
    clearTimeout(this.#timer);
    this.#search();
    if (state.all) this.#readMarks();
  }

  #page(offset: number): ListOptions {
    return { offset, all: this.state.all, left: this.#options.left };
  }

  /** What is pinned, and what sessions are called, of all that is open. */
  #readMarks(): void {
    this.#try(async (memory) => {
      this.state.pins = new Set(await memory.readPins());
      this.#options.onChange();
      this.state.titles = new Map(withoutMarks(await memory.readTitles()));
      this.#options.onChange();
    });
  }

  #show(found: PickList, query: string): void {
    clearTimeout(this.#slow);
    this.#take(found);
    this.#options.onChange();
    this.#readAround();
    // More may have been typed meanwhile.
    this.#isBehind = query !== this.state.query;
    if (this.#isBehind) return;
    const next = this.#next;
    this.#next = undefined;
    if (next !== undefined) this.#act(next);
  }

  #take(found: PickList): void {
    const { state } = this;
    const list = withoutMarks(found);
    state.list = list;
    state.selected = 0;
    state.top = 0;
    state.scroll = undefined;
    state.isSearching = false;
    this.#asksMore = false;
    this.#entries.clear();
    // Of a session there is more to read.
    if (list.first && list.first.type !== leftType) this.#entries.set(list.first.id, list.first);
    state.entry = list.first;
  }

  /** Adds rows below when the last are near. */
  #askMore(): void {
    const { list, selected, query } = this.state;
    const isNear = selected >= list.rows.length - rowsAhead;
    if (!isNear || this.#isBehind || this.#asksMore) return;
    const offset = list.rows.length - (list.rows[0]?.type === leftType ? 1 : 0);
    if (offset >= list.total) return;
    const asked = this.#asked;
    this.#asksMore = true;
    this.#try(async (memory) => {
      const { rows, words = [] } = withoutMarks(
        await memory.list(query, this.#page(offset)),
      );
      if (asked !== this.#asked) return;
      list.rows.push(...rows);
      list.words = [...new Set([...list.words ?? [], ...words])];
      // Rows that say the same as others are counted and not shown.
      this.#asksMore = rows.length === 0;
      this.#options.onChange();
    });
  }

  /** Reads the selected entry, and those next to it, so that moving shows them at once. */
  #readAround(): void {
    const { state } = this;
    for (const at of [state.selected, state.selected + 1, state.selected - 1]) {
      const row = state.list.rows[at];
      if (row === undefined || this.#entries.has(row.id)) continue;
      this.#try(async (memory) => {
        const entry = await memory.read(toTarget(row), state.list.searched ?? state.query);
        if (entry === undefined) return;
        if (this.#entries.size > keptEntries) this.#entries.clear();
        this.#entries.set(entry.id, withoutMarks(entry));
        state.entry = this.#entryAt(state.selected);
        this.#options.onChange();
      });
    }
  }

  #entryAt(at: number): PickEntry | undefined {
    return this.#entries.get(this.state.list.rows[at]?.id ?? "");
  }

  #pin(row: PickRow): void {
    const { state } = this;
    const { id } = row;
    const pinned = !state.pins.has(id);
    this.#try(async (memory) => {
      await memory.setPin(toTarget(row), pinned);
      state.pins = new Set(await memory.readPins());
      state.message = pinned ? `Pinned ${id}: every session starts with it` : `Unpinned ${id}`;
      this.#options.onChange();
    });
  }

  #askToForget(row: PickRow): void {
    const { state } = this;
    const { id } = row;
    this.#try(async (memory) => {
      state.goes = await memory.countForgotten(toTarget(row));
      // Somebody may have moved on meanwhile.
      if (state.list.rows[state.selected]?.id !== id) return;
      state.mode = "forget";
      this.#options.onChange();
    });
  }

  #forget(): void {
    const { state } = this;
    const { selected, list } = state;
    const { id, workspace } = list.rows[selected];
    this.#try(async (memory) => {
      await memory.forget({ id, workspace });
      const { query } = state;
      const after = await memory.list(query, this.#page(0));
      this.#show(after, query);
      state.selected = Math.min(selected, Math.max(0, after.rows.length - 1));
      state.entry = this.#entryAt(state.selected);
      const there = workspace === undefined ? "" : ` --workspace ${workspace}`;
      state.message = `Forgot ${id}; undo with: ctx undo${there}`;
      this.fit();
      this.#readAround();
      this.#options.onChange();
    });
  }

  /** What goes wrong is told in the last line. */
  #try(work: (memory: PickMemory) => Promise<void>): void {
    const memory = this.#memory;
    if (memory === undefined) return;
    work(memory).catch((thrown) => {
      const { message, hint } = toCtxError(thrown);
      clearTimeout(this.#slow);
      this.state.isSearching = false;
      this.#isBehind = false;
      this.state.message = withoutMarks(hint ? `${message} (${hint})` : message);
      this.#options.onChange();
    });
  }
}

/** What of a row tells which it is: more need not go to another thread. */
function toTarget({ id, workspace }: PickRow): PickTarget {
  return { id, workspace };
}
