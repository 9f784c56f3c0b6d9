// One pass over the store that counts what is in it: for `stats` and `ls`.

import { countTokens } from "../core/tokens.ts";
import type { Row, Store } from "../store/store.ts";

/** What a store holds. */
export interface Survey {
  entries: number;
  by_pool: Record<"hot" | "archive", number>;
  by_role: Record<string, number>;
  by_type: Record<string, number>;
  sources: Record<string, number>;
  projects: { project: string; entries: number }[];
  sessions: number;
  earliest?: string;
  latest?: string;
  estimated_tokens: number;
  active_days: string[];
  damaged_lines: number;
  newest: Row[];
}

/** Surveys a store; `newest` rows are kept, latest first. */
export function surveyStore(store: Store, newest: number): Survey {
  const survey: Survey = {
    entries: 0,
    by_pool: { hot: 0, archive: 0 },
    by_role: {},
    by_type: {},
    sources: {},
    projects: [],
    sessions: 0,
    estimated_tokens: 0,
    active_days: [],
    damaged_lines: 0,
    newest: [],
  };
  const projects = new Map<string, number>();
  const sessions = new Set(store.readSessions().keys());
  const days = new Set<string>();
  const onDamage = (): void => void survey.damaged_lines++;
  for (const row of store.entries({ onDamage })) {
    const { entry, pool } = row;
    survey.entries++;
    survey.by_pool[pool]++;
    count(survey.by_role, entry.role);
    count(survey.by_type, entry.type);
    count(survey.sources, entry.source?.agent ?? "ctx");
    if (entry.project) projects.set(entry.project, (projects.get(entry.project) ?? 0) + 1);
    if (entry.session_id) sessions.add(entry.session_id);
    if (survey.earliest === undefined || entry.ts < survey.earliest) survey.earliest = entry.ts;
    if (survey.latest === undefined || entry.ts > survey.latest) survey.latest = entry.ts;
    survey.estimated_tokens += countTokens(entry.text);
    days.add(entry.ts.slice(0, 10));
    keepNewest(survey.newest, row, newest);
  }
  survey.sessions = sessions.size;
  survey.active_days = [...days].sort();
  survey.projects = [...projects].map(([project, entries]) => ({ project, entries }))
    .sort((a, b) => b.entries - a.entries || (a.project < b.project ? -1 : 1)).slice(0, 20);
  return survey;
}

function keepNewest(kept: Row[], row: Row, limit: number): void {
  const isNewer = (a: Row, b: Row): boolean => a.entry.ts >= b.entry.ts;
  const last = kept.at(-1);
  if (kept.length >= limit && (limit === 0 || (last && !isNewer(row, last)))) return;
  const at = kept.findIndex((other) => isNewer(row, other));
  kept.splice(at < 0 ? kept.length : at, 0, row);
  if (kept.length > limit) kept.pop();
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
