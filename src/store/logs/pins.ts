// `pins.md`: what must always be in the pack. A Markdown list that people may edit: a line with an
// id pins that entry, a line without one is a pin of its own; every other line is kept as it is.
// An id that ctx did not make stands behind `id:`, so that `[x]` and `[a link](…)` are no ids; what
// would end it there is written as in a URL. A line that starts with `?` is what an agent asked to
// pin: it counts once the user accepts it.

import { hasConflict, joinSides } from "../../core/lines/conflict_marks.ts";
import { decodeLossy, decodePercent } from "../../core/utf8.ts";
import { conflictWarning } from "../../disk/conflicts.ts";
import { type Files, isListed } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import type { pinPlace } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";
import type { pin } from "../../formats/store_file.ts";

/** One pin: an entry, or a line somebody wrote by hand. */
export type Pin = RowOf<typeof pin>;

const header = "# Pins\n\nWhat an agent must always know. One line each; edit freely.\n\n";
const pinLine =
  /^\s*[-*]\s+(?:\[?(H-[A-Za-z0-9_.:@-]+)\]?:?\s*|\[id:\s*([^\]\n]+)\]:?\s*)?([^\n]*)$/;
const waitingLine = /^\s*\?\s+\[(?:(H-[A-Za-z0-9_.:@-]+)|id:\s*([^\]\n]+))\]:?\s*([^\n]*)$/;

/** The text of `pins.md`; empty when there is none. */
export function readPinsText(
  store: { files: Files; layout: Pick<Layout, "pins">; warn?(message: string): void },
): string {
  const { files, layout } = store;
  const bytes = isListed(files, layout.pins) ? files.findBytes(layout.pins) : undefined;
  const text = bytes === undefined ? "" : decodeLossy(bytes);
  if (hasConflict(text)) store.warn?.(conflictWarning("pins.md"));
  return text;
}

/** The pins in a file's text, in order; one that a merge brought twice, once. */
export function parsePins(text: string): Pin[] {
  return parseLines(text).filter(({ waiting }) => !waiting);
}

/** What agents asked to pin and the user has not accepted yet. */
export function parseWaiting(text: string): Pin[] {
  const pinned = new Set(parsePins(text).map(({ id }) => id));
  return parseLines(text).filter(({ id, waiting }) => waiting && !pinned.has(id));
}

function parseLines(text: string): Pin[] {
  const pins = new Map<string, Pin>();
  for (const line of joinSides(text).split("\n")) {
    const pin = findPin(line);
    if (pin === undefined || (pin.id === undefined && pin.text === "")) continue;
    const key = JSON.stringify([
      pin.waiting ?? false,
      pin.id ?? null,
      pin.id === undefined ? pin.text : "",
    ]);
    if (!pins.has(key)) pins.set(key, pin);
  }
  return [...pins.values()];
}

/** The text after a merge: both sides without marks, each line that is a pin once. */
export function mendPins(text: string): string {
  const seen = new Set<string>();
  return joinSides(text).split("\n").filter((line) => {
    const pin = findPin(line);
    if (pin === undefined) return true;
    const isNew = !seen.has(line);
    seen.add(line);
    return isNew;
  }).join("\n");
}

export function addPin(text: string, pin: Pin): string {
  const base = text.trim() === "" ? header : text.endsWith("\n") ? text : text + "\n";
  return `${base}${toPinLine(pin)}\n`;
}

function toPinLine(pin: Pin): string {
  const mark = pin.id === undefined ? "" : `[${toMark(pin.id)}] `;
  return `${pin.waiting ? "?" : "-"} ${mark}${pin.text}`;
}

/** Where a pin is: its line, and what it says where no entry does. */
export type PinPlace = RowOf<typeof pinPlace>;

export function isPinOf(ids: Iterable<string>): (pin: Pin) => boolean {
  const known = new Set(ids);
  return ({ id }) => id !== undefined && known.has(id);
}

export function findPinPlaces(text: string, isMeant: (pin: Pin) => boolean): PinPlace[] {
  return text.split("\n").flatMap((line, at) => {
    const pin = findPin(line);
    return pin !== undefined && (pin.id ?? pin.text) !== "" && isMeant(pin) ? [{ at, ...pin }] : [];
  });
}

/** A place to keep: an entry says itself what its pin said. */
export function toPlace({ at, id, text, waiting }: PinPlace): PinPlace {
  return { at, ...(id === undefined ? { text } : { id }), ...(waiting && { waiting }) };
}

/** The text with pins put back where they were, as far as it still is as long. */
export function putPins(text: string, places: readonly (Pin & { at: number })[]): string {
  return places.reduce((before, { at, ...pin }) => {
    const lines = before.split("\n");
    if (before.trim() === "" || at >= lines.length) return addPin(before, pin);
    return lines.toSpliced(at, 0, toPinLine(pin)).join("\n");
  }, text);
}

/** The text without what waits of an entry: it was accepted. */
export function withoutWaiting(text: string, id: string): string {
  return withoutPins(text, (pin) => pin.waiting === true && pin.id === id);
}

export function removePins(text: string, ids: ReadonlySet<string>): string {
  return withoutPins(text, isPinOf(ids));
}

/** The text without the pin of an id, or with exactly that line by hand. */
export function removePin(text: string, target: string): string {
  return withoutPins(text, (pin) => pin.id === target || pin.text === target);
}

function withoutPins(text: string, isMeant: (pin: Pin) => boolean): string {
  return text.split("\n").filter((line) => {
    const pin = findPin(line);
    return pin === undefined || !isMeant(pin);
  }).join("\n");
}

function findPin(line: string): Pin | undefined {
  const waiting = waitingLine.exec(line);
  const match = waiting ?? pinLine.exec(line);
  if (match === null) return undefined;
  const [, own, foreign, text] = match;
  const id = own ?? (foreign === undefined ? undefined : unescape(foreign.trim()));
  return {
    ...(id === undefined ? {} : { id }),
    text: text.trim(),
    ...(waiting === null ? {} : { waiting: true }),
  };
}

function toMark(id: string): string {
  return /^H-[A-Za-z0-9_.:@-]+$/.test(id) ? id : `id:${escape(id)}`;
}

function escape(id: string): string {
  return id.replace(/[%\]\p{Cc}]|^\s|\s$/gu, encodeURIComponent);
}

function unescape(mark: string): string {
  return mark.replace(/(?:%[0-9A-F]{2})+/g, decodePercent);
}
