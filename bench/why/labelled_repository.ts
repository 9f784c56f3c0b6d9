// A repository that carries the sessions behind its commits (Entire's form): transcripts of Claude Code on
// the branch `entire/checkpoints/v1`, and commits whose trailer names the checkpoint they came from. Read
// with git: it is bench data, and nothing of it is kept.

import { isObject } from "../../src/core/json.ts";
import { isBotCommit } from "../../src/code/git/git_commit.ts";
import type { Change, ChangedFile } from "../../src/code/why/change.ts";

const branch = "entire/checkpoints/v1";

/** A commit, and the sessions that its trailer leads to. */
export interface LabelledCommit {
  change: Change & { commit: NonNullable<Change["commit"]> };
  /** Sessions by the id of their agent; none where nothing is said. */
  sessions: string[];
  isLinked: boolean;
}

/** Runs git in a repository. */
export async function git(directory: string, args: string[], input = ""): Promise<Uint8Array> {
  const child = new Deno.Command("git", {
    args: ["-C", directory, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const write = async (): Promise<void> => {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
  };
  const [{ stdout }] = await Promise.all([child.output(), write().catch(() => {})]);
  return stdout;
}

/** Writes one transcript per session; returns the sessions of each checkpoint. */
export async function unpackSessions(
  repository: string,
  directory: string,
): Promise<{ labels: Map<string, Set<string>>; sessions: Set<string> }> {
  const files = await listFiles(repository);
  const labels = new Map<string, Set<string>>();
  const transcripts = new Map<string, { oid: string; size: number }[]>();
  const metas = [...files].filter(([path]) => /^..\/[^/]+\/(?:\d+\/)?metadata\.json$/.test(path));
  const bodies = await readBlobs(repository, metas.map(([, { oid }]) => oid));
  for (const [path] of metas) {
    const meta: unknown = JSON.parse(bodies.shift() ?? "null");
    if (!isObject(meta) || typeof meta.session_id !== "string") continue;
    // One session is called by the day it went on, too.
    const session = meta.session_id.replace(/^\d{4}-\d\d-\d\d-/, "");
    const folder = path.slice(0, path.lastIndexOf("/"));
    const checkpoint = folder.split("/").slice(0, 2).join("");
    labels.set(checkpoint, (labels.get(checkpoint) ?? new Set()).add(session));
    const transcript = files.get(`${folder}/full.jsonl`);
    // What a snapshot left out has no size.
    if (transcript === undefined || !Number.isFinite(transcript.size)) continue;
    transcripts.set(session, [...transcripts.get(session) ?? [], transcript]);
  }
  await Deno.mkdir(directory, { recursive: true });
  for (const [session, versions] of transcripts) {
    const lines = await joinVersions(repository, versions);
    const name = session.replace(/[^\w.-]/g, "_");
    await Deno.writeTextFile(`${directory}/${name}.jsonl`, `${lines.join("\n")}\n`);
  }
  return { labels, sessions: new Set(transcripts.keys()) };
}

/** The records of all versions of a transcript, each once: later ones may have lost the beginning. */
async function joinVersions(
  repository: string,
  versions: { oid: string; size: number }[],
): Promise<string[]> {
  const records = new Map<string, string>();
  for (const { oid } of versions.sort((a, b) => b.size - a.size)) {
    const [text] = await readBlobs(repository, [oid]);
    for (const line of text.split("\n")) {
      if (line.trim() === "") continue;
      const key = /"uuid":"([^"]+)"/.exec(line)?.[1] ?? line;
      if (!records.has(key)) records.set(key, line);
    }
  }
  return [...records.values()];
}

async function listFiles(repository: string): Promise<Map<string, { oid: string; size: number }>> {
  const text = new TextDecoder().decode(
    await git(repository, ["ls-tree", "-r", "--long", branch]),
  );
  return new Map(
    text.trim().split("\n").map((line) => {
      const [facts, path] = line.split("\t");
      const [, , oid, size] = facts.split(/\s+/);
      return [path, { oid, size: Number(size) }];
    }),
  );
}

async function readBlobs(repository: string, oids: string[]): Promise<string[]> {
  const bytes = await git(repository, ["cat-file", "--batch"], `${oids.join("\n")}\n`);
  const decoder = new TextDecoder();
  const found: string[] = [];
  for (let at = 0; found.length < oids.length && at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const size = Number(decoder.decode(bytes.subarray(at, end)).split(" ")[2]);
    found.push(decoder.decode(bytes.subarray(end + 1, end + 1 + size)));
    at = end + size + 2;
  }
  return found;
}

const format = "%x01%H%x00%P%x00%an%x00%ae%x00%at%x00%ct%x00%s%x00" +
  "%(trailers:key=Entire-Checkpoint,valueonly,separator=%x2C)";

/** All commits, the oldest first. */
export async function readCommits(
  repository: string,
  labels: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<LabelledCommit[]> {
  const args = ["log", "--exclude=entire/*", "--branches", "-p", "-U0", "-M", "--no-color"];
  const text = new TextDecoder().decode(await git(repository, [...args, `--format=${format}`]));
  return text.split("\x01").slice(1).map((part) => parseCommit(part, labels))
    .sort((a, b) => a.change.authored - b.change.authored);
}

/** Of a commit that was rebased, only one. */
export function withoutCopies(commits: LabelledCommit[]): LabelledCommit[] {
  const seen = new Set<string>();
  return commits.filter(({ change }) => {
    const key = `${change.authored} ${change.commit.subject}`;
    return !seen.has(key) && seen.add(key);
  });
}

function parseCommit(
  part: string,
  labels: ReadonlyMap<string, ReadonlySet<string>>,
): LabelledCommit {
  const end = part.indexOf("\n");
  const [head, patch] = end < 0 ? [part, ""] : [part.slice(0, end), part.slice(end + 1)];
  const [oid, parents, author, email, authored, committed, subject, trailer] = head.split("\0");
  const checkpoints = trailer.split(",").map((one) => one.trim()).filter((one) => one !== "");
  return {
    change: {
      commit: {
        oid,
        subject,
        isBot: isBotCommit({ author: { name: author, email, ts: 0 } }),
        isMerge: parents.includes(" "),
      },
      authored: Number(authored) * 1000,
      committed: Number(committed) * 1000,
      files: parsePatch(patch),
    },
    sessions: [...new Set(checkpoints.flatMap((one) => [...labels.get(one) ?? []]))],
    isLinked: checkpoints.length > 0,
  };
}

function parsePatch(patch: string): ChangedFile[] {
  const files: ChangedFile[] = [];
  let file: ChangedFile = { path: "", added: [], removed: [] };
  let [added, removed] = [0, 0];
  for (const line of patch.split("\n")) {
    if (added + removed > 0 && line[0] === "-") {
      file.removed.push(line.slice(1));
      removed--;
    } else if (added + removed > 0 && line[0] === "+") {
      file.added.push(line.slice(1));
      added--;
    } else if (line.startsWith("diff --git ")) {
      file = { path: / b\/(.*)$/.exec(line)?.[1] ?? "", added: [], removed: [] };
      files.push(file);
    } else if (line.startsWith("rename from ")) file.from = line.slice("rename from ".length);
    else {
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (hunk !== null) [removed, added] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    }
  }
  return files;
}
