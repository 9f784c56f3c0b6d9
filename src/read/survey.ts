// One pass over the store that counts what is in it.

import type { OwnPool } from "../core/entry.ts";
import { isObject } from "../core/json.ts";
import { countTokens } from "../core/tokens.ts";
import { countSessions, isSession, readSessionCatalog } from "../store/session_catalog.ts";
import type { Store } from "../store/store.ts";

/** What a store holds. */
export interface Survey {
  entries: number;
  by_pool: Record<OwnPool, number> & { team?: number };
  by_role: Record<string, number>;
  by_type: Record<string, number>;
  sources: Record<string, number>;
  projects: { project: string; entries: number; sessions: number; estimated_tokens: number }[];
  sessions: number;
  /** Entries that are messages of sessions. */
  messages: number;
  sessions_by_source: Record<string, number>;
  usage: Record<string, number>;
  earliest?: string;
  latest?: string;
  estimated_tokens: number;
  /** The part of them that is in sessions. */
  session_tokens: number;
  active_days: string[];
  damaged_lines: number;
}

export function surveyStore(store: Store): Survey {
  const survey: Survey = {
    entries: 0,
    by_pool: { hot: 0, archive: 0 },
    by_role: {},
    by_type: {},
    sources: {},
    projects: [],
    sessions: 0,
    messages: 0,
    sessions_by_source: {},
    usage: {},
    estimated_tokens: 0,
    session_tokens: 0,
    active_days: [],
    damaged_lines: 0,
  };
  const projects = new Map<string, number>();
  const { workspace } = store.layout;
  const catalog = readSessionCatalog(store);
  const charged = new Set<string>();
  const days = new Set<string>();
  const onDamage = (): void => void survey.damaged_lines++;
  for (const { entry, pool } of store.entries({ onDamage })) {
    survey.entries++;
    survey.by_pool[pool] = (survey.by_pool[pool] ?? 0) + 1;
    count(survey.by_role, entry.role);
    count(survey.by_type, entry.type);
    count(survey.sources, entry.source?.agent ?? "ctx");
    // A session that names no project was in the workspace.
    const { session_id: id } = entry;
    const project = entry.project ??
      (id === undefined ? undefined : catalog.get(id)?.project ?? workspace);
    if (project) projects.set(project, (projects.get(project) ?? 0) + 1);
    if (survey.earliest === undefined || entry.ts < survey.earliest) survey.earliest = entry.ts;
    if (survey.latest === undefined || entry.ts > survey.latest) survey.latest = entry.ts;
    if (entry.session_id === undefined) survey.estimated_tokens += countTokens(entry.text);
    addUsage(survey.usage, entry.usage, charged);
    days.add(entry.ts.slice(0, 10));
  }
  survey.sessions = countSessions(catalog);
  survey.active_days = [...days].sort();
  const sums = new Map([...projects].map(([project, entries]) => [project, {
    project,
    entries,
    sessions: 0,
    estimated_tokens: 0,
  }]));
  for (const session of [...catalog.values()].filter(isSession)) {
    survey.session_tokens += session.estimated_tokens;
    survey.messages += session.message_count;
    count(survey.sessions_by_source, session.source ?? "ctx");
    const sum = sums.get(session.project ?? workspace);
    if (sum === undefined) continue;
    sum.sessions++;
    sum.estimated_tokens += session.estimated_tokens;
  }
  survey.estimated_tokens += survey.session_tokens;
  survey.projects = [...sums.values()]
    .sort((a, b) => b.entries - a.entries || (a.project < b.project ? -1 : 1)).slice(0, 20);
  return survey;
}

/** Adds the tokens a request was charged for; agents write the same usage on several rows. */
export function addUsage(
  sums: Record<string, number>,
  usage: unknown,
  charged: Set<string>,
): void {
  if (!isObject(usage)) return;
  const { id, ...counts } = usage;
  if (typeof id === "string") {
    if (charged.has(id)) return;
    charged.add(id);
  }
  for (const [name, value] of Object.entries(counts)) {
    if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
