// Replays this repository's own history: the tree, the git history and the memory as they were before
// a commit. The objects come from a packed fixture, so that a shallow clone can replay it too; the
// embedding table and the pack itself are left out, because they are larger than all the rest.

import { parseMarkdown } from "../../src/intake/documents/markdown.ts";
import { hashContent, toDrafts } from "../../src/intake/documents/doc_entry.ts";
import { diskFiles } from "../../src/disk/files.ts";
import { Store } from "../../src/store/store.ts";

/** The newest commit of each set of cases; the second begins where the first ends. */
export const historyHeads = {
  first: "995f00fe7be75a4ab10ae5608d65c55338c8758f",
  second: "7b5b9d178221be75a43415977473aaf72f76a131",
} as const;
/** One of the sets. */
export type HistorySet = keyof typeof historyHeads;
/** The sets in their order. */
export const historySets: readonly HistorySet[] = ["first", "second"];

/** A commit as git tells it. */
export interface HistoryCommit {
  oid: string;
  parents: string[];
  ts: number;
  message: string;
  /** Changed files with their status letter; empty for merges. */
  files: { path: string; status: string }[];
}

/** A moment before a commit. */
export interface Moment {
  store: Store;
  now: number;
  /** What was committed before: the memory. */
  before: HistoryCommit[];
  /** The key of a labelled item by the id of an entry. */
  keys: Map<string, string>;
}

/** The history, unpacked into a directory. */
export class HistoryReplay {
  readonly directory: string;
  readonly commits: Map<string, HistoryCommit>;

  private constructor(directory: string, commits: Map<string, HistoryCommit>) {
    this.directory = directory;
    this.commits = commits;
  }

  /** Unpacks the fixture. */
  static async open(directory: string): Promise<HistoryReplay> {
    Deno.mkdirSync(directory, { recursive: true });
    await git(directory, ["init", "-q", "-b", "main"]);
    const pack = Deno.readFileSync(new URL("../fixtures/suggest_history.pack", import.meta.url));
    await git(directory, ["index-pack", "--stdin"], pack);
    await git(directory, ["config", "core.sparseCheckout", "true"]);
    Deno.mkdirSync(`${directory}/.git/info`, { recursive: true });
    const left = ["assets/embed/", "bench/fixtures/suggest_history.pack"];
    const sparse = ["/*", ...left.map((path) => `!/${path}`)].join("\n");
    Deno.writeTextFileSync(`${directory}/.git/info/sparse-checkout`, `${sparse}\n`);
    return new HistoryReplay(directory, await readCommits(directory, historyHeads.second));
  }

  /** Puts everything back to the moment before a commit. */
  async before(oid: string): Promise<Moment> {
    const commit = this.commits.get(oid)!;
    const parent = commit.parents[0];
    await git(this.directory, ["checkout", "-q", "-f", "--detach", parent]);
    await git(this.directory, ["clean", "-q", "-f", "-d", "-e", ".contextfs"]);
    const before = this.#ancestors(parent);
    const keys = new Map<string, string>();
    const rows: Record<string, unknown>[] = before.map(({ oid, ts, message }) => {
      const id = `H-${oid.slice(0, 12)}`;
      keys.set(id, `commit:${oid.slice(0, 12)}`);
      const time = new Date(ts).toISOString();
      return { id, ts: time, role: "assistant", type: "turn", text: message };
    });
    for (const row of await this.#documents(commit.ts)) {
      keys.set(row.id, `doc:${row.document}#${row.section}`);
      rows.push(row);
    }
    Deno.mkdirSync(`${this.directory}/.contextfs`, { recursive: true });
    Deno.writeTextFileSync(
      `${this.directory}/.contextfs/history.ndjson`,
      rows.map((row) => JSON.stringify(row) + "\n").join(""),
    );
    const now = commit.ts;
    const store = new Store({
      workspace: this.directory,
      files: diskFiles,
      now: () => now,
      random: () => "r",
      warn: () => {},
      sync: false,
    });
    return { store, now, before, keys };
  }

  /** Commits that are no merges, up to one, oldest first. */
  #ancestors(head: string): HistoryCommit[] {
    const seen = new Set<string>();
    const pending = [head];
    while (pending.length > 0) {
      const oid = pending.pop()!;
      if (seen.has(oid)) continue;
      seen.add(oid);
      pending.push(...this.commits.get(oid)!.parents);
    }
    return [...seen].map((oid) => this.commits.get(oid)!)
      .filter((commit) => commit.parents.length < 2)
      .sort((a, b) => a.ts - b.ts || (a.oid < b.oid ? -1 : 1));
  }

  /** The sections of README and docs/, as the docs commands would keep them. */
  async #documents(
    ts: number,
  ): Promise<(Record<string, unknown> & { id: string; document: string; section: string })[]> {
    const names = ["README.md", ...listMarkdown(`${this.directory}/docs`)];
    const rows = [];
    for (const name of names) {
      const text = findText(`${this.directory}/${name}`);
      if (text === undefined) continue;
      const hash = hashContent(text);
      const drafts = toDrafts(await parseMarkdown(text), {
        collection: "project",
        name,
        hash,
        ts: new Date(ts).toISOString(),
      });
      for (const [i, draft] of drafts.entries()) {
        const section = String(draft.section ?? "");
        rows.push({ ...draft, id: `H-doc-${hash}-${i}`, document: name, section });
      }
    }
    return rows;
  }
}

async function readCommits(
  directory: string,
  head: string,
): Promise<Map<string, HistoryCommit>> {
  const out = await git(directory, [
    "log",
    "--name-status",
    "--no-renames",
    "--format=%x01%H%x00%P%x00%ct%x00%B%x02",
    head,
  ]);
  const commits = new Map<string, HistoryCommit>();
  for (const part of out.split("\x01").slice(1)) {
    const [head, names] = part.split("\x02");
    const [oid, parents, seconds, message] = head.split("\0");
    const files = names.trim().split("\n").filter((line) => line !== "").map((line) => {
      const [status, path] = line.split("\t");
      return { status, path };
    });
    commits.set(oid, {
      oid,
      parents: parents === "" ? [] : parents.split(" "),
      ts: Number(seconds) * 1000,
      message: message.trim(),
      files,
    });
  }
  return commits;
}

function listMarkdown(directory: string): string[] {
  try {
    return [...Deno.readDirSync(directory)].map((entry) => entry.name)
      .filter((name) => name.endsWith(".md")).sort().map((name) => `docs/${name}`);
  } catch {
    return [];
  }
}

function findText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

async function git(cwd: string, args: string[], input = new Uint8Array()): Promise<string> {
  const child = new Deno.Command("git", {
    args,
    cwd,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const [{ success, stdout, stderr }] = await Promise.all([
    child.output(),
    writer.write(input).then(() => writer.close()),
  ]);
  if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
