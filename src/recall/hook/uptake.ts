// Looks at conversations that were given lines: what came after, and which lines it took up. One pass
// over the log for some conversations together; what is found is noted once, so that lines rise and
// sink by use (standing.ts) without reading the log again.

import { readEntries } from "../../read/find_entries.ts";
import type { Entry } from "../../core/entry.ts";
import { sentWords } from "../../core/voice/client_ranges.ts";
import {
  appendInjection,
  type Injection,
  isUptake,
  readInjections,
} from "../../store/logs/injection_log.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import { isTakenUp, type LineMarks, marksOf } from "./taken_up.ts";

/** What one conversation was given, and which of it it used; undefined when nothing came after. */
export interface Use {
  injections: Injection[];
  used?: Set<string>;
}

/** A conversation by agent and its own id. */
export function useKey({ agent, conversation }: Pick<Injection, "agent" | "conversation">): string {
  return `${agent}\0${conversation ?? ""}`;
}

export async function findUse(store: Store, injections: Injection[]): Promise<Map<string, Use>> {
  const uses = new Map<string, Use>();
  for (const row of injections) {
    const use = uses.get(useKey(row)) ?? { injections: [] };
    use.injections.push(row);
    uses.set(useKey(row), use);
  }
  const marks = await readMarks(store, injections);
  const said = readConversations(store, injections);
  for (const [key, use] of uses) {
    const entries = said.get(key) ?? [];
    if (entries.some((entry) => entry.role !== "user" && entry.ts > use.injections[0].ts)) {
      use.used = usedIn(use.injections, entries, marks);
    }
  }
  return uses;
}

/** Notes the use of conversations that were not looked at yet, the newest first. */
export async function noteUse(
  store: Store,
  { nowMs, conversation, quietMs = 0, limit = 8 }: {
    nowMs: number;
    /** Only this one, which has ended. */
    conversation?: string;
    /** Only those that were given nothing for so long. */
    quietMs?: number;
    limit?: number;
  },
): Promise<void> {
  const open = new Map<string, Injection[]>();
  for (const row of readInjections(store)) {
    if (isUptake(row)) open.delete(useKey(row));
    else if (row.conversation !== undefined && row.lines.length > 0) {
      open.set(useKey(row), [...open.get(useKey(row)) ?? [], row]);
    }
  }
  const before = new Date(nowMs - quietMs).toISOString();
  const due = [...open.values()].filter((rows) =>
    rows[rows.length - 1].ts <= before &&
    (conversation === undefined || rows[0].conversation === conversation)
  ).slice(-limit);
  if (due.length === 0) return;
  const rules = await findRules(store, due.flat());
  for (const { injections, used } of (await findUse(store, due.flat())).values()) {
    const [{ agent, conversation = "" }] = injections;
    if (used === undefined) continue;
    // Obeying a rule leaves no trace: one that is not repeated is not unused.
    const given = [...new Set(injections.flatMap(({ lines }) => lines.map(({ id }) => id)))]
      .filter((id) => used.has(id) || !rules.has(id));
    await appendInjection(store, {
      ts: new Date(nowMs).toISOString(),
      agent,
      conversation,
      event: "uptake",
      given,
      used: [...used],
    });
  }
}

/** The lines that say how to work: preferences, and what was pinned. */
async function findRules(store: Store, injections: Injection[]): Promise<Set<string>> {
  const ids = injections.flatMap(({ lines }) => lines.map(({ id }) => id));
  const pinned = parsePins(readPinsText(store)).flatMap(({ id }) => id ?? []);
  const wanted = [...(await readEntries(store, ids)).values()]
    .filter(({ type }) => type === "preference");
  return new Set([...pinned, ...wanted.map(({ id }) => id)]);
}

async function readMarks(store: Store, injections: Injection[]): Promise<Map<string, LineMarks>> {
  const ids = injections.flatMap(({ lines }) => lines.map(({ id }) => id));
  const entries = await readEntries(store, ids);
  return new Map([...entries].map(([id, entry]) => [id, marksOf(entry)]));
}

function readConversations(store: Store, injections: Injection[]): Map<string, Entry[]> {
  const keys = new Set(injections.map(useKey));
  const names = new Set(injections.flatMap(({ conversation }) => conversation ?? []));
  const said = new Map<string, Entry[]>();
  if (names.size === 0) return said;
  const needles = names.size > maxNeedles
    ? undefined
    : [...names].map((name) => JSON.stringify(name));
  for (const { entry } of store.entries({ needles })) {
    const { agent, conversation } = entry.source ?? {};
    if (agent === undefined || conversation === undefined) continue;
    const key = useKey({ agent, conversation });
    if (!keys.has(key)) continue;
    const entries = said.get(key) ?? [];
    entries.push(entry);
    said.set(key, entries);
  }
  return said;
}

const maxNeedles = 32;

function usedIn(
  injections: Injection[],
  entries: Entry[],
  marks: ReadonlyMap<string, LineMarks>,
): Set<string> {
  // What ctx or the client put into a message is not what the user said.
  const prompts = entries.filter(({ role }) => role === "user").map(({ text }) => sentWords(text))
    .join("\n");
  const used = new Set<string>();
  for (const { ts, lines } of injections) {
    const later = entries.filter((entry) => entry.role !== "user" && entry.ts > ts);
    for (const { id } of lines) {
      const line = marks.get(id);
      if (line && !used.has(id) && isTakenUp(line, { later, prompts })) used.add(id);
    }
  }
  return used;
}
