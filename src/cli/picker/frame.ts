// The picker's screen as lines, from its state alone: the list, the entry beside or below it, the keys.
// Stored text comes in as it is: what shows the lines makes it harmless (toTerminal).

import { correctedBy } from "../../core/rows/corrected_by.ts";
import { ageOf } from "../../core/time/age_of.ts";
import { stripMarks, type View } from "../../command/view.ts";
import { findMatch, highlighter } from "./highlight.ts";
import { actions } from "./key_table.ts";
import type { PickEntry, PickList, PickRow } from "./memory.ts";
import { toBars } from "../../view/confidence_bars.ts";

export interface PickerState {
  query: string;
  list: PickList;
  selected: number;
  /** The first row of the list that is shown. */
  top: number;
  /** The selected entry whole, once it was read. */
  entry?: PickEntry;
  /** How many lines of the entry were scrolled past; by itself it starts near its first match. */
  scroll?: number;
  showsEntry: boolean;
  pins: ReadonlySet<string>;
  /** What sessions are called, by their ids. */
  titles: ReadonlyMap<string, string>;
  /** Whether every project is looked at. */
  all: boolean;
  mode: "list" | "help" | "forget";
  /** What is told in the last line until the next key. */
  message?: string;
  /** How many entries go with the one that is to be forgotten. */
  goes?: number;
  isSearching: boolean;
}

export interface FrameOptions {
  view: View;
  /** What ages count from, in milliseconds. */
  now: number;
  columns: number;
  rows: number;
}

/** How the screen is divided. */
export interface Layout {
  listRows: number;
  listWidth: number;
  listHeight: number;
  /** Where the entry is shown, if there is room. */
  entry?: { beside: boolean; width: number; height: number };
}

const rowLines = 2;
/** From here on the entry stands beside the list. */
const wideColumns = 100;
/** With fewer lines only the list is shown. */
const tallRows = 16;
const leastColumns = 40;
/** The line that is typed into, the line below it and the keys. */
const fixedLines = 3;

/** Divides the screen. */
export function layoutOf(
  { columns, rows }: Pick<FrameOptions, "columns" | "rows">,
  shows: boolean,
): Layout {
  const height = Math.max(rowLines, rows - fixedLines);
  if (shows && columns >= wideColumns) {
    const listWidth = Math.floor((columns - gutter.length) * 0.48);
    const width = columns - listWidth - gutter.length;
    const listRows = Math.floor(height / rowLines);
    return { listRows, listWidth, listHeight: height, entry: { beside: true, width, height } };
  }
  if (shows && rows >= tallRows && columns >= leastColumns) {
    const listRows = Math.floor(height / 2 / rowLines);
    const listHeight = listRows * rowLines;
    const entry = { beside: false, width: columns, height: height - listHeight - 1 };
    return { listRows, listWidth: columns, listHeight, entry };
  }
  const listRows = Math.max(1, Math.floor(height / rowLines));
  return { listRows, listWidth: columns, listHeight: height };
}

const gutter = " │ ";

export interface Frame {
  /** All lines but the first, which is typed into. */
  lines: string[];
  /** The first line of the entry that is shown. */
  entryFrom: number;
}

export function drawFrame(state: PickerState, options: FrameOptions): Frame {
  const { view, columns, rows } = options;
  const height = rows - fixedLines;
  const body = state.mode === "help"
    ? { lines: drawHelp({ view, columns }), entryFrom: 0 }
    : drawBody(state, options);
  const lines = Array.from({ length: Math.max(0, height) }, (_, i) => body.lines[i] ?? "");
  return {
    lines: [drawRule(state, options), ...lines, drawFoot(state, { view, columns })],
    entryFrom: body.entryFrom,
  };
}

function drawBody(state: PickerState, options: FrameOptions): Frame {
  const { view, now } = options;
  if (state.list.rows.length === 0) {
    const lines = state.isSearching ? [] : drawNothing(state.query, view);
    return { lines, entryFrom: 0 };
  }
  const layout = layoutOf(options, state.showsEntry);
  const list = drawList(state, { view, now, layout });
  if (!layout.entry) return { lines: list, entryFrom: 0 };
  const { beside, width, height } = layout.entry;
  const entry = drawEntry(state, { view, width, height });
  if (!beside) {
    while (list.length < layout.listHeight) list.push("");
    return { ...entry, lines: [...list, view.dim("─".repeat(width)), ...entry.lines] };
  }
  const lines = Array.from({ length: layout.listHeight }, (_, i) => {
    const left = list[i] ?? "";
    const padded = padEnd(left, { view, width: layout.listWidth });
    return padded + view.dim(gutter) + (entry.lines[i] ?? "");
  });
  return { ...entry, lines };
}

/** How many there are, and what was searched for where that is not what was typed. */
function drawRule({ query, list, all, isSearching }: PickerState, options: FrameOptions): string {
  const { view, columns } = options;
  const entries = list.total === 1 ? "entry" : "entries";
  const found = query.trim() === "" ? ", newest first" : " found";
  const searched = list.searched ? ` for “${list.searched.trim()}”` : "";
  const said = isSearching
    ? "searching"
    : `${view.count(list.total)} ${entries}${found}${searched}${all ? " in all projects" : ""}`;
  const line = view.dim(`── ${view.cut(said, Math.max(0, columns - 5))} `);
  const room = columns - view.widthOf(line);
  const warning = list.warning && room > leastColumns
    ? view.warning(`${view.cut(list.warning, room - 4)} `)
    : "";
  const rest = Math.max(0, room - view.widthOf(warning));
  return line + warning + view.dim("─".repeat(rest));
}

function drawList(
  { list, selected, top, pins, titles }: PickerState,
  { view, now, layout }: { view: View; now: number; layout: Layout },
): string[] {
  const mark = highlighter(list.words, view);
  const shown = list.rows.slice(top, top + layout.listRows);
  const facts = shown.map((row) => factsOf(row, { view, now, isPinned: pins.has(row.id) }));
  const widths = [0, 1, 2].map((i) => Math.max(...facts.map((cells) => view.widthOf(cells[i]))));
  return shown.flatMap((row, i) => {
    const isSelected = top + i === selected;
    const pointer = isSelected ? view.match("▌") : " ";
    const width = layout.listWidth - 2;
    const cells = facts[i].map((cell, at) => padStart(cell, { view, width: widths[at] }))
      .filter((cell) => cell !== "").join("  ");
    const where = view.cut(whereOf(row, titles), Math.floor(width / 3));
    const below = where === "" ? width : width - view.widthOf(where) - 2;
    const [head, rest] = drawText(row, {
      view,
      words: list.words,
      widths: [width - view.widthOf(cells) - 2, below],
    });
    const text = where === "" ? mark(rest) : padEnd(mark(rest), { view, width: below + 2 });
    const title = padEnd(mark(head), { view, width: width - view.widthOf(cells) - 2 });
    return [
      `${pointer} ${row.title || isSelected ? view.title(title) : title}  ${view.dim(cells)}`,
      `${pointer} ${row.title ? view.dim(text) : text}${view.dim(where)}`,
    ];
  });
}

/** The project's name, where there are several, and what the session is called. */
function whereOf(
  { workspace, session_id = "" }: PickRow,
  titles: PickerState["titles"],
): string {
  return [workspace?.replace(/.*\/(?=.)/, ""), titles.get(session_id)].filter(Boolean).join(" · ");
}

/** Who or what it is, how old, and how well it fits. */
function factsOf(
  { role, type, ts, confidence }: PickRow,
  { view, now, isPinned }: { view: View; now: number; isPinned: boolean },
): [string, string, string] {
  // Tool calls and the like are told by their type, what people and agents said by who said it.
  const kind = type === "turn" || type === "note" ? role : type;
  return [
    `${isPinned ? view.warning("★ ") : ""}${kind}`,
    ageOf(ts, now),
    confidence === undefined ? "" : toBars(confidence, view),
  ];
}

/** The two lines of a row: its title and what was found, or that alone in both. */
function drawText(
  row: PickRow,
  { view, words, widths: [first, second] }: {
    view: View;
    words?: readonly string[];
    widths: [number, number];
  },
): [string, string] {
  const title = row.title ?? row.place;
  if (title) {
    const text = cutAroundMatch(row.snippet, { words, width: second, view });
    return [view.cut(title, first), view.cut(text, second)];
  }
  const text = cutAroundMatch(row.snippet, { words, width: first + second, view });
  const [head, ...rest] = view.wrap(text, { width: Math.max(8, first) }).split("\n");
  return [head, view.cut(rest.join(" "), second)];
}

function padStart(text: string, { view, width }: { view: View; width: number }): string {
  return " ".repeat(Math.max(0, width - view.widthOf(text))) + text;
}

function padEnd(text: string, { view, width }: { view: View; width: number }): string {
  return text + " ".repeat(Math.max(0, width - view.widthOf(text)));
}

function drawNothing(query: string, view: View): string[] {
  const isEmpty = query.trim() === "";
  const said = isEmpty ? "Nothing here yet." : "Nothing found.";
  const hint = "Try fewer or other words.";
  const help = isEmpty
    ? view.table([
      [view.bold("ctx start"), "imports your agents' history and connects them"],
      [view.bold("ctx save TEXT"), "saves a decision or note"],
    ], { indent: "  " })
    : view.wrap(hint, { indent: "  " });
  return ["", `  ${view.title(said)}`, "", ...help.split("\n")];
}

function drawEntry(
  { list, selected, entry, scroll, pins, titles }: PickerState,
  { view, width, height }: { view: View; width: number; height: number },
): Frame {
  const row = list.rows[selected];
  if (row === undefined || entry?.id !== row.id) return { lines: [], entryFrom: 0 };
  const mark = highlighter(entry.words, view);
  const by = entry.author && `by ${entry.author}`;
  const corrected = correctedBy(entry);
  const facts = [
    [view.moment(entry.ts), entry.role, entry.type, entry.source?.agent, by],
    [view.name(entry.id), entry.session_id, pins.has(entry.id) ? "pinned" : undefined],
    [row.workspace && view.path(row.workspace), titles.get(entry.session_id ?? "")],
    [corrected && view.warning(corrected)],
    [...entry.files ?? [], ...(entry.tags ?? []).map((tag) => `#${tag}`)],
  ].map((line) => line.filter(Boolean).join(" · ")).filter((line) => line !== "");
  const head = [
    ...(entry.title ? [view.cut(view.title(mark(entry.title)), width)] : []),
    ...facts.map((line) => view.dim(view.cut(line, width))),
    "",
  ];
  const room = Math.max(1, height - head.length);
  const lines = wrapText(entry.text, { view, width, mark, until: (scroll ?? maxLines) + room });
  const matched = lines.findIndex((line) => stripMarks(line) !== line);
  const wanted = scroll ?? (matched < room ? 0 : matched - Math.floor(room / 3));
  const entryFrom = Math.max(0, Math.min(wanted, lines.length - room));
  return { lines: [...head, ...lines.slice(entryFrom, entryFrom + room)], entryFrom };
}

/** As much of a long entry is made into lines as somebody may look at. */
const maxLines = 2000;
const maxChars = 200_000;

/** The text in lines, with what matches marked. */
function wrapText(
  text: string,
  { view, width, mark, until }: {
    view: View;
    width: number;
    mark: (text: string) => string;
    until: number;
  },
): string[] {
  const lines: string[] = [];
  for (const line of text.slice(0, maxChars).split("\n")) {
    const plain = line.replace(/\r$/, "").replaceAll("\t", "    ");
    lines.push(...view.wrap(mark(plain), { width }).split("\n"));
    if (lines.length > until) break;
  }
  return lines;
}

function drawHelp({ view, columns }: { view: View; columns: number }): string[] {
  const width = Math.max(...actions.map(([keys]) => keys.length));
  const indent = " ".repeat(width + 4);
  const words =
    'Words match in any form; role:, type:, tag:, file:, source:, since: and "a phrase" work as in ctx search. Press any key to go back.';
  return [
    "",
    ...actions.map(([keys, about]) =>
      view.wrap(about, { width: columns, first: `  ${view.bold(keys.padEnd(width))}  `, indent })
    ),
    "",
    view.wrap(view.dim(words), { width: columns, indent: "  " }),
  ].flatMap((lines) => lines.split("\n"));
}

/** The last line: a question, what happened, or the keys. */
function drawFoot(
  { mode, message, goes = 1, list, selected }: PickerState,
  { view, columns }: { view: View; columns: number },
): string {
  if (mode === "forget") {
    const row = list.rows[selected];
    const others = goes > 1 ? ` and ${goes - 1} derived from it` : "";
    const what = row?.title ?? row?.snippet ?? "";
    const question =
      ` Forget this entry${others}? Press y to forget it, any other key to keep it: `;
    const room = Math.max(0, columns - view.widthOf(question) - 1);
    return view.warning(view.cut(question, columns) + " ") + view.cut(what, room);
  }
  if (message !== undefined) return view.cut(` ${message}`, columns);
  const keys = actions.flatMap(([, , , hint]) => hint ? [hint] : []);
  const [help, ...rest] = keys.map(([key, word]) => `${view.bold(key)} ${view.dim(word)}`)
    .reverse();
  const shown: string[] = [];
  let used = view.widthOf(help) + 1;
  for (const key of rest.reverse()) {
    used += view.widthOf(key) + 3;
    if (used > columns) break;
    shown.push(key);
  }
  return " " + [...shown, help].join("   ");
}

/** A text that is too long for its line, from shortly before what matches. */
function cutAroundMatch(
  text: string,
  { words = [], width, view }: { words?: readonly string[]; width: number; view: View },
): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (words.length === 0 || view.widthOf(line) <= width) return line;
  const at = findMatch(line, words);
  if (at < width / 2) return line;
  const from = line.lastIndexOf(" ", at - Math.floor(width / 3)) + 1;
  return `…${line.slice(from)}`;
}
