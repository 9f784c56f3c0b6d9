// What is settled of a search before anything is opened: the query's parts, the filters, the times.
// What reads times is loaded only where there may be one.

import { mayHoldTime } from "../core/time/time_span.ts";
import { keywordValue } from "../index/segment/keyword.ts";
import type { Store } from "../store/store.ts";
import { type FilterPlan, ownAuthor, planFilters, type TimeBounds } from "./filter.ts";
import { parseQuery, type Query } from "./query.ts";
import { termsOf } from "./rank/terms_of.ts";
import type { AskedTimes } from "./rank/rank.ts";
import type { SearchRequest } from "./request.ts";

export interface PlannedSearch {
  request: SearchRequest;
  query: Query;
  plan: FilterPlan;
}

/** Reads a request. What it cannot mean (a time that is none) is an error. */
export async function planSearch(
  request: SearchRequest,
  place?: Pick<Store, "files" | "layout">,
): Promise<PlannedSearch> {
  const query = parseQuery(request.query);
  const nowMs = request.now_ms ?? Date.now();
  const plan = planFilters(request, query, await readBounds(request, query, nowMs));
  await nameAgents(plan);
  if (place !== undefined) await nameOneself(plan, place);
  if (/\b(?:AND|OR)\b|\w\*/.test(query.text)) {
    query.notes.push(...(await import("./query_notes.ts")).operatorNotes(query.text));
  }
  return { request, query: { ...query, times: await findTimes(query.text, nowMs) }, plan };
}

/** Agents go by several names; rows have one of them. */
async function nameAgents({ keywords }: FilterPlan): Promise<void> {
  for (const filter of keywords) {
    if (filter.field !== "source") continue;
    const { toAgentName } = await import("../core/rows/agent_names.ts");
    filter.meant = Object.fromEntries(filter.values.map((said) => [said, toAgentName(said)]));
  }
}

/** Oneself goes by a name, in the space that the store belongs to; in the own logs by none. */
async function nameOneself(
  { keywords }: FilterPlan,
  place: Pick<Store, "files" | "layout">,
): Promise<void> {
  for (const filter of keywords) {
    if (filter.field !== "author") continue;
    const { readRemote } = await import("../store/team/remote_file.ts");
    const name = readRemote(place)?.name;
    if (name === undefined) continue;
    const isOwn = (said: string): boolean =>
      keywordValue("author", said.trim()) === keywordValue("author", name);
    filter.meant = Object.fromEntries(filter.values.flatMap((said) => {
      if (said === ownAuthor) return [[said, name]];
      return isOwn(said) ? [[said, ownAuthor]] : [];
    }));
  }
}

/** The narrowest of all bounds that the request and its query give. */
async function readBounds(
  request: SearchRequest,
  { filters }: Query,
  nowMs: number,
): Promise<TimeBounds> {
  const given = filters.filter(({ field }) => field === "since" || field === "until");
  for (const field of ["since", "until"] as const) {
    const value = request[field];
    if (value !== undefined) given.push({ field, value });
  }
  if (given.length === 0) return {};
  const { parseUntil, parseWhen, refuseReversed } = await import("../core/time/parse_when.ts");
  const bounds: TimeBounds = {};
  const [from, to]: number[][] = [[], []];
  for (const { field, value, not } of given) {
    const isSince = field === "since";
    const at = Date.parse((isSince ? parseWhen : parseUntil)(value, nowMs));
    // All but what is since then is what was before it.
    if (not) (isSince ? to : from).push(isSince ? at - 1 : at + 1);
    else (isSince ? from : to).push(at);
  }
  if (from.length > 0) bounds.sinceMs = Math.max(...from);
  if (to.length > 0) bounds.untilMs = Math.min(...to);
  const [since, until] = [bounds.sinceMs, bounds.untilMs].map((ms) =>
    ms === undefined ? undefined : new Date(ms).toISOString()
  );
  refuseReversed({ since, until });
  return bounds;
}

async function findTimes(text: string, nowMs: number): Promise<AskedTimes | undefined> {
  if (!mayHoldTime(text)) return undefined;
  const { timesIn } = await import("../core/time/times_in.ts");
  const times = timesIn(text, nowMs);
  if (times.length === 0) return undefined;
  const ends = [0, ...times.map(({ end }) => end)];
  const rest = ends.map((end, i) => text.slice(end, times[i]?.start)).join(" ");
  const others = new Set(termsOf(rest).map(({ term }) => term));
  const words = times.flatMap(({ start, end }) => termsOf(text.slice(start, end)));
  return {
    spans: times.flatMap(({ spans }) => spans),
    terms: new Set(words.map(({ term }) => term).filter((term) => !others.has(term))),
    said: times.map(({ start, end }) => text.slice(start, end)).join(", "),
  };
}
