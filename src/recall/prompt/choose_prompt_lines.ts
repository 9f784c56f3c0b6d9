// Chooses the lines that a prompt is given, once some may pass the gate: none that this conversation was
// given or said before, none twice, none that no longer holds.

import { readEntries } from "../../read/find_entries.ts";
import type { Block } from "../pack/block.ts";
import { toPackLine } from "../pack/make_pack.ts";
import { withoutOutdated } from "../../read/outdated.ts";
import { lineChars } from "../pack/pack_item.ts";
import { packLine } from "../pack/pack_line.ts";
import { isContained, isSameLine, wordsOfLine } from "../../read/same_line.ts";
import type { Entry } from "../../core/entry.ts";
import { fenceMemory, shortNotice } from "../../core/rows/fence.ts";
import { isCandidate, isRecord } from "../../core/rows/record.ts";
import {
  givenSinceLoss,
  type Injection,
  readSessionsOf,
  type Uptake,
} from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import { findChangedIds } from "../pack/find_stale_ids.ts";
import { gate, maxPromptLines, savedGate } from "./prompt_gate.ts";
import { findPromptLines, maySay, type PromptLine, type PromptQuestion } from "./prompt_lines.ts";
import { standingIn } from "../pack/standing.ts";
import type { Hope } from "./may_be_said.ts";
import type { AskedPrompt } from "./asked_prompt.ts";

/** The block; undefined where nothing fits. */
export async function choosePromptLines(
  store: Store,
  { prompt, conversation, nowMs, leave }: AskedPrompt,
  { log, hope }: { log: readonly (Injection | Uptake)[]; hope: Hope },
): Promise<Block | undefined> {
  const given = givenSinceLoss(log, conversation);
  const own = readSessionsOf(store, conversation);
  const isWanted: PromptQuestion["isWanted"] = ({ id, session_id, source }) => {
    const isOwn = source?.conversation === conversation || own.has(session_id ?? "");
    if (given.has(id)) leave?.(id, "already sent in this conversation");
    else if (isOwn) leave?.(id, "from this conversation");
    return !given.has(id) && !isOwn;
  };
  const asked = { prompt, isWanted, standing: standingIn(log), mayBeNamed: hope.isNamed };
  const found = await findPromptLines(store, { ...asked, leave, gated: true });
  const strong = found.lines.filter(maySay);
  if (leave !== undefined) {
    // What the hook does not even look at.
    const near = await findPromptLines(store, { ...asked, leave, gated: false });
    for (const line of [...found.lines, ...near.lines]) {
      if (!maySay(line)) leave(line.id, sayUnfit(line));
    }
  }
  if (!hope.isPossible || strong.length === 0) return undefined;
  const entries = await readEntries(store, [
    ...strong.map(({ id }) => id),
    ...found.corrected,
    ...given,
  ]);
  const quarantine = await store.findQuarantine();
  const shown = strong.filter(({ id }) => !quarantine?.holds(entries.get(id) ?? {}));
  leaveOthers(strong, shown, { leave, why: "from a session in quarantine" });
  const fresh = withoutTold(shown, {
    entries,
    given,
    corrected: new Set(found.corrected),
  });
  leaveOthers(shown, fresh, {
    leave,
    why: "already sent in other words, out of date, or only a candidate",
  });
  const refs = new Map([...entries].map(([id, entry]) => [id, evidenceOf(entry)]));
  const chosen = chooseLines(fresh);
  leaveOthers(fresh, chosen, {
    leave,
    why: `another line says the same, or ${maxPromptLines} others fit better`,
  });
  const lines = withoutEvidence(chosen, refs);
  leaveOthers(chosen, lines, { leave, why: "a record based on it is sent instead" });
  if (lines.length === 0) return undefined;
  const changed = await findChangedIds(store, lines.map(({ id }) => id));
  const said = lines.map((line) =>
    toPackLine({ ...line, ...(changed.has(line.id) ? { stale: true } : {}) }, nowMs)
  );
  return {
    text: fenceMemory(said, { attributes: {}, notice: shortNotice }),
    lines: lines.map(({ id, label }, i) => ({ id, kind: label, text: said[i] })),
    left_out: [],
    notes: [],
  };
}

function leaveOthers(
  lines: PromptLine[],
  kept: PromptLine[],
  { leave, why }: { leave: AskedPrompt["leave"]; why: string },
): void {
  if (leave === undefined) return;
  for (const line of lines) if (!kept.includes(line)) leave(line.id, why);
}

/** By how much a line misses the gate. */
function sayUnfit({ fit: { worth, share }, isSaved }: PromptLine): string {
  const least = isSaved ? savedGate : gate;
  return `shares too few words: worth ${worth.toFixed(2)} of ${least.worth}, ` +
    `share ${share.toFixed(2)} of ${least.share}`;
}

/**
 * The lines that say something new and still hold. Told is also what a given record was made of, and
 * what says the same in another entry; outdated also what a corrected decision was made of.
 */
function withoutTold(
  lines: PromptLine[],
  { entries, given, corrected }: {
    entries: ReadonlyMap<string, Entry>;
    given: ReadonlySet<string>;
    corrected: ReadonlySet<string>;
  },
): PromptLine[] {
  const pick = (ids: ReadonlySet<string>): Entry[] =>
    [...ids].flatMap((id) => entries.get(id) ?? []);
  const gone = new Set([
    ...pick(given).flatMap(evidenceOf),
    ...pick(corrected).filter(({ type }) => type === "decision").flatMap(evidenceOf),
  ]);
  const holds = new Set(withoutOutdated([...entries.values()], corrected).map(({ id }) => id));
  const told = pick(given).map(startOf);
  return lines.filter(({ id }) => {
    const entry = entries.get(id);
    if (entry === undefined || isCandidate(entry)) return false;
    if (given.has(id) || gone.has(id) || !holds.has(id)) return false;
    return told.every((words) => !isContained(words, startOf(entry)));
  });
}

function startOf({ text }: Entry): Set<string> {
  return wordsOfLine(packLine(text, lineChars("decisions")).text);
}

/** The entries that a record was derived from; an entry that was saved cites what it likes. */
export function evidenceOf(entry: Entry): readonly string[] {
  return isRecord(entry) ? entry.refs ?? [] : [];
}

/** A record says what its evidence says: of both only the record is told. */
export function withoutEvidence(
  lines: PromptLine[],
  refs: ReadonlyMap<string, readonly string[]>,
): PromptLine[] {
  const cited = new Set(lines.flatMap(({ id }) => refs.get(id) ?? []));
  return lines.filter(({ id }) => !cited.has(id));
}

/**
 * The lines that may be said, none twice in other words. What tells of a change is said beside the best only
 * where it fits almost as well.
 */
export function chooseLines(
  found: PromptLine[],
  passes: (line: PromptLine) => boolean = maySay,
): PromptLine[] {
  const least = beside * Math.max(0, ...found.map(({ about }) => about?.worth ?? 0));
  const chosen: { line: PromptLine; words: Set<string> }[] = [];
  for (const line of found) {
    if (chosen.length === maxPromptLines) break;
    const words = wordsOfLine(line.text);
    const isNew = chosen.every((other) => !isSameLine(words, other.words));
    const isNear = line.about === undefined || line.about.worth >= least;
    if (isNew && isNear && passes(line)) chosen.push({ line, words });
  }
  return chosen.map(({ line }) => line);
}

const beside = 0.8;
