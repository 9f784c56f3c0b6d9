// Says how near rows are to a query by the model. Vectors of rows come from the cache only; what is
// missing is made after the answer, in the background and within a share of the processor, so that the
// next question has it. Who can wait has it made at once.

import type { Entry } from "../../core/entry.ts";
import { embeddableText } from "../../index/vectors/embedder.ts";
import { quantize, type Quantized } from "../../index/vectors/vector_format.ts";
import type { Store } from "../../store/store.ts";
import { TextEmbedder } from "./text_embedder.ts";
import { type CachedRow, VectorCache } from "./vector_cache.ts";

/** More of a text than its first tokens can hold is not looked at. */
const textChars = 4096;
/** After a text the background rests this many times as long as it took: a third of one processor. */
const restShare = 2;
/** Rows that wait for their vectors; the newest questions come first. */
const mostWaiting = 200;
/** Vectors are kept in batches of this many; each takes the store's lock for a moment. */
const batchRows = 10;
/** How long to leave the store's lock to whoever has it. */
const lockedMs = 200;
/** How long somebody who can wait waits for the rows of one search. */
const patienceMs = 15_000;

/** One question to the reranker. */
export interface RerankQuestion {
  /** Why no cosine is known, where none can be; and what to do. */
  reason?: string;
  /** The cosine of a row with the query; undefined where it is not known yet, which is then noted. */
  cosineOf(entry: Entry): number | undefined;
  /** Has the vectors of the noted rows made in the background. */
  later(): void;
  /** Makes them now, as many as there is time for; false when there was nothing to make. */
  now(signal: AbortSignal): Promise<boolean>;
}

/** What reranks the searches of one store. */
export class Reranker implements Disposable {
  readonly #cache: VectorCache;
  #waiting: CachedRow[] = [];
  #isWorking = false;
  #isClosed = false;

  constructor(store: Store, options: { cacheMb: number }) {
    this.#cache = new VectorCache(store, { maxBytes: options.cacheMb * 2 ** 20 });
  }

  /** Takes a question; who does not wait gets no cosines while the model is being loaded. */
  async ask(query: string, options: { wait: boolean }): Promise<RerankQuestion> {
    const opening = embedder.open().catch(() => {});
    if (options.wait) await opening;
    // Before any row is read: see VectorCache.
    const hasCache = this.#cache.refresh();
    const { failure } = embedder;
    if (failure) return silent(`${failure.message}${failure.hint ? `; ${failure.hint}` : ""}`);
    if (!hasCache) return silent("its cache cannot be written now");
    if (embedder.isReady) return this.#question(quantize(await embedder.embed(query)));
    return { ...this.#question(), reason: "the model is being loaded" };
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#cache[Symbol.dispose]();
  }

  #question(query?: Quantized): RerankQuestion {
    const missing: CachedRow[] = [];
    return {
      cosineOf: (entry) => {
        const row = { id: entry.id, text: embeddableText(entry).slice(0, textChars) };
        const cosine = query && this.#cache.find(row, query);
        if (cosine === undefined && !this.#cache.has(row)) missing.push(row);
        return cosine;
      },
      later: () => {
        this.#waiting = [...missing.splice(0), ...this.#waiting].slice(0, mostWaiting);
        void this.#work();
      },
      now: async (signal) => {
        const until = performance.now() + patienceMs;
        const rows = missing.splice(0);
        const made: (CachedRow & { vector: Float32Array })[] = [];
        for (const row of rows) {
          if (signal.aborted || performance.now() > until) break;
          made.push({ ...row, vector: await embedder.embed(row.text) });
        }
        return made.length > 0 && this.#cache.add(made) && this.#cache.refresh();
      },
    };
  }

  /** Makes what is waited for, until nothing is; what fails is asked for again by a later search. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    let made: (CachedRow & { vector: Float32Array })[] = [];
    try {
      while (this.#waiting.length + made.length > 0 && !this.#isClosed) {
        const row = this.#waiting.shift();
        // Asked for again before it was kept, a row would be made again and others would wait.
        if (row && !this.#cache.has(row) && !made.some(({ id }) => id === row.id)) {
          const started = performance.now();
          made.push({ ...row, vector: await embedder.embed(row.text) });
          await rest((performance.now() - started) * restShare);
        }
        if (made.length < batchRows && this.#waiting.length > 0) continue;
        if (this.#isClosed) return;
        if (this.#cache.add(made)) made = [];
        else await rest(lockedMs);
        this.#cache.refresh();
      }
    } catch {
      this.#waiting = [];
    } finally {
      this.#isWorking = false;
    }
  }
}

/** One model for all stores of the process. */
const embedder = new TextEmbedder();
const rerankers = new Map<string, Reranker>();

/** The reranker of a store, which lives as long as the process: the next question has it warm. */
export function useReranker(store: Store, options: { cacheMb: number }): Reranker {
  const { root } = store.layout;
  const found = rerankers.get(root) ?? new Reranker(store, options);
  rerankers.set(root, found);
  return found;
}

/** Ends all of it with the last of its users: a Worker keeps a program running that is done. */
export function endWith(onClose: (close: () => void) => void): void {
  if (users.has(onClose)) return;
  users.add(onClose);
  onClose(() => {
    users.delete(onClose);
    if (users.size === 0) closeRerankers();
  });
}

const users = new Set<(close: () => void) => void>();

function closeRerankers(): void {
  for (const reranker of rerankers.values()) reranker[Symbol.dispose]();
  rerankers.clear();
  embedder[Symbol.dispose]();
}

function silent(reason: string): RerankQuestion {
  return {
    reason,
    cosineOf: () => undefined,
    later: () => {},
    now: () => Promise.resolve(false),
  };
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, ms)));
}
