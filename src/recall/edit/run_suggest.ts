// One suggestion: finds candidates, ranks them, and logs what is said. Nothing worth saying is a
// normal answer and is not logged.

import { docType, type Entry } from "../../core/entry.ts";
import { makeId } from "../../core/id.ts";
import { isRecord } from "../../core/rows/record.ts";
import { toLine } from "../../core/text.ts";
import { IndexDamage } from "../../disk/byte_source.ts";
import type { Store } from "../../store/store.ts";
import type { Writer } from "../../store/writer.ts";
import { combine } from "./signals/calibration.ts";
import type { CodeGraph } from "./graph/code_graph.ts";
import { type FileFacts, findSymbolAt, nameOf } from "./graph/file_facts.ts";
import { findMentions } from "./signals/find_mentions.ts";
import { findTies, toChanges, toRelatedCode } from "./signals/find_related.ts";
import { findWarnings } from "./signals/find_warnings.ts";
import { findLanguage } from "./graph/languages.ts";
import { openSources } from "./open_sources.ts";
import {
  mostFeedback,
  type Ranked,
  type RankedItem,
  type RankOptions,
  rankSuggestions,
} from "./rank_suggestions.ts";
import type { Candidate, Sources, Subject } from "./signals/suggestion.ts";
import { catchUp, readMemory, type SuggestionMemory, triggerKey } from "./suggestion_memory.ts";
import type { LoggedItem, SuggestedEvent, Trigger } from "./suggestion_log.ts";

/** What suggestions are asked for. Paths are within the workspace. */
export interface SuggestRequest {
  path?: string;
  symbol?: string;
  line?: number;
  recent: string[];
  session?: string;
  /** Set when a subscription asks: then repeats and cooldown count for it. */
  subscription?: string;
  trigger?: Trigger;
  reports: string[];
  cooldownMs: number;
  recentChangeDays: number;
  /** Whether to read the code of the workspace; the code itself when it was read before. */
  code: boolean | CodeGraph;
  /** Reads the file at `path`, where the code of the workspace is not read. */
  readText?: () => string | undefined;
  rank: Omit<RankOptions, "scope" | "now">;
  /** Whether nobody asked for it: an agent is told of it before it reads or edits. */
  isUnasked?: boolean;
  /** The agent that is told then, where that is known. */
  client?: string;
  /** Whether nobody asks what is left out: a hook is waited for, and does not look for that. */
  onlyTold?: boolean;
}

export interface SuggestWorld {
  store: Store;
  now: () => number;
  random: () => string;
  signal?: AbortSignal;
  /** A clock for durations other than the machine's own. */
  ticks?: () => number;
  /** Nothing is logged, and nothing counts as said: only to see what would be. */
  isPreview?: boolean;
}

/** The suggestions returned. */
export interface SuggestAnswer extends Ranked {
  id: string | null;
  /** When it was logged; null as the id when there was nothing to say. */
  created_at: string | null;
  trigger: Trigger;
  /** How long this trigger still cools down; 0 when it does not. */
  cooling_ms: number;
  notes: string[];
}

/** Makes one suggestion. */
export async function suggest(
  request: SuggestRequest,
  world: SuggestWorld,
): Promise<SuggestAnswer> {
  const { store, now } = world;
  const started = ticksOf(world);
  const trigger = request.trigger ?? triggerOf(request);
  // Before most edits there is nothing to say, and then a hook need not know what was said before.
  const early = request.onlyTold ? await look(request, world) : undefined;
  if (early?.candidates.length === 0) return { ...nothing, ...early, trigger, cooling_ms: 0 };
  const memory = readMemory(store.files, store.layout, scopeOf(request));
  const cooling = coolingMs(memory, { request, trigger, now: now() });
  if (cooling > 0) return { ...nothing, trigger, cooling_ms: cooling, notes: [] };
  const { candidates, notes } = early ?? await look(request, world);
  return { ...await say(candidates, { request, trigger, memory, world, started }), notes };
}

/** What the signals say about a request, and what is to be said about them. */
async function look(
  request: SuggestRequest,
  world: SuggestWorld,
): Promise<{ candidates: Candidate[]; notes: string[] }> {
  try {
    return await lookIn(request, { ...world, isAnew: false });
  } catch (error) {
    // The kept table is of other logs, as only reading a row could show.
    if (!(error instanceof IndexDamage)) throw error;
    return await lookIn(request, { ...world, isAnew: true });
  }
}

async function lookIn(
  request: SuggestRequest,
  { store, now, isAnew, signal }: SuggestWorld & { isAnew: boolean },
): Promise<{ candidates: Candidate[]; notes: string[] }> {
  const { code, reports, recentChangeDays: days } = request;
  using sources = await openSources(store, { code, reports, now: now(), days, isAnew, signal });
  const facts = sources.graph === undefined ? await readAlone(request) : undefined;
  // Scores are rounded.
  const leastProbability = request.onlyTold
    ? (request.rank.minScore - 0.001) / mostFeedback
    : undefined;
  const subject = toSubject({ ...request, facts, leastProbability }, sources, now());
  const candidates = await withoutUnsaid(
    store,
    isActivity(request) ? findActive(request, sources, now()) : findCandidates(subject, sources),
    request,
  );
  return { candidates, notes: [...sources.notes, ...notesOf(request, subject, sources)] };
}

/**
 * Without what is of sessions that were put aside. Where nobody asked, also without what a rule derived, which
 * is told only about the very lines that it was decided for, and without what this conversation knows and,
 * if the agent has rules of its own, without those of all agents.
 */
async function withoutUnsaid(
  store: Store,
  found: Candidate[],
  { session, isUnasked, client }: SuggestRequest,
): Promise<Candidate[]> {
  const isEntry = ({ type }: Candidate): boolean => type === "decision" || type === "doc";
  if (!found.some(isEntry)) return found;
  const quarantine = await store.findQuarantine();
  if (quarantine === undefined && !isUnasked) return found;
  const entries = store.find(found.filter(isEntry).map(({ entity_id }) => entity_id));
  const isKnown = isUnasked && session !== undefined ? await knownTo(store, session) : undefined;
  const isRule = isUnasked && found.some(({ type }) => type === "doc")
    ? await findRules(store.layout.workspace, client)
    : undefined;
  return found.filter((one) => {
    const entry = entries.get(one.entity_id)?.row?.entry;
    if (!isEntry(one) || entry === undefined) return true;
    if (entry.type === docType && isRule?.(String(entry.document))) return false;
    return !quarantine?.holds(entry) && !(isUnasked && isRecord(entry)) && !isKnown?.(entry);
  });
}

/** Tells which documents are rules, if an agent has some: it loads its own, and the others are not for it. */
async function findRules(
  workspace: string,
  client: string | undefined,
): Promise<((path: string) => boolean) | undefined> {
  const { hasRules } = await import("../pack/client_lines.ts");
  const { isRuleFile } = await import("../../intake/agent_files/find_agent_files.ts");
  return hasRules(workspace, client) ? isRuleFile : undefined;
}

/** Tells what a conversation wrote, or was given since it last lost its context. */
async function knownTo(store: Store, conversation: string): Promise<(entry: Entry) => boolean> {
  const { givenSinceLoss, readInjections, readSessionsOf } = await import(
    "../../store/logs/injection_log.ts"
  );
  const own = readSessionsOf(store, conversation);
  const log = [...readInjections(store, { needles: [JSON.stringify(conversation)] })];
  const given = givenSinceLoss(log, conversation);
  return ({ id, session_id, source }) =>
    given.has(id) || source?.conversation === conversation || own.has(session_id ?? "");
}

/** A hook is waited for: a longer file is known by its name only. */
const maxAloneChars = 256 << 10;

/** What a file says by itself. Its parser is loaded when there is something to parse. */
async function readAlone({ path, readText }: SuggestRequest): Promise<FileFacts | undefined> {
  if (path === undefined || findLanguage(path) === undefined) return undefined;
  const text = readText?.();
  if (text === undefined || text.length > maxAloneChars || text.includes("\0")) return undefined;
  const { toFacts } = await import("./graph/read_facts.ts");
  return toFacts(path, text);
}

/** What `say` ranks with and logs to. */
export interface Saying {
  request: SuggestRequest;
  trigger: Trigger;
  memory: SuggestionMemory;
  world: SuggestWorld;
  started: number;
}

/** Ranks candidates, and again under the lock, as others may have logged some; logs what it returns. */
export async function say(candidates: Candidate[], saying: Saying): Promise<SuggestAnswer> {
  const { request, trigger, memory, world } = saying;
  const { store, now } = world;
  const options = { ...request.rank, scope: scopeOf(request), now: now() };
  const ranked = rankSuggestions(candidates, memory, options);
  if (ranked.items.length === 0) {
    return { ...nothing, ...ranked, trigger, cooling_ms: 0, notes: [] };
  }
  if (world.isPreview) {
    const id = makeId("G", now(), world.random());
    return { ...ranked, id, created_at: null, trigger, cooling_ms: 0, notes: [] };
  }
  const answer = await store.write("suggest", (writer) => {
    const current = catchUp(memory, store);
    const cooling_ms = coolingMs(current, { request, trigger, now: now() });
    if (cooling_ms > 0) return { ...nothing, cooling_ms };
    const left = rankSuggestions(candidates, current, options);
    const logged = left.items.length > 0 ? appendSuggestion(writer, left.items, saying) : nothing;
    return { ...left, id: logged.id, created_at: logged.created_at, cooling_ms: 0 };
  });
  return { ...answer, trigger, notes: [] };
}

/** Everything the signals say about a subject. */
export function findCandidates(subject: Subject, sources: Sources): Candidate[] {
  const ties = findTies(subject, sources);
  return [
    ...findMentions(subject, sources),
    ...toChanges(ties, subject, sources),
    ...toRelatedCode(ties, subject),
    ...findWarnings(subject, sources),
  ];
}

/** Neither a file nor a symbol: what is going on is told by the files at hand. */
function isActivity({ path, symbol, recent }: SuggestRequest): boolean {
  return path === undefined && symbol === undefined && recent.length > 0;
}

/** What the files at hand lead to, each item by the file that says most for it. */
function findActive(request: SuggestRequest, sources: Sources, now: number): Candidate[] {
  const best = new Map<string, Candidate>();
  const paths = request.recent.slice(0, maxActive);
  for (const path of paths) {
    const recent = paths.filter((other) => other !== path);
    for (
      const item of findCandidates(toSubject({ ...request, path, recent }, sources, now), sources)
    ) {
      const key = `${item.type}\n${item.key ?? item.entity_id}`;
      const known = best.get(key);
      if (known !== undefined && combine(known.evidence) >= combine(item.evidence)) continue;
      const strongest = Math.max(...item.evidence.map(({ p }) => p));
      const evidence = item.evidence.map((one) =>
        one.p === strongest && paths.length > 1
          ? { ...one, note: `${nameOf(path)}: ${one.note}` }
          : one
      );
      best.set(key, { ...item, evidence });
    }
  }
  return [...best.values()];
}

/** More files at hand than these are not what somebody is doing. */
const maxActive = 8;

/** The subject of a request: the file, its facts, and the symbol in focus. The graph knows facts best. */
export function toSubject(
  request:
    & Pick<SuggestRequest, "path" | "symbol" | "line" | "recent" | "recentChangeDays">
    & Pick<Subject, "facts" | "leastProbability">,
  { graph }: Sources,
  now: number,
): Subject {
  const { line, recent, recentChangeDays, leastProbability } = request;
  let { path, symbol } = request;
  if (path === undefined && symbol !== undefined) {
    const definers = graph?.findDefinitions(symbol, 2) ?? [];
    if (definers.length === 1) path = definers[0].path;
  }
  const facts = graph === undefined || path === undefined ? request.facts : graph.find(path);
  const atLine = line === undefined ? undefined : facts && findSymbolAt(facts, line);
  symbol ??= atLine?.name;
  const focus = atLine?.name === symbol
    ? atLine
    : facts?.symbols.find((item) => item.name === symbol);
  return { path, symbol, facts, focus, recent, now, recentChangeDays, leastProbability };
}

const nothing: Ranked & Pick<SuggestAnswer, "id" | "created_at"> = {
  id: null,
  created_at: null,
  items: [],
  withheld: { below_score: 0, repeated: 0, over_limit: 0 },
  silenced: [],
};

function triggerOf({ path, symbol, line, recent }: SuggestRequest): Trigger {
  if (symbol !== undefined) {
    return { type: "symbol", source: path === undefined ? symbol : `${path}#${symbol}` };
  }
  if (path === undefined) {
    return { type: "activity", source: toLine(recent.join(", "), 200) || "session" };
  }
  return { type: "file", source: line === undefined ? path : `${path}:${line}` };
}

function scopeOf(request: SuggestRequest): string | undefined {
  return request.subscription ?? request.session;
}

function coolingMs(
  memory: SuggestionMemory,
  { request, trigger, now }: { request: SuggestRequest; trigger: Trigger; now: number },
): number {
  if (request.rank.repeat) return 0;
  const last = memory.triggers[triggerKey(scopeOf(request), trigger.source)];
  return last === undefined ? 0 : Math.max(0, last + request.cooldownMs - now);
}

function ticksOf(world: SuggestWorld): number {
  return world.ticks?.() ?? performance.now();
}

function appendSuggestion(
  writer: Writer,
  items: RankedItem[],
  { request, trigger, world, started }: Saying,
): { id: string; created_at: string } {
  const ts = world.now();
  const id = makeId("G", ts, world.random());
  const created_at = new Date(ts).toISOString();
  const event: SuggestedEvent = {
    event: "suggested",
    id,
    ts: created_at,
    ...(request.session === undefined ? {} : { session_id: request.session }),
    ...(request.subscription === undefined ? {} : { subscription_id: request.subscription }),
    trigger,
    items: items.map(toLogged),
    latency_ms: Math.round((ticksOf(world) - started) * 10) / 10,
  };
  writer.appendRows(writer.layout.suggestions, [event]);
  return { id, created_at };
}

/** What an entry says stays in the entry: the log only names it. */
function toLogged(item: RankedItem): LoggedItem {
  const { type, entity_id, relevance_score, reason, kind, fingerprint, title, summary, action } =
    item;
  const logged = { type, entity_id, relevance_score, reason, kind, fingerprint };
  if (type === "decision" || type === "doc") return logged;
  return { ...logged, title, summary, ...(action ? { action } : {}) };
}

function notesOf(request: SuggestRequest, subject: Subject, { graph }: Sources): string[] {
  const { path } = request;
  if (path === undefined && request.symbol !== undefined && graph !== undefined) {
    const known = graph.findDefinitions(request.symbol, 1).length > 0;
    return known ? [] : [`"${request.symbol}" is not defined in this workspace`];
  }
  if (path === undefined) return [];
  if (findLanguage(path) === undefined) {
    return [`no symbols are known in "${path}": the language is not supported`];
  }
  if (subject.facts === undefined) {
    return [`no symbols are known in "${path}": it is new, ignored or binary`];
  }
  if (subject.facts.skipped !== undefined) {
    return [`"${path}" was not parsed (${subject.facts.skipped}): its symbols are unknown`];
  }
  return subject.facts.broken ? [`"${path}" has syntax errors; only part of it was read`] : [];
}
