// The view of a terminal: what is shown fits its columns (by display width: CJK and emoji take two),
// times are local and relative, counts and sizes are for people. Pure but for the zone of this
// machine; pipes and --json never load it.

import { cellsOf, displayWidth } from "./display_width.ts";
import { toTildePath } from "../core/home_directories.ts";
import { ageOf } from "../core/time/age_of.ts";
import { toSize } from "../core/to_size.ts";
import { endMark, stylesOf } from "./styles.ts";
import {
  stripMarks,
  type TableOptions,
  type View,
  withCommas,
  type WrapOptions,
} from "../command/view.ts";

export interface TerminalViewOptions {
  color: boolean;
  width: number;
  /** Milliseconds since the epoch: times are told relative to it. */
  now: number;
  streamed?: boolean;
  /** The user's home, which paths are shown from. */
  home?: string;
  /** How much of an id suffices, where that is known. */
  suffices?: (id: string) => number | undefined;
}

export function makeTerminalView(options: TerminalViewOptions): View {
  const { now } = options;
  const width = Math.max(options.width, leastWidth);
  const styles = stylesOf(options.color);
  return {
    ...styles,
    terminal: true,
    width,
    streamed: options.streamed ?? false,
    id(id) {
      const enough = options.suffices?.(id);
      if (enough === undefined) return styles.name(id);
      const shown = id.slice(0, Math.max(enough, shortId));
      return styles.prefix(shown.slice(0, enough)) + styles.dim(shown.slice(enough));
    },
    time: (ts) => styles.when(toTime(ts, now)),
    age: (ts) => ageOf(ts, now),
    moment: toMoment,
    path: (path) => toTildePath(path, options.home),
    size: toSize,
    count: withCommas,
    widthOf,
    cut: (text, columns = width) => cut(text, columns),
    wrap: (text, wrapping) => wrap(text, { width, ...wrapping }),
    table: (rows, table) => toColumns(rows, { width, ...table }),
  };
}

/** Narrower than this nothing fits anyway. */
const leastWidth = 20;
const shortId = 10;

/** Columns that a text takes, without its marks. */
export function widthOf(text: string): number {
  return displayWidth(stripMarks(text));
}

/** A text in one line of at most some columns. Styles that are open where it is cut are closed. */
export function cut(text: string, columns: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (widthOf(line) <= columns) return line;
  return take(line, Math.max(0, columns - 1)).trimEnd() + (columns > 0 ? "…" : "");
}

/** The start of a text that fits, with its styles closed. */
function take(text: string, columns: number): string {
  return partsOf(text, () => columns).next().value;
}

/** A word in parts that fit, the last returned, in one walk; styles go on from each to the next. */
function* partsOf(word: string, room: () => number): Generator<string, string> {
  const open: string[] = [];
  let part = "";
  let used = 0;
  for (const piece of piecesOf(word)) {
    const width = isMark(piece) ? 0 : displayWidth(piece);
    if (used + width > room()) {
      yield part + endMark.repeat(open.length);
      part = open.join("");
      used = 0;
    }
    noteMark(piece, open);
    part += piece;
    used += width;
  }
  return part;
}

/** Keeps which styles are open. */
function noteMark(piece: string, open: string[]): void {
  if (piece === endMark) open.pop();
  else if (isMark(piece)) open.push(piece);
}

/** Marks and what a terminal shows as one character. */
function* piecesOf(text: string): Generator<string> {
  if (/^[ -~\ufdd0-\ufdef]*$/.test(text)) {
    yield* text;
    return;
  }
  for (const part of text.split(/([\ufdd0-\ufdef])/)) {
    if (isMark(part)) yield part;
    else for (const cell of cellsOf(part)) yield cell.text;
  }
}

function isMark(piece: string): boolean {
  return piece.length === 1 && piece >= "\ufdd0" && piece <= "\ufdef";
}

/** Lines of at most some columns. Line ends in the text stay; what stands before a line's words too. */
export function wrap(
  text: string,
  { width, indent = "", first = indent, lines = Infinity }: WrapOptions & { width: number },
): string {
  const made: string[] = [];
  for (const line of text.split("\n")) {
    const own = /^[ ]*/.exec(line)?.[0] ?? "";
    // What is set in by most of the screen would stand one letter below the other.
    const inner = own.length > width / 2 ? "" : own;
    const room = (): number =>
      Math.max(leastRoom, width - widthOf(made.length === 0 ? first : indent) - inner.length);
    let now = "";
    const end = (): void => {
      made.push(((made.length === 0 ? first : indent) + inner + now).trimEnd());
      now = "";
    };
    for (const word of line.slice(own.length).split(" ")) {
      const wide = widthOf(word);
      if (now !== "" && widthOf(now) + 1 + wide > room()) end();
      else if (now !== "") now += " ";
      if (wide <= room()) now += word;
      else {
        const parts = partsOf(word, room);
        let part = parts.next();
        for (; !part.done; part = parts.next()) {
          now = part.value;
          end();
        }
        now = part.value;
      }
    }
    end();
    if (made.length > lines) break;
  }
  if (made.length <= lines) return made.join("\n");
  const last = made[lines - 1];
  const kept = widthOf(last) < width ? last : take(last, width - 1);
  return [...made.slice(0, lines - 1), `${kept.trimEnd()}…`].join("\n");
}

const leastRoom = 8;

function toColumns(
  rows: string[][],
  { width, gives, right = [], indent = "" }: TableOptions & { width: number },
): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const giving = gives ?? columns - 1;
  const widths = Array.from(
    { length: columns },
    (_, i) => Math.max(0, ...rows.map((row) => widthOf(row[i] ?? ""))),
  );
  // A column that is empty in all rows is not there.
  const gaps = gap.length * (widths.filter((own) => own > 0).length - 1);
  const others = widths.reduce((sum, own, i) => i === giving ? sum : sum + own, 0);
  const room = width - indent.length - gaps - others;
  widths[giving] = Math.min(widths[giving], Math.max(room, leastRoom));
  return rows.map((row) => {
    const cells = row.flatMap((text, i) => {
      if (widths[i] === 0) return [];
      const cell = i === giving ? cut(text, widths[i]) : text;
      const pad = " ".repeat(Math.max(0, widths[i] - widthOf(cell)));
      return [right.includes(i) ? pad + cell : cell + pad];
    });
    return (indent + cells.join(gap)).trimEnd();
  }).join("\n");
}

const gap = "  ";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const days = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** When something was, as short as it is clear: by the clock for a week, by the day before that. */
export function toTime(ts: string, nowMs: number): string {
  const at = new Date(ts);
  if (isNaN(at.getTime())) return ts;
  const past = nowMs - at.getTime();
  if (past > -minuteMs && past < 60 * minuteMs) return ageOf(ts, nowMs);
  const back = daysBetween(at, new Date(nowMs));
  if (back === 0) return `today ${clockOf(at)}`;
  if (back > 0 && back < 7) return `${days[at.getDay()]} ${clockOf(at)}`;
  const day = `${at.getDate()} ${months[at.getMonth()]}`;
  // A month of the year before is still the one that everybody thinks of.
  return back > 0 && back < 300 ? day : `${day} ${at.getFullYear()}`;
}

/** A moment in full: `Tue 12 Mar 2024, 14:03 UTC+1`. */
export function toMoment(ts: string): string {
  const at = new Date(ts);
  if (isNaN(at.getTime())) return ts;
  const day = `${days[at.getDay()]} ${at.getDate()} ${months[at.getMonth()]} ${at.getFullYear()}`;
  return `${day}, ${clockOf(at)} ${zoneOf(at)}`;
}

function clockOf(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `UTC`, `UTC+1`, `UTC-3:30`. */
function zoneOf(at: Date): string {
  const ahead = -at.getTimezoneOffset();
  if (ahead === 0) return "UTC";
  const minutes = Math.abs(ahead) % 60;
  const hours = Math.floor(Math.abs(ahead) / 60);
  return `UTC${ahead < 0 ? "-" : "+"}${hours}${minutes === 0 ? "" : `:${two(minutes)}`}`;
}

/** Local midnights between two times; days need not have 24 hours. */
function daysBetween(from: Date, to: Date): number {
  const day = (date: Date): number =>
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs;
  return day(to) - day(from);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
