// Forgetting that can be taken back while the bytes are there. What a forget leaves besides its
// tombstones is its trail: which rows hide the entries, which pins and titles went with them. Taking
// it back removes those rows, so that every reader, of any version, sees the entries again.

import { type Entry, ownPools, type Pool, tombstoneType } from "../../core/entry.ts";
import { redactText } from "../../core/redact/redact.ts";
import { firstLine } from "../../core/text.ts";
import { keptNames } from "../catalog_file.ts";
import { readLines } from "../../disk/lines.ts";
import { replaceText } from "../../disk/text_files.ts";
import { gatherFacts, toFewNeedles } from "../find.ts";
import { readCovered } from "../index_lag.ts";
import type { ActDraft, GivenTitle } from "../logs/act_log.ts";
import {
  findPinPlaces,
  isPinOf,
  type PinPlace,
  putPins,
  readPinsText,
  toPlace,
} from "../logs/pins.ts";
import { parseSessionEvent, type SessionEvent } from "../logs/session_log.ts";
import { rewriteFile, rewritePool } from "../rewrite.ts";
import { findPushed } from "../team/pushed_log.ts";
import { openSnapshot, tombstoneNeedle } from "../snapshot.ts";
import type { Writer } from "../writer.ts";
import { askToErase, forget } from "./forget_entries.ts";
import { makeConcern } from "./lost.ts";
import { removeIndex } from "./remove_derived.ts";

/** What must be known to take a forget back. */
export type ForgetTrail =
  & Required<Pick<ActDraft, "count" | "tombstones" | "pins">>
  & Pick<ActDraft, "untitled">;

/** Hides entries, and says how that is taken back. */
export function forgetForNow(writer: Writer, ids: string[]): ForgetTrail {
  const { files, layout } = writer;
  const pins = findPinPlaces(readPinsText(writer), isPinOf(ids));
  const from = files.findSize(layout.history.hot) ?? 0;
  const events = files.findSize(layout.sessions) ?? 0;
  forget(writer, ids);
  using snapshot = openSnapshot(files, layout);
  const tombstones = [...snapshot.rows({ pools: ["hot"], from: { hot: from } })]
    .filter(({ entry }) => entry.type === tombstoneType).map(({ entry }) => entry.id);
  const untitled = [...readLines(files, layout.sessions, { from: events })]
    .flatMap(({ bytes }) => parseSessionEvent(bytes) ?? [])
    .filter(({ event }) => event === "untitled");
  return {
    count: ids.length,
    tombstones,
    pins: pins.map(toPlace),
    ...(untitled.length === 0 ? {} : {
      untitled: { ts: untitled[0].ts, sessions: untitled.map(({ session_id: id }) => id) },
    }),
  };
}

/** The entries that some tombstones still hide and that are still there, in log order. */
export function findHidden(
  writer: Pick<Writer, "files" | "layout">,
  tombstones: readonly string[],
): string[] {
  using snapshot = openSnapshot(writer.files, writer.layout);
  const named = new Set(tombstones);
  const refs = new Set<string>();
  for (const { entry } of snapshot.rows({ needles: [tombstoneNeedle] })) {
    if (named.has(entry.id)) { for (const id of entry.refs ?? []) refs.add(id); }
  }
  if (refs.size === 0) return [];
  const found = new Set<string>();
  for (const { entry } of snapshot.rows({ needles: toFewNeedles(refs) })) {
    if (entry.type !== tombstoneType && refs.has(entry.id)) found.add(entry.id);
  }
  return [...found];
}

/** Takes a forget back; returns the entries that can be seen again. */
export function unforget(writer: Writer, trail: ForgetTrail): string[] {
  const ids = findHidden(writer, trail.tombstones);
  const named = new Set(trail.tombstones);
  // Others have these rows too: what they hide is seen again where they are gone.
  const pushed = findPushed(writer, named);
  if (pushed.size > 0) askToErase(writer, [...pushed]);
  dropStale(writer, named);
  for (const pool of ownPools) {
    const isTombstone = (entry: Entry): boolean =>
      entry.type === tombstoneType && named.has(entry.id);
    rewritePool(writer, pool, ({ entries }) => {
      const kept = entries.filter((entry) => !isTombstone(entry));
      if (kept.length === entries.length) return "keep";
      return kept.length === 0 ? "drop" : { rows: kept };
    }, makeConcern(named));
  }
  writer.recount();
  retitle(writer, trail.untitled);
  pinAgain(writer, trail.pins);
  return ids;
}

/** Puts pins back into their places; those of entries are written as `pin` writes them. */
export function pinAgain(writer: Writer, places: readonly PinPlace[]): void {
  const ids = places.flatMap(({ id }) => id ?? []);
  using snapshot = openSnapshot(writer.files, writer.layout);
  const facts = gatherFacts(snapshot, ids);
  const before = readPinsText(writer);
  const there = findPinPlaces(before, () => true);
  const lines = places.flatMap(({ at, id, text, waiting }) => {
    if (there.some((pin) => id === undefined ? pin.text === text : pin.id === id)) return [];
    const entry = id === undefined ? undefined : facts.get(id)?.row?.entry;
    const line = text ?? (entry && toPinText(entry));
    return line === undefined ? [] : [{ at, id, text: line, ...(waiting && { waiting }) }];
  });
  const after = putPins(before, lines);
  if (after !== before) replaceText(writer.files, writer.layout.pins, after);
}

/** The line of an entry in `pins.md`. */
export function toPinText(entry: Entry): string {
  return redactText(entry.title ?? firstLine(redactText(entry.text).value, 160)).value;
}

/** An index that knows of the tombstones would go on hiding; one that ends before them stays. */
function dropStale(writer: Writer, named: ReadonlySet<string>): void {
  const { files, layout } = writer;
  const covered: Record<Pool, number> = readCovered(writer);
  using snapshot = openSnapshot(files, layout);
  for (const { entry, pool, offset } of snapshot.rows({ needles: [tombstoneNeedle] })) {
    if (named.has(entry.id) && offset < covered[pool]) return removeIndex(writer);
  }
  for (const name of keptNames) {
    if (files.findSize(`${layout.index}/${name}`) !== undefined) {
      files.remove(`${layout.index}/${name}`);
    }
  }
}

function retitle(writer: Writer, untitled: ForgetTrail["untitled"]): void {
  if (untitled !== undefined) dropEvents(writer, { ...untitled, event: "untitled" });
}

/** Takes back the title that a session was given; the one before counts again. False: it is gone. */
export function untitleAgain(writer: Writer, { session, ts }: GivenTitle): boolean {
  return dropEvents(writer, { sessions: [session], ts, event: "titled" }) > 0;
}

/** Removes events of a kind and a time; returns how many there were. */
function dropEvents(
  writer: Writer,
  { sessions, ts, event: kind }: { sessions: string[]; ts: string; event: SessionEvent["event"] },
): number {
  const named = new Set(sessions);
  return rewriteFile(writer, writer.layout.sessions, ({ bytes }) => {
    const event = parseSessionEvent(bytes);
    return event?.event === kind && event.ts === ts && named.has(event.session_id)
      ? "drop"
      : "keep";
  });
}
