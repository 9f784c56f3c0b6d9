// Tells of entries whether the code that they stand on is still there. Lazy and bounded: only what is
// asked for is looked at, each file is read once. Reads the store, the work tree and git; writes
// nothing.

import { findRealPath, isDirectory } from "../../disk/outside_files.ts";
import type { Entry } from "../../core/entry.ts";
import { findMainCheckout, findWorktrees } from "../../disk/worktree.ts";
import type { Store } from "../../store/store.ts";
import type { ChangeCommit, CodeHistory } from "./code_history.ts";
import {
  type Confirmation,
  confirmedGround,
  type ConfirmedPart,
  hashOf,
  judgeConfirmed,
  readConfirmations,
} from "./confirmation.ts";
import { type CodeRows, findEdits, isSilent, laterEdits, type MadeEdit } from "./entry_edits.ts";
import { groundOf, type GroundPart, type PlacedEdit } from "./ground.ts";
import { type Freshness, isStale } from "./freshness.ts";
import { type FileState, judgeFreshness, type Verdict } from "./judge_freshness.ts";
import {
  findLost,
  judgeQuoted,
  judgeWhole,
  type LostFile,
  type NamedGround,
  type NamedWays,
  readNamedGround,
} from "./look_at_named.ts";
import { normalLine } from "./normal_line.ts";
import { type Place, placePath, placeTree } from "./place_path.ts";
import { sayChange } from "./say_change.ts";
import { mayNameCode, mayStandOnCode } from "./may_speak_of_code.ts";
import { WorkFiles } from "./work_files.ts";

/** How far to go. */
export interface ReaderOptions {
  /** Git may be walked, however long its history; else only where that is quick. */
  isPatient?: boolean;
}

/** What was found of a row: what is told, and what of its code is no longer there. */
interface Look {
  told: Freshness;
  lost: Verdict["lost"];
  sinceMs: number;
  isHashed: boolean;
  /** The files that it was compared with. */
  files: WorkFiles;
  /** How a file went that is told of by its name alone. */
  end?: Partial<ChangeCommit>;
}

/** One look at a store and its work tree; dispose of it. */
export class FreshnessReader implements Disposable {
  readonly #store: Store;
  readonly #rows: CodeRows;
  readonly #options: ReaderOptions;
  readonly #files: WorkFiles;
  readonly #trees = new Map<string, WorkFiles>();
  readonly #place: Place;
  #confirmed?: Map<string, Confirmation>;
  #history?: Promise<CodeHistory>;
  #opened?: CodeHistory;
  readonly #known = new Map<number, Promise<Look | undefined>>();
  readonly #ways: NamedWays;

  constructor(store: Store, rows: CodeRows, options: ReaderOptions = {}) {
    const { workspace } = store.layout;
    this.#store = store;
    this.#rows = rows;
    this.#options = options;
    this.#files = new WorkFiles(workspace);
    this.#place = { workspace, worktrees: findWorktrees(workspace), exists: isDirectory };
    this.#ways = {
      files: this.#files,
      place: (name, project) => placePath(name, project, this.#place),
      groundOf: (edits) => this.#groundOf(edits),
      history: () => this.#useHistory(),
    };
  }

  /** What is to be told of an entry; nothing when it does not speak of code. */
  async find(entry: Entry, global: number): Promise<Freshness | undefined> {
    return (await this.#lookOnce(entry, global))?.told;
  }

  /** The same, with the commit that changed it and when. */
  async explain(entry: Entry, global: number): Promise<Freshness | undefined> {
    const look = await this.#lookOnce(entry, global);
    const path = look?.told.changed?.path;
    if (look === undefined || path === undefined || !isStale(look.told.freshness)) {
      return look?.told;
    }
    const lost = new Set(look.lost.filter((one) => one.path === path).map(({ line }) => line));
    const isLine = isOneOf(lost, look.isHashed);
    const { sinceMs } = look;
    const end = look.end ?? await (await this.#useHistory()).findEnd(path, { sinceMs, isLine });
    const time = end === undefined ? look.files.findTime(path) : undefined;
    const isKept = time !== undefined && look.files === this.#files &&
      await (await this.#useHistory()).isUnchanged(path);
    const since = time !== undefined && time > sinceMs && !isKept
      ? { since: new Date(time).toISOString() }
      : {};
    const changed = { ...look.told.changed, ...since, ...end };
    const { freshness } = look.told;
    return { freshness, changed: { ...changed, says: sayChange(freshness, changed) } };
  }

  /** What of an entry's code is there today, for a confirmation; nothing when it stands on none. */
  async findGround(entry: Entry, global: number): Promise<ConfirmedPart[]> {
    const edits = this.#editsOf(entry, global);
    if (edits.length === 0) {
      const { quoted, whole, paths } = await this.#namedBy(entry);
      const there = paths.filter((path) => this.#files.kindOf(path) !== undefined);
      const named = there.map((path) => ({ path, lines: [] }));
      return [...confirmedGround([...quoted, ...whole], this.#fileOf), ...named];
    }
    const { ground, files } = await this.#judgeEdits(edits, Date.parse(entry.ts));
    return confirmedGround(ground, (path) => files.find(path));
  }

  [Symbol.dispose](): void {
    this.#opened?.[Symbol.dispose]();
  }

  #lookOnce(entry: Entry, global: number): Promise<Look | undefined> {
    let look = this.#known.get(global);
    if (look === undefined) this.#known.set(global, look = this.#look(entry, global));
    return look;
  }

  async #look(entry: Entry, global: number): Promise<Look | undefined> {
    const confirmed = this.#findConfirmed(entry);
    const edits = this.#editsOf(entry, global);
    if (confirmed) return await this.#lookConfirmed(confirmed, edits);
    if (edits.length === 0) return await this.#lookNamed(entry);
    const sinceMs = Date.parse(entry.ts);
    const judged = await this.#judgeEdits(edits, sinceMs);
    const branch = await this.#findBranch(entry, { verdict: judged.verdict, sinceMs });
    const { files } = judged;
    const verdict = await this.#withoutUnheard(judged);
    const told = branch === undefined ? this.#tell(verdict, { last: edits[edits.length - 1] }) : {
      freshness: "unknown" as const,
      changed: { because: `it belongs to the branch ${branch}` },
    };
    return { told, lost: verdict.lost, sinceMs, isHashed: false, files };
  }

  async #lookConfirmed({ ts, ground }: Confirmation, edits: readonly MadeEdit[]): Promise<Look> {
    const sinceMs = Date.parse(ts);
    const lined = ground.filter(({ lines }) => lines.length > 0);
    const judge = (files: WorkFiles) => judgeConfirmed(lined, (path) => files.find(path));
    const verdict = judge(this.#files);
    const other = await this.#findTree(edits, { verdict, sinceMs, isHashed: true });
    const { lost, ...last } = other ? judge(other) : verdict;
    const told = this.#tell({ ...last, lost }, { confirmed: ts });
    const look = { told, lost, sinceMs, isHashed: true, files: other ?? this.#files };
    const paths = ground.flatMap(({ path, lines }) => lines.length > 0 ? [] : path);
    const gone = (await findLost(paths, { sinceMs, ways: this.#ways })).lost;
    return withLost(look, gone, { isAll: lined.length === 0 && gone.length === paths.length });
  }

  /** What was saved without edits to stand on: by what its text says of code. */
  async #lookNamed(entry: Entry): Promise<Look | undefined> {
    const { quoted, whole, paths } = await this.#namedBy(entry);
    const sinceMs = Date.parse(entry.ts);
    const options = { sinceMs, ways: this.#ways };
    const verdict = quoted.length === 0
      ? judgeWhole(whole, options)
      : await judgeQuoted(quoted, options);
    const { lost, known } = await findLost(paths, options);
    if (verdict === undefined && lost.length === 0) return undefined;
    const told: Freshness = verdict ? this.#tell(verdict, {}) : { freshness: "fresh" };
    const files = this.#files;
    const look = { told, lost: verdict?.lost ?? [], sinceMs, isHashed: false, files };
    return withLost(look, lost, { isAll: verdict === undefined && lost.length === known });
  }

  async #namedBy(entry: Entry): Promise<NamedGround> {
    const isNamed = mayNameCode(entry) && !isSilent(entry.type);
    return isNamed
      ? await readNamedGround(entry, this.#ways)
      : { quoted: [], whole: [], paths: [] };
  }

  /** Compares edits with the workspace, or with the worktree that they are still to come from. */
  async #judgeEdits(
    edits: readonly MadeEdit[],
    sinceMs: number,
  ): Promise<Judged> {
    const ground = await this.#groundOf(this.#placed(edits));
    const verdict = ground.length === 0 ? elsewhere : judgeFreshness(ground, this.#fileOf);
    const files = await this.#findTree(edits, { verdict, sinceMs, isHashed: false });
    if (files === undefined) return { ground, verdict, files: this.#files };
    const there = groundOf(this.#placed(edits));
    return { ground: there, verdict: judgeFreshness(there, (path) => files.find(path)), files };
  }

  /** The verdict without files that are not there and that git does not know: nobody took those away. */
  async #withoutUnheard({ verdict, ground, files }: Judged): Promise<Verdict> {
    if (!isStale(verdict.name)) return verdict;
    const heard: GroundPart[] = [];
    for (const part of ground) {
      const isThere = files.find(part.path) !== undefined;
      const history = isThere ? undefined : await this.#useHistory();
      if (history === undefined || (history.knows(part.path) ?? !history.hasGit)) heard.push(part);
    }
    if (heard.length === ground.length) return verdict;
    return heard.length === 0 ? unheard : judgeFreshness(heard, (path) => files.find(path));
  }

  /** The worktree of edits that the workspace does not have: nobody took them away, they were not merged. */
  async #findTree(
    edits: readonly MadeEdit[],
    { verdict, sinceMs, isHashed }: { verdict: Verdict; sinceMs: number; isHashed: boolean },
  ): Promise<WorkFiles | undefined> {
    if (!isStale(verdict.name)) return undefined;
    const roots = new Set(edits.map(({ path, project }) => placeTree(path, project, this.#place)));
    const [root] = roots;
    if (root === undefined || roots.size > 1) return undefined;
    const real = findRealPath(this.#place.workspace);
    if (real === undefined || findMainCheckout(root) !== real) return undefined;
    const history = await this.#useHistory();
    for (const [path, lost] of Map.groupBy(verdict.lost, ({ path }) => path)) {
      const isLine = isOneOf(new Set(lost.map(({ line }) => line)), isHashed);
      if (await history.findEnd(path, { sinceMs, isLine })) return undefined;
    }
    let files = this.#trees.get(root);
    if (files === undefined) this.#trees.set(root, files = new WorkFiles(root));
    return files;
  }

  /** The branch that still has to bring what an entry wrote: no commit here ever knew its lines. */
  async #findBranch(
    { branch }: Entry,
    { verdict, sinceMs }: { verdict: Verdict; sinceMs: number },
  ): Promise<string | undefined> {
    if (branch === undefined || !isStale(verdict.name) || verdict.lost.length === 0) {
      return undefined;
    }
    const history = await this.#useHistory();
    for (const [path, lost] of Map.groupBy(verdict.lost, ({ path }) => path)) {
      const isLine = isOneOf(new Set(lost.map(({ line }) => line)), false);
      if (!await history.isElsewhere(branch, { path, sinceMs, isLine })) return undefined;
    }
    return branch;
  }

  readonly #fileOf = (path: string): FileState => this.#files.find(path);

  #editsOf(entry: Entry, global: number): MadeEdit[] {
    return mayStandOnCode(entry) ? findEdits(entry, global, this.#rows) : [];
  }

  /** The ground of edits in the files of today: those that were renamed under their new names. */
  async #groundOf(edits: readonly PlacedEdit[]): Promise<GroundPart[]> {
    const parts: GroundPart[] = [];
    for (const part of groundOf(edits)) {
      const isGone = part.added.length > 0 && this.#files.find(part.path) === undefined;
      const name = isGone ? await this.#findName(part) : undefined;
      parts.push(name === undefined ? part : { ...part, path: name });
    }
    return parts;
  }

  /** The new name of a file, if it holds something of what was written to the old one. */
  async #findName(part: GroundPart): Promise<string | undefined> {
    const names = await (await this.#useHistory()).findNames(part.path);
    return names.find((path) => {
      const { name } = judgeFreshness([{ ...part, path }], this.#fileOf);
      return name === "fresh" || name === "drifted";
    });
  }

  #placed(edits: readonly MadeEdit[]): MadeEdit[] {
    return edits.flatMap((edit) => {
      const path = edit.path === "" ? undefined : placePath(edit.path, edit.project, this.#place);
      return path === undefined ? [] : [{ ...edit, path }];
    });
  }

  async #useHistory(): Promise<CodeHistory> {
    this.#history ??= import("./code_history.ts").then(({ CodeHistory }) =>
      this.#opened = new CodeHistory(this.#store, this.#options)
    );
    return await this.#history;
  }

  /** The last confirmation of an entry. */
  #findConfirmed({ id }: Entry): Confirmation | undefined {
    this.#confirmed ??= readConfirmations(this.#rows);
    return this.#confirmed.get(id);
  }

  #tell(
    { name, of, lost, because }: Verdict,
    { last, confirmed }: { last?: MadeEdit; confirmed?: string },
  ): Freshness {
    if (name === "fresh") {
      return { freshness: name, ...(confirmed ? { changed: { confirmed } } : {}) };
    }
    if (name === "unknown") return { freshness: name, changed: { because } };
    const counts = [...Map.groupBy(lost, ({ path }) => path)];
    const most = counts.toSorted(([, a], [, b]) => b.length - a.length)[0];
    const path = most?.[0] ?? (last && this.#placed([last])[0]?.path);
    const by = last && this.#findReplacing(lost, last.global);
    return {
      freshness: name,
      changed: {
        ...(path === undefined ? {} : { path }),
        lines: lost.length,
        of,
        ...(by === undefined ? {} : { by }),
        ...(confirmed === undefined ? {} : { confirmed }),
      },
    };
  }

  /** The later edit of the session that took one of the lost lines away. */
  #findReplacing(lost: Verdict["lost"], after: number): string | undefined {
    const wanted = new Set(lost.map(({ path, line }) => `${path}\0${line}`));
    for (const edit of this.#placed([...laterEdits(after, this.#rows)])) {
      for (const line of edit.old.split("\n")) {
        const normal = normalLine(line);
        if (normal !== undefined && wanted.has(`${edit.path}\0${normal}`)) return edit.id;
      }
    }
    return undefined;
  }
}

/** What edits left, and which files it was compared with. */
interface Judged {
  ground: GroundPart[];
  verdict: Verdict;
  files: WorkFiles;
}

/** Whether a line of a file is one of some lines in their normal form, or by their hashes. */
function isOneOf(lines: ReadonlySet<string>, isHashed: boolean): (text: string) => boolean {
  return (text) => {
    const line = normalLine(text);
    return line !== undefined && lines.has(isHashed ? hashOf(line) : line);
  };
}

/** A look with the files that went: where nothing else changed, they are what is told. */
function withLost(
  look: Look,
  [first]: readonly LostFile[],
  { isAll }: { isAll: boolean },
): Look {
  const { freshness, changed } = look.told;
  if (first === undefined || isStale(freshness)) return look;
  const told: Freshness = {
    freshness: isAll ? "gone" : "drifted",
    changed: { ...changed, path: first.path },
  };
  return { ...look, told, end: first.end };
}

/** All of it was outside of the workspace. */
const elsewhere: Verdict = {
  name: "unknown",
  of: 0,
  lost: [],
  because: "it does not mention a file of this workspace",
};

/** All of it was in files such as a draft, which come and go without a commit. */
const unheard: Verdict = {
  name: "unknown",
  of: 0,
  lost: [],
  because: "its files no longer exist, and git does not know them",
};
