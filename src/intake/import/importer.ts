// The engine of `ctx import` and of capture by hooks: takes what is new in some sources, one after the
// other, into a store. Knows nothing of how it was asked or how its result is shown.

import type { Context } from "../../command/command.ts";
import type { IndexFollower } from "../../index/index_follower.ts";
import { noteImport } from "../../store/logs/capture_log.ts";
import type { Store } from "../../store/store.ts";
import { Databases } from "../sources/database/databases.ts";
import type { Place } from "../sources/source.ts";
import { placeOf } from "./find_history.ts";
import type { PassOptions } from "./choose_sessions.ts";
import { runPass } from "./pass.ts";
import type { PassProgress } from "./pass_progress.ts";
import { makeProjectFilter, type ProjectFilter } from "./projects.ts";
import { addReceipt, maxProblems, type Receipt } from "./receipt.ts";
import { placeless, resolveSources, type SourceChoice } from "./resolve_sources.ts";
import { sourceNames, sourceTable } from "./source_table.ts";

/** What to import, and who hears of it. */
export interface ImportRequest extends SourceChoice {
  all_projects?: boolean;
  /** A timestamp: only sessions that went on after it. */
  since?: string;
  /** Only this session: the agent's id or ours. */
  session?: string;
  again?: boolean;
  dry_run?: boolean;
  /** Whether another process makes the vectors, and merges what is indexed here. */
  isFollowed?: boolean;
  onSession?: PassOptions["onSession"];
  titles?: PassOptions["titles"];
  /** Called before the first session of a source is read. */
  onStart?: (source: string, progress: PassProgress) => void;
}

/** An import that may pass over its sources several times. */
export class Importer implements AsyncDisposable {
  /** The sources, with their places where these are not the usual ones. */
  readonly sources: ReadonlyMap<string, string[] | undefined>;
  readonly #store: Store;
  readonly #context: Context;
  readonly #request: ImportRequest;
  readonly #place: Place;
  readonly #belongs: ProjectFilter;
  readonly #databases = new Databases();
  #follower?: IndexFollower;
  readonly #sums = new Map<string, Receipt>();

  private constructor(
    store: Store,
    request: ImportRequest,
    { context, sources }: { context: Context; sources: Importer["sources"] },
  ) {
    const { workspace } = store.layout;
    this.sources = sources;
    this.#store = store;
    this.#request = request;
    this.#context = context;
    this.#place = placeOf(context, workspace);
    this.#belongs = request.all_projects ? () => true : makeProjectFilter(workspace);
  }

  /** Finds out what there is to read; nothing is read yet. */
  static async open(store: Store, request: ImportRequest, context: Context): Promise<Importer> {
    const sources = await resolveSources(request, context);
    removeLeftovers(store, context.now());
    return new Importer(store, request, { context, sources });
  }

  /** Takes what is new; returns what each source gave. */
  async pass(): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (const [name, roots] of this.sources) {
      const receipt = await this.#take(name, roots);
      if (receipt === undefined) continue;
      receipts.push(receipt);
      if (this.#isWhole && receipt.problem_count === 0) {
        await noteImport(this.#store, { agent: receipt.source, now: this.#context.now() });
      }
      const before = this.#sums.get(receipt.source);
      this.#sums.set(receipt.source, before ? addReceipt(before, receipt) : receipt);
    }
    return receipts;
  }

  /** Waits until the index has what came in. */
  async finishIndex(): Promise<void> {
    const follower = this.#follower;
    this.#follower = undefined;
    await follower?.finish();
  }

  /** What each source gave in all passes; sources that are not on this machine are left out. */
  async sum(): Promise<Receipt[]> {
    const { sources: asked, from } = this.#request;
    const found = [...this.#sums.values()].filter((receipt) =>
      asked.includes(receipt.source) || receipt.roots.length > 0
    );
    const { settleProblems } = await import("./known_problems.ts");
    const keeps = this.#isWhole && from === undefined;
    const settled = settleProblems(this.#store, found, { keeps });
    const isAuto = from === undefined && this.sources.size === sourceNames.length;
    // Who asks for a source wants to know how it is, not what is new.
    return (isAuto ? settled : found).map((receipt) => ({
      ...receipt,
      problems: receipt.problems.slice(0, maxProblems),
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#databases[Symbol.dispose]();
    // An import that fails ends the index where it is.
    await this.#follower?.[Symbol.asyncDispose]();
  }

  /**
   * Indexes what was written while the import goes on: from the first full batch on, so that a hook's few
   * rows start no Worker. What came in first can then be found before the last is read. Only a command
   * line has a second core to itself.
   */
  async #indexBatch(): Promise<void> {
    const { surface, warn } = this.#context;
    if (surface !== "cli") return;
    if (this.#follower === undefined) {
      const { IndexFollower } = await import("../../index/index_follower.ts");
      const config = await this.#context.readConfig();
      this.#follower = new IndexFollower({
        workspace: this.#place.workspace,
        embeds: !this.#request.isFollowed && config.get("embedder.kind") === "local",
        mergesLater: this.#request.isFollowed ?? false,
        lockTimeoutMs: config.get("lock_timeout_ms"),
        warn,
      });
    }
    this.#follower.noteGrowth();
  }

  /** Hooks import one session, or the latest: they note by themselves how it went. */
  get #isWhole(): boolean {
    const { dry_run, root, session, since } = this.#request;
    return !dry_run && (root ?? session ?? since) === undefined;
  }

  async #take(name: string, roots: string[] | undefined): Promise<Receipt | undefined> {
    const { dry_run = false, again, since, session, onSession, onStart, titles } = this.#request;
    const { signal, now } = this.#context;
    const shared = {
      store: this.#store,
      signal,
      dryRun: dry_run,
      again,
      since,
      session,
      onSession: onSession ?? (() => {}),
      titles,
      onBatch: () => this.#indexBatch(),
    };
    if (name === "contextfs") {
      if (roots === undefined) return undefined;
      const { copyStore } = await import("./store_intake.ts");
      return await copyStore({ ...shared, files: this.#context.files, root: roots[0] });
    }
    const source = await sourceTable[name]();
    return await runPass({
      ...shared,
      onStart: (progress) => onStart?.(name, progress),
      source,
      roots: roots ?? source.locate(this.#place),
      place: this.#place,
      scratch: this.#store.layout.index,
      databases: this.#databases,
      now,
      // Such a file belongs to no workspace: whoever gives its path wants all of it.
      belongs: placeless.has(name) ? () => true : this.#belongs,
    });
  }
}

/** Copies of databases that a killed import left behind; younger ones may be in use. */
function removeLeftovers(store: Store, now: number): void {
  for (const name of store.files.list(store.layout.index)) {
    const path = `${store.layout.index}/${name}`;
    if (!name.startsWith("import-")) continue;
    if (now - (Deno.statSync(path).mtime?.getTime() ?? 0) > 3_600_000) store.files.remove(path);
  }
}
