// What a session says about an edit of its own: the entry itself, the user's words before it, and what was
// decided near it.

import { askIndex } from "../../index/ask_index.ts";
import type { Entry } from "../../core/entry.ts";
import { rowKindOf } from "../../core/rows/row_kind.ts";
import { compareText } from "../../core/text.ts";
import { askedWords } from "../../core/voice/spans_of.ts";
import type { LineClaim } from "../../index/lines/line_table.ts";
import { toNeedles } from "../../store/find.ts";
import { readSessionCatalog, sessionTitle } from "../../store/session_catalog.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";

export interface SessionStory {
  title?: string;
  agent?: string;
  /** The edit. */
  entry?: Entry;
  /** The user's words before it. */
  prompt?: Entry;
  /** Those before further edits, where they are others. */
  more: Entry[];
  /** What was decided in that session: about the file first, then what is nearest in time. */
  decisions: Entry[];
}

const maxDecisions = 3;
/** So many words say something, and so many prompts are looked through for them. */
const tellingWords = 5;
const nearPrompts = 4;

/** Tells what led to an edit, and to further ones of its session. */
export async function tellStory(
  store: Store,
  { session, claims, path }: { session: string; claims: readonly LineClaim[]; path?: string },
): Promise<SessionStory> {
  using snapshot = store.openSnapshot();
  const rows = await readSessionRows(store, snapshot, session);
  const meta = readSessionCatalog(store).get(session);
  const edits = claims.map(({ place }) =>
    snapshot.readAt(place).find((one) => one.session_id === session)
  );
  const [entry] = edits;
  const prompts = rows.filter((row) => rowKindOf(row) === "prompt");
  const promptOf = (edit: Entry): Entry | undefined =>
    findTelling(prompts.filter((row) => isBefore(row, edit)));
  const prompt = entry === undefined ? prompts[0] : promptOf(entry);
  const others = edits.slice(1).flatMap((edit) => edit && promptOf(edit) || []);
  const about = (decision: Entry): number =>
    path !== undefined && decision.files?.some((file) => file.endsWith(path)) ? 0 : 1;
  const gap = ({ ts }: Entry): number =>
    entry === undefined ? 0 : Math.abs(Date.parse(ts) - Date.parse(entry.ts));
  const replaced = new Set(rows.flatMap(({ supersedes }) => supersedes ?? []));
  const decisions = rows.filter(({ type, id }) => type === "decision" && !replaced.has(id))
    .sort((a, b) => about(a) - about(b) || gap(a) - gap(b)).slice(0, maxDecisions);
  return {
    title: meta && sessionTitle(meta) || undefined,
    agent: meta?.source ?? entry?.source?.agent ??
      rows.find(({ source }) => source !== undefined)?.source?.agent,
    entry,
    prompt,
    more: [...new Set(others)].filter((other) => other !== prompt),
    decisions,
  };
}

/** "Yes, please" says nothing: then the last words before it that do, if they are near. */
function findTelling(prompts: readonly Entry[]): Entry | undefined {
  const near = prompts.slice(-nearPrompts);
  return near.findLast((prompt) =>
    askedWords(prompt).split(/\s+/, tellingWords).length >= tellingWords
  ) ?? near.at(-1);
}

/** What was said and decided in a session, the oldest first. */
async function readSessionRows(
  store: Store,
  snapshot: Snapshot,
  session: string,
): Promise<Entry[]> {
  const indexed = await askIndex(
    store,
    snapshot,
    (index) => index.sessionRows(session, { prompts: true, values: [["type", "decision"]] }),
  );
  const rows = indexed ??
    [...store.entries({ needles: toNeedles([session]) })]
      .filter(({ entry }) => entry.session_id === session);
  return rows.map(({ entry }) => entry).sort(byOrder);
}

function isBefore(row: Entry, entry: Entry): boolean {
  return row.id !== entry.id && byOrder(row, entry) <= 0;
}

function byOrder(a: Entry, b: Entry): number {
  return compareText(a.ts, b.ts) || (a.index ?? 0) - (b.index ?? 0);
}
