// What the reader lists: the messages of a session in order, calls with their outputs as one row, and
// sub-agents where they were started, with their own rows when they are opened. Pure.

import type { AnswerOf } from "../data/call.ts";

/** A session without its texts. */
export type Outline = AnswerOf<"outline">;

/** A session that another one started. */
export type Agent = Outline["agents"][number];

export type RowKind =
  | "prompt"
  | "notice"
  | "answer"
  | "thought"
  | "call"
  | "edit"
  | "output"
  | "agent";

export interface ReaderRow {
  /** The id of its entry; of a sub-agent that of its session. */
  key: string;
  kind: RowKind;
  outline: Outline;
  /** The position of its message in the outline. */
  at: number;
  /** The positions of the outputs of its call. */
  outputs: readonly number[];
  /** How many sub-agents it is in. */
  depth: number;
  agent?: Agent;
}

/** How deep sub-agents of sub-agents are opened. */
const maxDepth = 6;

/** The rows of a session; `opened` are the sub-agents whose rows are shown. */
export function toRows(
  outline: Outline,
  opened: ReadonlyMap<string, Outline>,
  depth = 0,
): ReaderRow[] {
  const { messages, edits } = outline;
  const edited = new Set(edits);
  const asked = new Set(outline.prompts);
  const outputs = new Map<number, number[]>();
  for (const [at, call] of messages.call.entries()) {
    if (call < 0) continue;
    const known = outputs.get(call);
    if (known) known.push(at);
    else outputs.set(call, [at]);
  }
  const agents = Map.groupBy(outline.agents, (agent) => placeOf(agent, outline));
  const rows: ReaderRow[] = [];
  for (const [at, key] of messages.id.entries()) {
    if (messages.call[at] < 0) {
      const own = outputs.get(at) ?? [];
      const isEdit = [at, ...own].some((one) => edited.has(one));
      const kind = kindOf(outline, at, { isEdit, isAsked: asked.has(at) });
      rows.push({ key, kind, outline, at, outputs: own, depth });
    }
    for (const agent of agents.get(at) ?? []) {
      const { session_id: id } = agent;
      rows.push({ key: id, kind: "agent", outline, at, outputs: [], depth, agent });
      const inner = opened.get(id);
      if (inner && depth < maxDepth) {
        for (const row of toRows(inner, opened, depth + 1)) rows.push(row);
      }
    }
  }
  return rows;
}

/** The position of a sub-agent: after its call, otherwise by its start time. */
function placeOf({ at, started }: Agent, { messages, started: begin }: Outline): number {
  const call = at === undefined ? -1 : messages.number.indexOf(at);
  if (call >= 0) return call;
  const after = Date.parse(started ?? "") - Date.parse(begin ?? "");
  return Math.max(0, messages.after_ms.findLastIndex((ms) => ms <= after));
}

function kindOf(
  { kinds, messages }: Outline,
  at: number,
  { isEdit, isAsked }: { isEdit: boolean; isAsked: boolean },
): RowKind {
  const { role, type } = kinds[messages.kind[at]];
  if (type === "tool_call") return isEdit ? "edit" : "call";
  if (type === "tool_output") return isEdit ? "edit" : "output";
  if (type === "thinking") return "thought";
  if (role !== "user") return "answer";
  return isAsked ? "prompt" : "notice";
}

/** The row of each entry: outputs stand in the row of their call. */
export function indexRows(rows: readonly ReaderRow[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [i, { key, outline, outputs }] of rows.entries()) {
    found.set(key, i);
    for (const at of outputs) found.set(outline.messages.id[at], i);
  }
  return found;
}

export function isOpenAtFirst({ kind }: ReaderRow): boolean {
  return kind === "prompt" || kind === "answer" || kind === "edit";
}

/** The estimated height of a row, in pixels, before it is measured. */
export function guessHeight({ kind, outline, at }: ReaderRow, isOpen: boolean): number {
  if (!isOpen) return 34;
  if (kind === "edit") return 220;
  if (kind === "prompt") return 96;
  const chars = Math.min(outline.messages.tokens[at] * 4, 4000);
  return 52 + Math.ceil(chars / 75) * 22;
}
