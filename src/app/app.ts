// Opens a Context: the only place that wires configuration, store and surface together.

import { toOwnPath } from "../core/platform_path.ts";
import {
  applyEnvironment,
  configFiles,
  loadConfig,
  userStoreDirectory,
} from "../config/load_config.ts";
import { Config } from "../config/merged_config.ts";
import { withholdUntrusted } from "../config/trusted.ts";
import { findCommand } from "../commands/mod.ts";
import type { Context } from "../command/command.ts";
import { findEnvironment } from "../core/environment.ts";
import { drawSeed } from "../core/id.ts";
import { CtxError } from "../core/errors.ts";
import { diskFiles, type Files } from "../disk/files.ts";
import { findWorkspace, holdsStore, layoutOf, realDirectory } from "../disk/layout.ts";
import { openStore, type Store } from "../store/store.ts";
import type { StoreOptions } from "../store/transact.ts";
import type { WriterOptions } from "../store/writer.ts";

/** What a surface says about itself; everything has a sensible default. */
export type ContextOptions = Partial<Pick<Context, Given>> & {
  /** Checks every path of the store for links before it is used: for callers that are not trusted. */
  confined?: boolean;
};

/** What a surface may hand in. Whoever calls the library has agreed to what destroys by calling. */
type Given =
  | ("surface" | "workspace" | "cwd" | "files" | "env" | "fetch" | "now" | "random" | "wait")
  | (
    | "scopedSession"
    | "ownSession"
    | "signal"
    | "consent"
    | "confirm"
    | "editText"
    | "isPiped"
    | "showsColumns"
  )
  | ("readInput" | "warn" | "progress" | "tell" | "write" | "summarize" | "findFollower");

/**
 * Makes the context that commands run in; nothing is opened before a command asks for it. Disposing
 * of it closes the files that searches keep open.
 */
export function openContext(options: ContextOptions = {}): Context & Disposable {
  const world = openWorld(options);
  const { cwd, now, seed, env, warn } = world;
  const files = options.files ?? diskFiles;
  const workspace = options.workspace === undefined
    ? undefined
    : realDirectory(options.workspace, cwd);
  let store: Store | undefined;
  let userStore: Store | undefined;
  let config: Promise<Config> | undefined;
  const others: Store[] = [];
  const isHeld = options.confined || options.scopedSession !== undefined;

  const findRoot = (): string | undefined => findWorkspace({ workspace, cwd });
  const loadFor = (root: string | undefined): Promise<Config> => {
    const path = root === undefined ? undefined : layoutOf(root).config;
    return loadConfig(configFiles(path, env), warn).then((loaded) =>
      withholdUntrusted(applyEnvironment(loaded, env), root ?? cwd, warn)
    );
  };
  const readConfig = (): Promise<Config> => config ??= loadFor(findRoot());
  const storeOptions = async (
    directory: string,
    lenient = false,
  ): Promise<StoreOptions & { sync: boolean }> => {
    const settings = await (lenient ? readConfig().catch(() => new Config()) : readConfig());
    return {
      workspace: directory,
      files,
      now,
      random: seed,
      warn,
      sync: settings.get("durability") === "sync",
      lockTimeoutMs: settings.get("lock_timeout_ms"),
    };
  };
  const context: Context & Disposable = {
    ...world,
    workspace,
    async openStore({ lenient = false } = {}) {
      if (store) return store;
      const found = findRoot();
      config ??= loadFor(found);
      const root = found ?? cwd;
      const plain = await storeOptions(root, lenient);
      const chosen = await chooseFiles(options, { ...plain, layout: layoutOf(root) });
      return store = openStore({ ...plain, files: chosen });
    },
    async openUserStore({ create = false } = {}) {
      const directory = userStoreDirectory(env);
      if (userStore || directory === undefined || isBarred(directory)) return userStore;
      if (options.scopedSession !== undefined) return undefined;
      if (!holdsStore(directory)) {
        if (!create) return undefined;
        const layout = layoutOf(directory);
        files.makeDirectory(layout.root);
        files.append(layout.history.hot, new Uint8Array(), { sync: true });
      }
      return userStore = openStore(await storeOptions(directory));
    },
    openProject: isHeld ? undefined : async (directory) => {
      const other = openStore(await storeOptions(directory));
      others.push(other);
      return other;
    },
    files: isHeld ? readOnly(files) : files,
    readConfig,
    async wholeIds(names, words) {
      const { wholeIds } = await import("./names/whole_ids.ts");
      return await wholeIds(names, words, context);
    },
    findCommand,
    [Symbol.dispose]() {
      store?.[Symbol.dispose]();
      userStore?.[Symbol.dispose]();
      for (const other of others) other[Symbol.dispose]();
    },
  };
  return context;
}

/** What the surface hands in of the world, and this process's own where it hands in nothing. */
function openWorld({ confined: _, ...given }: ContextOptions) {
  const signal = given.signal ?? new AbortController().signal;
  const readEnv = given.env ?? findEnvironment;
  const session = given.scopedSession ?? given.ownSession;
  return {
    ...given,
    surface: given.surface ?? "library",
    cwd: toOwnPath(given.cwd ?? Deno.cwd()),
    signal,
    now: given.now ?? Date.now,
    wait: given.wait ?? ((ms: number) => waitFor(ms, signal)),
    fetch: given.fetch ?? fetch,
    random: given.random ?? (() => crypto.randomUUID()),
    seed: given.random ?? drawSeed,
    env: (name: string): string | undefined =>
      name === "CTX_SESSION" && session !== undefined ? session : readEnv(name),
    readInput: given.readInput ?? noInput,
    consent: given.consent ??
      ((given.surface ?? "library") === "library" ? true as const : undefined),
    warn: given.warn ?? (() => {}),
    progress: given.progress ?? (() => {}),
  };
}

/** Served callers change nothing but through the store, which checks every path. */
function readOnly(files: Files): Files {
  const refuse = (): never => {
    throw new CtxError("DENIED", "Cannot write here: only the store can be changed");
  };
  const writes = [
    "append",
    "truncate",
    "replace",
    "openWriter",
    "rename",
    "remove",
    "makeDirectory",
  ];
  return { ...files, ...Object.fromEntries(writes.map((name) => [name, refuse])) };
}

/** Whether the sandbox does not let us look there. */
function isBarred(directory: string): boolean {
  return Deno.permissions.querySync({ name: "read", path: directory }).state !== "granted";
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** The files as they are, checked path by path, or held to one session; loaded only when asked for. */
async function chooseFiles(chosen: ContextOptions, options: WriterOptions): Promise<Files> {
  const { layout } = options;
  let { files } = options;
  if (chosen.confined) {
    const { confineFiles } = await import("../disk/confined_files.ts");
    files = confineFiles(files, layout);
  }
  if (chosen.scopedSession === undefined) return files;
  const { scopeFiles } = await import("../store/views/scoped_files.ts");
  const { Writer } = await import("../store/writer.ts");
  const mendTails = (): void => void new Writer({ ...options, files });
  return scopeFiles({ files, layout, sessionId: chosen.scopedSession, mendTails });
}

function noInput(): Promise<Uint8Array> {
  throw new CtxError("USAGE", "Cannot read standard input here: pass the text itself");
}
