// The compactions of a store's sessions: what came before, the summary, and what the session used after.

import type { Entry } from "../../src/core/entry.ts";
import { isRecord } from "../../src/core/rows/record.ts";
import { toExchanges } from "../../src/core/rows/exchanges.ts";
import { programOf } from "../../src/recall/distil/find_commands.ts";
import { findDecisions } from "../../src/recall/distil/find_decisions.ts";
import { keyWords, shareOf } from "../../src/recall/distil/key_words.ts";
import { toScenes } from "../../src/recall/distil/scenes.ts";
import type { Store } from "../../src/store/store.ts";

/** Something that a session had before a compaction and used after it. */
export interface Used {
  kind: "file" | "command" | "decision";
  text: string;
}

/** One compaction. */
export interface CompactionWindow {
  before: Entry[];
  summary: string;
  used: Used[];
  /** Files and commands of the actions after it that the session had not had before. */
  unseen: number;
}

/** The actions that are looked at after a compaction. */
const actionsAfter = 30;
/** A window with fewer on either side says nothing. */
const leastActions = 10;

/** The compactions in a store that can be measured. */
export function readWindows(store: Store): CompactionWindow[] {
  const sessions = new Map<string, Entry[]>();
  for (const { entry } of store.entries()) {
    if (isRecord(entry) || entry.sidechain === true) continue;
    const id = entry.session_id ?? "";
    sessions.set(id, [...(sessions.get(id) ?? []), entry]);
  }
  return [...sessions.values()].flatMap(toWindows);
}

function toWindows(entries: Entry[]): CompactionWindow[] {
  const places = entries.flatMap(({ type }, at) => type === "summary" ? [at] : []);
  return places.flatMap((at, n) => {
    const before = entries.slice(0, at);
    const rest = entries.slice(at + 1, places[n + 1]);
    const calls = rest.flatMap(({ type }, i) => type === "tool_call" ? [i] : []);
    const after = rest.slice(0, calls[actionsAfter] ?? rest.length);
    if (calls.length < leastActions || countCalls(before) < leastActions) return [];
    const had = { files: filesOf(before), commands: commandsOf(before) };
    const files = [...filesOf(after)];
    const commands = [...commandsOf(after)];
    const used: Used[] = [
      ...files.filter((text) => had.files.has(text)).map((text): Used => ({ kind: "file", text })),
      ...commands.filter((text) => had.commands.has(text))
        .map((text): Used => ({ kind: "command", text })),
      ...decisionsUsed(before, after),
    ];
    const unseen = files.length + commands.length -
      used.filter(({ kind }) => kind !== "decision").length;
    return used.length === 0 ? [] : [{ before, summary: entries[at].text, used, unseen }];
  });
}

function countCalls(entries: readonly Entry[]): number {
  return entries.filter(({ type }) => type === "tool_call").length;
}

function filesOf(entries: readonly Entry[]): Set<string> {
  return new Set(
    entries.filter(({ type, tool }) =>
      type === "tool_call" && (tool?.effect === "read" || tool?.effect === "edit")
    ).flatMap(({ files }) => files ?? []),
  );
}

function commandsOf(entries: readonly Entry[]): Set<string> {
  return new Set(
    toExchanges(entries).flatMap(({ runs }) => runs)
      .flatMap(({ command }) => programOf(command) ?? []),
  );
}

/** Decisions most of whose words come again in what the agent says and writes. */
function decisionsUsed(before: readonly Entry[], after: readonly Entry[]): Used[] {
  const said = after.filter(({ role, type }) =>
    (role === "assistant" && type === "turn") || type === "tool_call"
  ).map(({ text }) => keyWords(text));
  const all = new Set(said.flatMap((words) => [...words]));
  return findDecisions(toScenes(toExchanges(before))).filter(({ text }) =>
    keyWords(text).size >= 4 && shareOf(keyWords(text), all) >= usedShare
  ).map(({ text }): Used => ({ kind: "decision", text }));
}

const usedShare = 0.6;

/** Whether a text has what was used: a file by its name, a command by its words, a decision by half of its own. */
export function has(text: string, used: Used): boolean {
  if (used.kind === "file") return text.includes(used.text.replace(/^.*\//, ""));
  if (used.kind === "command") return text.includes(used.text);
  const words = keyWords(used.text);
  return text.split("\n").some((line) => shareOf(words, keyWords(line)) >= 0.5);
}
