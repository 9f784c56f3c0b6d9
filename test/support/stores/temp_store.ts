// A store in a directory of its own that goes away with the test. Commands run in process through
// `execute` (fast) or as real processes (`t.ctx`); both see the same files.

import { type ContextOptions, openContext } from "../../../src/app/app.ts";
import { findCommand } from "../../../src/commands/mod.ts";
import { execute } from "../../../src/command/execute.ts";
import type { Entry } from "../../../src/core/entry.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";
import { CtxError, type ErrorBody, toErrorBody } from "../../../src/core/errors.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import type { StoreOptions } from "../../../src/store/transact.ts";
import { homeOf, runCtx, type RunOptions, type RunResult } from "../processes/run_ctx.ts";

/** What the store holds at first. Rows may be partial: what is missing is filled in. */
export interface TempStoreOptions {
  entries?: (Partial<Entry> | string)[];
  archive?: (Partial<Entry> | string)[];
  /** Further files under `.contextfs/`, as they are. */
  files?: Record<string, string | Uint8Array>;
  /** False leaves the directory without a store. */
  init?: boolean;
}

/** The clock of in-process commands: it stands still. */
export const testNow = Date.parse("2026-01-02T03:04:05.678Z");

/** Makes a workspace with a store in it. */
export async function tempStore(options: TempStoreOptions = {}): Promise<TempStore> {
  const workspace = toOwnPath(await Deno.realPath(await Deno.makeTempDir({ prefix: "ctx-test-" })));
  const store = new TempStore(workspace);
  if (options.init === false) return store;
  await store.run("init");
  const archive = options.archive ?? [];
  if (archive.length > 0) store.write("history.archive.ndjson", toLog(archive, "A"));
  const entries = options.entries ?? [];
  if (entries.length > 0) store.write("history.ndjson", toLog(entries, "H"));
  for (const [name, data] of Object.entries(options.files ?? {})) store.write(name, data);
  return store;
}

/** A row with everything that a row must have. */
export function rowOf(fields: Partial<Entry> | string, index = 0, letter = "H"): Entry {
  const given = typeof fields === "string" ? { text: fields } : fields;
  const minute = String(index % 60).padStart(2, "0");
  const hour = String((letter === "A" ? 0 : 10) + Math.floor(index / 60)).padStart(2, "0");
  return {
    id: `H-${letter}${index + 1}`,
    ts: `2026-01-01T${hour}:${minute}:00.000Z`,
    role: "note",
    type: "note",
    text: "",
    ...given,
  };
}

/** Rows as the lines of a log. */
export function toLog(rows: (Partial<Entry> | string)[], letter = "H"): string {
  return rows.map((row, i) => JSON.stringify(rowOf(row, i, letter)) + "\n").join("");
}

/** A workspace under test. */
export class TempStore implements AsyncDisposable {
  readonly workspace: string;
  /** Warnings of in-process commands, oldest first. */
  readonly warnings: string[] = [];

  constructor(workspace: string) {
    this.workspace = workspace;
  }

  /** The `.contextfs` directory. */
  get root(): string {
    return `${this.workspace}/.contextfs`;
  }

  /** The home of the processes that `ctx` starts: empty at first, outside the workspace. */
  get home(): string {
    return homeOf(this.workspace);
  }

  /** Runs a command in process and gives its result. */
  async run<T = Record<string, unknown>>(
    name: string,
    input: object = {},
    options: ContextOptions = {},
  ): Promise<T> {
    const command = await findCommand(name);
    if (command === undefined) throw new Error(`no command ${name}`);
    using context = openContext({
      workspace: this.workspace,
      cwd: this.workspace,
      now: () => testNow,
      env: () => undefined,
      warn: (message) => this.warnings.push(message),
      ...options,
    });
    return await execute(command, input, context) as T;
  }

  /** Runs a command that must fail, and gives its error as every surface shows it. */
  async fail(name: string, input: object = {}, options: ContextOptions = {}): Promise<ErrorBody> {
    try {
      await this.run(name, input, options);
    } catch (error) {
      if (error instanceof CtxError) return toErrorBody(error);
      throw error;
    }
    throw new Error(`ctx ${name} did not fail`);
  }

  /** Runs `ctx WORDS…` as a process in the workspace. */
  async ctx(words: readonly string[], options: Partial<RunOptions> = {}): Promise<RunResult> {
    return await runCtx(words, { cwd: this.workspace, ...options });
  }

  /** What people see of it, without styles: programs get rows of lists instead. */
  async shown(words: readonly string[], options: Partial<RunOptions> = {}): Promise<RunResult> {
    const result = await this.ctx([...words, "--color", "always"], options);
    // deno-lint-ignore no-control-regex
    return { ...result, stdout: result.stdout.replace(/\x1b\[[\d;]*m/g, "") };
  }

  /** Opens the store itself. */
  open(options: Partial<StoreOptions> = {}): Store {
    return openStore({
      workspace: this.workspace,
      files: diskFiles,
      now: () => testNow,
      random: () => crypto.randomUUID(),
      warn: (message) => this.warnings.push(message),
      sync: false,
      ...options,
    });
  }

  /** What `get` gives for an id, or undefined. */
  textOf(id: string): string | undefined {
    const hit = this.open().find([id]).get(id);
    return hit?.forgotten ? undefined : hit?.row?.entry.text;
  }

  /** The visible ids in log order, archive first. */
  ids(): string[] {
    return [...this.open().entries()].map(({ entry }) => entry.id);
  }

  /** The names of doctor's checks that are not ok. */
  async ailments(): Promise<string[]> {
    const { checks } = await this.run<{ checks: { name: string; status: string }[] }>("doctor");
    return checks.filter((check) => check.status !== "ok").map((check) => check.name);
  }

  path(name: string): string {
    return `${this.root}/${name}`;
  }

  read(name: string): string {
    return Deno.readTextFileSync(this.path(name));
  }

  bytes(name: string): Uint8Array {
    return Deno.readFileSync(this.path(name));
  }

  exists(name: string): boolean {
    return diskFiles.findSize(this.path(name)) !== undefined;
  }

  /** The names in the store's directory, sorted. */
  list(): string[] {
    return diskFiles.list(this.root);
  }

  /** The paths of all files below the store's directory that have a text. */
  filesWith(text: RegExp): string[] {
    return diskFiles.listTree(this.root).filter((path) => text.test(Deno.readTextFileSync(path)));
  }

  write(name: string, data: string | Uint8Array): void {
    if (name.includes("/")) {
      Deno.mkdirSync(this.path(name.slice(0, name.lastIndexOf("/"))), { recursive: true });
    }
    Deno.mkdirSync(this.root, { recursive: true });
    if (typeof data === "string") Deno.writeTextFileSync(this.path(name), data);
    else Deno.writeFileSync(this.path(name), data);
  }

  append(name: string, data: string | Uint8Array): void {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    Deno.writeFileSync(this.path(name), bytes, { append: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.workspace, { recursive: true });
  }
}
