// The watcher's work, without its loop: finds what changed, asks for suggestions on behalf of the
// subscriptions that match, and remembers what it has dealt with. Each change is told once: what is
// in the log is not told again, and what cools down is dealt with later, never dropped.

import type { Entry } from "../../../core/entry.ts";
import type { Row } from "../../../store/snapshot.ts";
import type { Store } from "../../../store/store.ts";
import { type CodeGraph, readGraph } from "../graph/code_graph.ts";
import { readFacts } from "../graph/read_facts.ts";
import { describeEntry } from "../signals/describe_entry.ts";
import { matchEntry, matchFile, type MatchWorld } from "./match_pattern.ts";
import type { RankOptions } from "../rank_suggestions.ts";
import { readSubscriptions, type Subscription, type WatchPattern } from "./subscription.ts";
import { readSuggestionEvents, type Trigger } from "../suggestion_log.ts";
import { readMemory } from "../suggestion_memory.ts";
import { say, suggest, type SuggestRequest, type SuggestWorld } from "../run_suggest.ts";
import type { Candidate } from "../signals/suggestion.ts";
import { loadIgnoreRules } from "../graph/walk_workspace.ts";
import {
  type FileChange,
  findChanges,
  keepSnapshot,
  readSnapshot,
  takeSnapshot,
  type WatchSnapshot,
} from "./watch_snapshot.ts";

/** What of the configuration decides on suggestions. */
export interface WatchSettings {
  enabled: RankOptions["enabled"];
  minPrecision: number;
  recentChangeDays: number;
}

export interface WatcherOptions {
  store: Store;
  now: () => number;
  random: () => string;
  /** Reads the settings in force; asked for at every round. */
  readSettings: () => WatchSettings | Promise<WatchSettings>;
  /** Whether a text is about a topic by its meaning; absent: by its words only. */
  isAbout?: MatchWorld["isAbout"];
  /** The store as one session sees it, for subscriptions of callers who are held to one. */
  openScope?: (session: string) => Promise<Store>;
  /** Told of derived data that was damaged and is built anew. */
  warn?: (message: string) => void;
}

export interface WatchRound {
  /** The files that changed. */
  paths: string[];
  suggested: number;
  /** When changes that cool down are due, in milliseconds from now. */
  due_ms?: number;
}

/** Deals with changes, round by round. */
export class Watcher {
  readonly #options: WatcherOptions;
  #snapshot: WatchSnapshot | undefined;
  #told: Set<string> | undefined;
  #settings: WatchSettings | undefined;
  /** Changes that wait until their cooldown is over: then time tells them. */
  #waiting: ReadonlySet<string> = new Set();
  /** The code as it is in this round; read for the first change that is to be told. */
  #graph: Promise<CodeGraph> | undefined;
  readonly #scopes = new Map<string, Promise<Store>>();

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Deals with everything that changed since the last round. */
  async round(): Promise<WatchRound> {
    const { store, warn } = this.#options;
    const { files, layout } = store;
    const result: WatchRound = { paths: [], suggested: 0 };
    const rules = await loadIgnoreRules(layout.workspace);
    this.#graph = undefined;
    this.#snapshot ??= readSnapshot(files, layout, warn);
    if (this.#snapshot === undefined) {
      this.#snapshot = await takeSnapshot(files, layout, rules);
      keepSnapshot(files, layout, this.#snapshot);
      return result;
    }
    const changes = await findChanges(this.#snapshot, { workspace: layout.workspace, rules });
    result.paths = changes.map(({ path }) => path);
    const history = files.findSize(layout.history.hot) ?? 0;
    if (changes.length === 0 && history === this.#snapshot.history) return result;
    const canServe = (item: Subscription): boolean =>
      item.pinned_session === undefined || this.#options.openScope !== undefined;
    const active = [...readSubscriptions(files, layout).values()]
      .filter((item) => item.enabled && canServe(item));
    this.#settings = await this.#options.readSettings();
    await this.#dealWithChanges(changes, active, result);
    await this.#dealWithEntries(active, result);
    keepSnapshot(files, layout, this.#snapshot);
    return result;
  }

  /** Tells each subscription of the changes that it is for: by priority, then as they were found. */
  async #dealWithChanges(
    changes: FileChange[],
    active: Subscription[],
    result: WatchRound,
  ): Promise<void> {
    const world = this.#matchWorld();
    const tasks = changes.filter(({ hash }) => hash !== "gone").flatMap((change) => {
      const names = world.symbolsOf(change.path);
      return active.flatMap((subscription) => {
        const found = {
          ...world,
          symbolsOf: () => names,
          filesOf: (id: string) => this.#filesOf(id, subscription),
        };
        const pattern = matchFile(subscription.patterns, change.path, found);
        return pattern === undefined ? [] : [{ change, subscription, pattern }];
      });
    });
    const waiting = this.#waiting.difference(new Set(changes.map(({ path }) => path)));
    for (const task of tasks.sort((a, b) => placeOf(a.pattern) - placeOf(b.pattern))) {
      const cooling = await this.#dealWith(task, result);
      if (cooling === 0) continue;
      waiting.add(task.change.path);
      result.due_ms = Math.min(result.due_ms ?? Infinity, cooling);
    }
    for (const { path, seen } of changes) {
      if (waiting.has(path)) continue;
      if (seen === undefined) delete this.#snapshot!.files[path];
      else this.#snapshot!.files[path] = seen;
    }
    this.#waiting = waiting;
  }

  /** Tells of one change; returns how long it still cools down. */
  async #dealWith(
    { change, subscription, pattern }: {
      change: FileChange;
      subscription: Subscription;
      pattern: WatchPattern;
    },
    result: WatchRound,
  ): Promise<number> {
    const { path, hash } = change;
    const type = this.#waiting.has(path) ? "time" : "file";
    const trigger: Trigger = { type, source: path, ...toMatched(pattern), hash };
    if (this.#wasTold(subscription, trigger)) return 0;
    this.#graph ??= readGraph(this.#options.store.layout.workspace);
    const request = { ...this.#request(subscription, trigger), path, code: await this.#graph };
    const { id, cooling_ms } = await suggest(request, await this.#world(subscription));
    if (cooling_ms === 0) this.#tell(subscription, trigger, id, result);
    return cooling_ms;
  }

  async #dealWithEntries(active: Subscription[], result: WatchRound): Promise<void> {
    const { store } = this.#options;
    const snapshot = this.#snapshot!;
    const size = store.files.findSize(store.layout.history.hot) ?? 0;
    if (size === snapshot.history) return;
    const rows = this.#isSameLog()
      ? store.rows({ pools: ["hot"], from: { hot: snapshot.history } })
      : this.#newerEntries(snapshot.last?.ts ?? "");
    let end = 0;
    for (const { entry, pool, offset, length } of rows) {
      for (const subscription of active) await this.#dealWithEntry(entry, subscription, result);
      if (pool === "hot") end = Math.max(end, offset + length + 1);
      if (entry.ts >= (snapshot.last?.ts ?? "")) snapshot.last = { id: entry.id, ts: entry.ts };
    }
    snapshot.history = Math.max(end, Math.min(snapshot.history, size));
  }

  /** Whether the log still ends where it was read to: compact, gc and forget rewrite it. */
  #isSameLog(): boolean {
    const { history, last } = this.#snapshot!;
    const { store } = this.#options;
    if (last === undefined) return (store.files.findSize(store.layout.history.hot) ?? 0) >= history;
    const row = store.find([last.id]).get(last.id)?.row;
    return row?.pool === "hot" && row.offset + row.length + 1 <= history;
  }

  /** After a rewrite, what is not older than the last entry seen; told ones are not told again. */
  *#newerEntries(ts: string): Generator<Row> {
    for (const row of this.#options.store.entries()) if (row.entry.ts >= ts) yield row;
  }

  async #dealWithEntry(
    entry: Entry,
    subscription: Subscription,
    result: WatchRound,
  ): Promise<void> {
    const { pinned_session: scope } = subscription;
    if (scope !== undefined && entry.session_id !== scope) return;
    // What is only talk is not matched: that may take as long as reading it.
    const candidate = toCandidate(entry);
    const pattern = candidate && matchEntry(subscription.patterns, entry, this.#matchWorld());
    if (candidate === undefined || pattern === undefined) return;
    const { id: source } = entry;
    const trigger: Trigger = { type: "activity", source, ...toMatched(pattern), hash: source };
    if (this.#wasTold(subscription, trigger)) return;
    const scoped = await this.#world(subscription);
    const { id } = await say([candidate], {
      request: this.#request(subscription, trigger),
      trigger,
      memory: readMemory(scoped.store.files, scoped.store.layout),
      world: scoped,
      started: performance.now(),
    });
    this.#tell(subscription, trigger, id, result);
  }

  #matchWorld(): MatchWorld {
    const { store, isAbout } = this.#options;
    const { workspace } = store.layout;
    const symbolsOf = (path: string): string[] =>
      readFacts(workspace, path)?.symbols.map((symbol) => symbol.name) ?? [];
    return { workspace, symbolsOf, isAbout };
  }

  /** The files of an entry; none where it is not of the session that the subscription is held to. */
  #filesOf(id: string, { pinned_session: scope }: Subscription): string[] {
    const entry = this.#options.store.find([id]).get(id)?.row?.entry;
    const isShown = scope === undefined || entry?.session_id === scope;
    return isShown ? entry?.files ?? [] : [];
  }

  #request(subscription: Subscription, trigger: Trigger): SuggestRequest {
    const { recentChangeDays, minPrecision, enabled } = this.#settings!;
    return {
      recent: [],
      ...(subscription.session_id === undefined ? {} : { session: subscription.session_id }),
      subscription: subscription.id,
      trigger,
      reports: [],
      cooldownMs: subscription.cooldown_ms,
      recentChangeDays,
      code: false,
      rank: {
        limit: subscription.max,
        minScore: subscription.min_score,
        minPrecision,
        enabled,
        repeat: false,
      },
    };
  }

  /** What a subscription may be told from: all of the store, or the session it is held to. */
  async #world({ pinned_session: scope }: Subscription): Promise<SuggestWorld> {
    const { now, random, openScope } = this.#options;
    if (scope === undefined || openScope === undefined) {
      return { store: this.#options.store, now, random };
    }
    const opened = this.#scopes.get(scope) ?? openScope(scope);
    this.#scopes.set(scope, opened);
    return { store: await opened, now, random };
  }

  #tell(
    subscription: Subscription,
    trigger: Trigger,
    id: string | null,
    result: WatchRound,
  ): void {
    if (id === null) return;
    result.suggested++;
    this.#told?.add(tellKey(subscription.id, trigger));
  }

  /** The log is the truth about what was told: also what a killed watcher told last. */
  #wasTold(subscription: Subscription, trigger: Trigger): boolean {
    if (this.#told === undefined) {
      this.#told = new Set();
      const { files, layout } = this.#options.store;
      for (const { event } of readSuggestionEvents(files, layout)) {
        if (event.event !== "suggested" || event.subscription_id === undefined) continue;
        this.#told.add(tellKey(event.subscription_id, event.trigger));
      }
    }
    return this.#told.has(tellKey(subscription.id, trigger));
  }
}

/** The place of a pattern among others: 1 unless it has another. */
function placeOf({ priority = 1 }: WatchPattern): number {
  return priority;
}

function toMatched(pattern: WatchPattern): Pick<Trigger, "pattern" | "priority"> {
  return { pattern: `${pattern.type}:${pattern.pattern}`, priority: placeOf(pattern) };
}

function tellKey(subscription: string, { source, hash }: Trigger): string {
  return `${subscription}\n${source}\n${hash ?? ""}`;
}

/** A new decision, document section or note; other entries are talk. */
function toCandidate(entry: Entry): Candidate | undefined {
  const described = describeEntry(entry);
  if (described === undefined) return undefined;
  const { kind, title, summary } = described;
  return {
    type: kind,
    title,
    summary,
    entity_id: entry.id,
    fingerprint: entry.id,
    action: `ctx get ${entry.id}`,
    evidence: [{ kind: `${kind}_subscribed`, p: 0.9, note: "new, and matches a subscription" }],
  };
}
