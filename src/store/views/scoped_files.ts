// A view of a store that holds one session and nothing else: the one place where `--session ID` is
// enforced. It stands below the store, so whatever a command reads (rows, counts, sizes, pins,
// traces, the index it builds) can only be of that session. What it does not know, it hides.

import { formatVersion, tombstoneType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { findJson, isObject } from "../../core/json.ts";
import { concat, decodeLossy, encodeExact } from "../../core/utf8.ts";
import type { FileReader, Files, FileWriter } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findTornTail } from "../../disk/lines.ts";
import { toFewNeedles } from "../find.ts";
import { MemoryReader } from "../../disk/memory_reader.ts";
import { findPinPlaces } from "../logs/pins.ts";
import { ScopedHistory, ScopedLog } from "./scoped_log.ts";
import { parseLine } from "../row.ts";
import { parseSessionEvent } from "../logs/session_log.ts";
import { openSnapshot } from "../snapshot.ts";
import { readState, writeState } from "../state.ts";
import { rotateTraces } from "../logs/trace_log.ts";

/** What a scoped view is made of. */
export interface ScopeOptions {
  files: Files;
  layout: Layout;
  sessionId: string;
  /** Completes or puts aside an unfinished last line of the real logs; called under the lock. */
  mendTails: () => void;
}

/** The files of a store as one session sees them. Reads are filtered, writes are checked. */
export function scopeFiles(options: ScopeOptions): Files {
  return new ScopedFiles(options);
}

class ScopedFiles implements Files {
  readonly isScoped = true;
  readonly #options: ScopeOptions;
  readonly #history: ScopedHistory;
  readonly #logs = new Map<string, ScopedLog>();
  /** The index of this view lives in memory: the one on disk covers other sessions. */
  readonly #memory = new Map<string, Uint8Array>();

  constructor(options: ScopeOptions) {
    const { files, layout, sessionId } = options;
    this.#options = options;
    this.#history = new ScopedHistory(files, layout, sessionId);
    this.#logs.set(
      layout.sessions,
      new ScopedLog(files, layout.sessions, {
        needle: JSON.stringify(sessionId),
        keep: (bytes) => parseSessionEvent(bytes)?.session_id === sessionId,
      }),
    );
    readState(files, layout);
  }

  findSize(path: string): number | undefined {
    return this.#find(path)?.length;
  }

  findBytes(path: string): Uint8Array | undefined {
    return this.#find(path)?.slice();
  }

  openReader(path: string): FileReader | undefined {
    const bytes = this.#find(path);
    if (bytes === undefined) return undefined;
    return new MemoryReader(bytes, () => this.#find(path)?.length === bytes.length);
  }

  append(path: string, bytes: Uint8Array, options: Parameters<Files["append"]>[2]): number {
    const { files, layout } = this.#options;
    if (this.#isDerived(path)) {
      const whole = join(this.#memory.get(path), bytes);
      this.#memory.set(path, whole);
      return whole.length;
    }
    if (this.#history.poolOf(path)) this.#checkRows(bytes);
    else if (path === layout.sessions) this.#checkEvents(bytes);
    else if (!this.#isSideLog(path)) throw this.#denied(path);
    if (findTornTail(files, path)) this.#options.mendTails();
    const size = files.append(path, this.#isSideLog(path) ? this.#stamp(bytes) : bytes, options);
    if (path === layout.traces) rotateTraces(files, layout, size);
    return size;
  }

  replace(path: string, bytes: Uint8Array, options: { sync: boolean }): void {
    const { files, layout } = this.#options;
    if (this.#isDerived(path)) this.#memory.set(path, bytes.slice());
    else if (path === layout.state) writeState(files, layout, readState(files, layout).state);
    else if (path === layout.pins) this.#replacePins(decodeLossy(bytes), options);
    else throw this.#denied(path);
  }

  truncate(path: string, size: number): void {
    if (!this.#isDerived(path)) throw this.#denied(path);
    this.#memory.set(path, (this.#memory.get(path) ?? new Uint8Array()).slice(0, size));
  }

  openWriter(path: string): FileWriter {
    if (!this.#isDerived(path)) throw this.#denied(path);
    let whole: Uint8Array | undefined;
    return {
      write: (bytes) => void (whole = join(whole, bytes)),
      finish: () => void this.#memory.set(path, whole ?? new Uint8Array()),
      abandon: () => void (whole = undefined),
    };
  }

  /** Nothing that others append to is rewritten here. */
  hold(): undefined {}

  rename(from: string, to: string): void {
    if (!this.#isDerived(from) || !this.#isDerived(to)) throw this.#denied(to);
    const bytes = this.#memory.get(from);
    if (bytes === undefined) return;
    this.#memory.set(to, bytes);
    this.#memory.delete(from);
  }

  remove(path: string): void {
    if (this.#isDerived(path)) this.#memory.delete(path);
    else if (this.#find(path) !== undefined) throw this.#denied(path);
  }

  makeDirectory(path: string): void {
    if (path !== this.#options.layout.root && !this.#isDerived(path)) throw this.#denied(path);
  }

  list(path: string): string[] {
    const { files, layout } = this.#options;
    if (path === layout.root) {
      return files.list(path).filter((name) =>
        name === "index" ? this.#memory.size > 0 : this.#find(`${path}/${name}`) !== undefined
      );
    }
    const inside = `${path}/`;
    const names = [...this.#memory.keys()].filter((name) => name.startsWith(inside))
      .map((name) => name.slice(inside.length).split("/")[0]);
    return [...new Set(names)].sort();
  }

  listTree(path: string): string[] {
    const names = this.list(path).map((name) => `${path}/${name}`);
    return names.flatMap((name) => this.#find(name) === undefined ? this.listTree(name) : [name]);
  }

  #find(path: string): Uint8Array | undefined {
    const { files, layout } = this.#options;
    const pool = this.#history.poolOf(path);
    if (pool) return this.#history.read(pool);
    if (path === layout.state) return this.#readState();
    if (path === layout.pins) return this.#readPins();
    const { config, gitignore, gitattributes } = layout;
    if ([config, gitignore, gitattributes].includes(path)) return files.findBytes(path);
    if (this.#isDerived(path)) return this.#memory.get(path);
    if (path === layout.sessions || this.#isSideLog(path)) return this.#logOf(path).read();
    return undefined;
  }

  /** The state as this session would have it: counts of its own rows, itself as the current one. */
  #readState(): Uint8Array {
    const logs = this.#history.counts();
    const state = {
      version: formatVersion,
      revision: logs.hot.rows + logs.archive.rows,
      session_id: this.#options.sessionId,
      logs,
    };
    return encodeExact(JSON.stringify(state));
  }

  #readPins(): Uint8Array | undefined {
    const bytes = this.#options.files.findBytes(this.#options.layout.pins);
    if (bytes === undefined) return undefined;
    const lines = decodeLossy(bytes).split("\n");
    const isOwn = this.#tellPins(lines);
    return encodeExact(lines.filter(isOwn).map((line) => `${line}\n`).join(""));
  }

  /** Carries what changed in this session's pins over to the real file; all other lines stay. */
  #replacePins(text: string, options: { sync: boolean }): void {
    const { files, layout } = this.#options;
    const lines = text.split("\n");
    this.#refuseShared(lines.flatMap(pinnedIds));
    const real = decodeLossy(files.findBytes(layout.pins) ?? new Uint8Array()).split("\n");
    const isOwn = this.#tellPins([...lines, ...real]);
    const after = lines.filter(isOwn);
    const kept = real.filter((line) => !isOwn(line) || after.includes(line));
    const added = after.filter((line) => !kept.includes(line));
    const base = kept.join("\n").replace(/\n*$/, kept.some((line) => line !== "") ? "\n" : "");
    files.replace(layout.pins, encodeExact(base + added.map((line) => `${line}\n`).join("")), {
      sync: options.sync,
    });
  }

  /** Tells which lines are pins of this session's entries; one of a shared id may have others' words. */
  #tellPins(lines: readonly string[]): (line: string) => boolean {
    const pinned = lines.flatMap(pinnedIds).filter((id) => this.#history.owns(id));
    const own = new Set(pinned).difference(this.#findShared(pinned));
    return (line) => pinnedIds(line).some((id) => own.has(id));
  }

  /** Rows that may be added: entries of this session, and tombstones of its entries. */
  #checkRows(bytes: Uint8Array): void {
    for (const line of splitLines(bytes)) {
      for (const entry of parseLine(line).entries) {
        const { type, refs = [], supersedes } = entry;
        const isTombstone = type === tombstoneType;
        const own = isTombstone
          ? refs.every((id) => this.#history.owns(id))
          : entry.session_id === this.#options.sessionId;
        if (!own) throw this.#denied(undefined);
        this.#refuseShared(isTombstone ? refs : supersedes === undefined ? [] : [supersedes]);
        if (!isTombstone) this.#history.expect(entry.id);
      }
    }
  }

  /** Tombstones, corrections and pins name ids, and reach every entry of one. */
  #refuseShared(ids: readonly string[]): void {
    const [id] = this.#findShared(ids);
    if (id === undefined) return;
    throw new CtxError(
      "DENIED",
      `Cannot change "${id}": an entry outside this session has that id`,
      {
        hint: "nothing was changed; to give each entry its own id, run: ctx doctor --fix",
      },
    );
  }

  /** Those of some ids that entries outside this session have, as stores that others wrote may. */
  #findShared(ids: readonly string[]): Set<string> {
    const { files, layout, sessionId } = this.#options;
    const [named, shared] = [new Set(ids), new Set<string>()];
    if (named.size === 0) return shared;
    using snapshot = openSnapshot(files, layout);
    for (const { entry } of snapshot.rows({ needles: toFewNeedles(named) })) {
      if (named.has(entry.id) && entry.session_id !== sessionId) shared.add(entry.id);
    }
    return shared;
  }

  #checkEvents(bytes: Uint8Array): void {
    for (const line of splitLines(bytes)) {
      if (parseSessionEvent(line)?.session_id !== this.#options.sessionId) {
        throw this.#denied(undefined);
      }
    }
  }

  /** Marks rows of other logs (traces, suggestions) as this session's own, to be found again. */
  #stamp(bytes: Uint8Array): Uint8Array {
    const lines = splitLines(bytes).map((line) => {
      const row = JSON.parse(decodeLossy(line));
      // Nor does it count as another's: what was suggested to a session is not suggested again.
      if (row.session_id !== undefined) row.session_id = this.#options.sessionId;
      return JSON.stringify({ ...row, pinned_session: this.#options.sessionId }) + "\n";
    });
    return encodeExact(lines.join(""));
  }

  #logOf(path: string): ScopedLog {
    const { files, sessionId } = this.#options;
    const known = this.#logs.get(path);
    if (known) return known;
    const log = new ScopedLog(files, path, {
      needle: `"pinned_session":${JSON.stringify(sessionId)}`,
      keep: (bytes) => findStamp(bytes) === sessionId,
    });
    this.#logs.set(path, log);
    return log;
  }

  #isDerived(path: string): boolean {
    const { index } = this.#options.layout;
    return path === index || path.startsWith(`${index}/`);
  }

  #isSideLog(path: string): boolean {
    const { root, quarantine, sessions } = this.#options.layout;
    return path.startsWith(`${root}/`) && path.endsWith(".ndjson") &&
      path !== quarantine && path !== sessions && this.#history.poolOf(path) === undefined;
  }

  #denied(path: string | undefined): CtxError {
    const { root } = this.#options.layout;
    const what = path === undefined ? "write" : `change "${path.slice(root.length + 1)}"`;
    return new CtxError("DENIED", `Cannot ${what}: this view is scoped to one session`, {
      hint: "use a server or command line that is not limited to one session",
    });
  }
}

function pinnedIds(line: string): string[] {
  return findPinPlaces(line, () => true).flatMap(({ id }) => id ?? []);
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (line.length > 0) lines.push(line);
    start = end < 0 ? bytes.length : end + 1;
  }
  return lines;
}

function findStamp(bytes: Uint8Array): unknown {
  const row = findJson(decodeLossy(bytes));
  return isObject(row) ? row.pinned_session : undefined;
}

function join(before: Uint8Array | undefined, bytes: Uint8Array): Uint8Array {
  return concat([before ?? new Uint8Array(), bytes]);
}
