// Opens a Context: the only place that wires configuration, store and surface together.

import { type Config, configFiles, loadConfig } from "./config/config.ts";
import type { Context, Surface } from "./commands/context.ts";
import { CtxError } from "./core/errors.ts";
import { diskFiles, type Files } from "./store/files.ts";
import { findWorkspace, layoutOf } from "./store/layout.ts";
import { openStore, type Store } from "./store/store.ts";

/** What a surface says about itself; everything has a sensible default. */
export interface ContextOptions {
  surface?: Surface;
  /** The directory to use instead of looking upwards from the current one. */
  workspace?: string;
  cwd?: string;
  files?: Files;
  now?: () => number;
  random?: () => string;
  env?: (name: string) => string | undefined;
  signal?: AbortSignal;
  readInput?: () => Promise<Uint8Array>;
  warn?: (message: string) => void;
  progress?: (message: string, done?: number, total?: number) => void;
  write?: (chunk: Uint8Array) => void;
  /** A language model's way to summarise; without one summaries are extractive. */
  summarize?: Context["summarize"];
}

/** Makes the context that commands run in; nothing is opened before a command asks for it. */
export function openContext(options: ContextOptions = {}): Context {
  const cwd = options.cwd ?? Deno.cwd();
  const now = options.now ?? Date.now;
  const random = options.random ?? (() => crypto.randomUUID());
  const env = options.env ?? ((name: string) => Deno.env.get(name));
  const warn = options.warn ?? (() => {});
  const files = options.files ?? diskFiles;
  const workspace = options.workspace === undefined ? undefined : resolve(cwd, options.workspace);
  let store: Store | undefined;
  let config: Promise<Config> | undefined;

  const readConfig = (): Promise<Config> => {
    const root = workspace ?? findWorkspace(cwd);
    const path = root === undefined ? undefined : layoutOf(root).config;
    return config ??= loadConfig(configFiles(path, env), warn);
  };
  return {
    surface: options.surface ?? "library",
    cwd,
    workspace,
    signal: options.signal ?? new AbortController().signal,
    async openStore() {
      if (store) return store;
      const settings = await readConfig();
      store = openStore({
        workspace: workspace ?? findWorkspace(cwd) ?? cwd,
        files,
        now,
        random,
        warn,
        sync: settings.get("durability") === "sync",
        lockTimeoutMs: settings.get("lock_timeout_ms"),
      });
      return store;
    },
    files,
    readConfig,
    now,
    random,
    env,
    readInput: options.readInput ?? noInput,
    warn,
    progress: options.progress ?? (() => {}),
    write: options.write,
    summarize: options.summarize,
  };
}

function noInput(): Promise<Uint8Array> {
  throw new CtxError("USAGE", "Cannot read standard input here: pass the text itself");
}

function resolve(cwd: string, path: string): string {
  const absolute = path.startsWith("/") ? path : `${cwd}/${path}`;
  try {
    return Deno.realPathSync(absolute);
  } catch (error) {
    throw new CtxError("NOT_FOUND", `Cannot use workspace "${path}": there is no such directory`, {
      hint: "create the directory first, then: ctx init --workspace DIR",
      cause: error,
    });
  }
}
