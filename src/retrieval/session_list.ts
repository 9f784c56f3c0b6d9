// Sessions as lists show them: what the events say, and what their entries add up to.

import type { Entry } from "../core/entry.ts";
import { firstLine } from "../core/text.ts";
import { countTokens } from "../core/tokens.ts";
import type { Store } from "../store/store.ts";

/** One session in a list. */
export interface SessionRow {
  id: string;
  title: string;
  project?: string;
  source?: string;
  branch?: string;
  started: string;
  ended: string;
  open: boolean;
  message_count: number;
  estimated_tokens: number;
  files_touched: number;
  first_user_line: string;
}

/** All sessions, newest first; ties by id. */
export function readSessionList(store: Store): SessionRow[] {
  const sums = new Map<string, SessionSum>();
  for (const { entry } of store.entries()) {
    if (entry.session_id === undefined) continue;
    const sum = sums.get(entry.session_id) ?? new SessionSum(entry);
    sum.add(entry);
    sums.set(entry.session_id, sum);
  }
  const events = store.readSessions();
  const rows: SessionRow[] = [];
  for (const id of new Set([...sums.keys(), ...events.keys()])) {
    const sum = sums.get(id);
    const meta = events.get(id);
    const started = sum?.started ?? meta?.opened ?? "";
    rows.push({
      id,
      title: meta?.title ?? sum?.firstUserLine ?? "",
      project: meta?.project ?? sum?.project,
      source: meta?.source ?? sum?.source,
      branch: meta?.branch ?? sum?.branch,
      started,
      ended: sum?.ended ?? meta?.closed ?? started,
      open: meta?.opened !== undefined && meta.closed === undefined,
      message_count: sum?.count ?? 0,
      estimated_tokens: sum?.tokens ?? 0,
      files_touched: sum?.files.size ?? 0,
      first_user_line: sum?.firstUserLine ?? "",
    });
  }
  return rows.sort((a, b) => a.ended > b.ended ? -1 : a.ended < b.ended ? 1 : a.id < b.id ? -1 : 1);
}

class SessionSum {
  started: string;
  ended: string;
  count = 0;
  tokens = 0;
  files = new Set<string>();
  firstUserLine?: string;
  project?: string;
  source?: string;
  branch?: string;

  constructor(first: Entry) {
    this.started = first.ts;
    this.ended = first.ts;
  }

  add(entry: Entry): void {
    if (entry.ts < this.started) this.started = entry.ts;
    if (entry.ts > this.ended) this.ended = entry.ts;
    this.count++;
    this.tokens += countTokens(entry.text);
    for (const file of entry.files ?? []) this.files.add(file);
    if (entry.role === "user") this.firstUserLine ??= firstLine(entry.text, 120);
    this.project ??= entry.project;
    this.branch ??= entry.branch;
    this.source ??= entry.source?.agent;
  }
}
