// A repository of git with many files and many commits, invented and the same in every run: for
// measuring how history is read. Runs git.

import { seededRandom } from "./seeded_random.ts";

/** How much there is of everything. */
export interface MadeHistory {
  files: number;
  commits: number;
  /** Every so many commits one is a merge of a side branch. */
  mergeEvery?: number;
}

/** Makes a repository with a work tree in an empty directory. */
export async function makeHistory(directory: string, made: MadeHistory): Promise<void> {
  await runGit(directory, ["init", "-q", "-b", "main"]);
  const importer = new Deno.Command("git", {
    args: ["-C", directory, "fast-import", "--quiet"],
    stdin: "piped",
  }).spawn();
  const writer = importer.stdin.getWriter();
  const encoder = new TextEncoder();
  for (const part of historyParts(made)) await writer.write(encoder.encode(part));
  await writer.close();
  if (!(await importer.status).success) throw new Error("git fast-import failed");
  await runGit(directory, ["repack", "-adfq"]);
  await runGit(directory, ["reset", "-q", "--hard"]);
}

/** The path of a file of a made repository. */
export function madePath(file: number): string {
  return `src/room_${file % 20}/part_${Math.floor(file / 20) % 10}/file_${file}.ts`;
}

function* historyParts({ files, commits, mergeEvery = 0 }: MadeHistory): Generator<string> {
  const random = seededRandom(22);
  const below = (bound: number): number => Math.floor(random() * bound);
  const texts = Array.from(
    { length: files },
    (_, file) => Array.from({ length: 40 + file % 160 }, (_, line) => lineOf(file, line, 0)),
  );
  const change = (commit: number): string => {
    let out = "";
    for (let i = 0; i <= below(4); i++) {
      // A few files change often, as in true projects.
      const file = below(3) === 0 ? below(files) : below(Math.ceil(files / 50));
      const lines = texts[file];
      const at = below(lines.length);
      lines.splice(
        at,
        below(3),
        ...Array.from({ length: 1 + below(3) }, (_, line) => lineOf(file, line, commit)),
      );
      out += fileOf(file, lines);
    }
    return out;
  };
  let mark = 1;
  yield commitOf({ mark, commit: 0 }) + texts.map((lines, file) => fileOf(file, lines)).join("");
  for (let commit = 1; commit < commits; commit++) {
    const isMerge = mergeEvery > 0 && commit % mergeEvery === 0 && commit > 2;
    const body = change(commit);
    if (!isMerge) {
      yield commitOf({ mark: ++mark, commit, from: mark - 1 }) + body;
      continue;
    }
    // The side starts two commits back and brings a file of its own.
    const side = `src/side/side_${commit}.ts`;
    yield commitOf({ mark: ++mark, commit, from: mark - 2, branch: "side" }) +
      `M 100644 inline ${side}\n${dataOf(`export const side = ${commit};\n`)}`;
    yield commitOf({ mark: ++mark, commit, from: mark - 2, merge: mark - 1 }) +
      `M 100644 inline ${side}\n${dataOf(`export const side = ${commit};\n`)}`;
  }
}

function commitOf(
  { mark, commit, from, merge, branch = "main" }: {
    mark: number;
    commit: number;
    from?: number;
    merge?: number;
    branch?: string;
  },
): string {
  const who = `A Person <a@example.org> ${1_700_000_000 + commit * 600} +0000`;
  return `commit refs/heads/${branch}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\n` +
    dataOf(`Change ${commit}\n`) +
    (from === undefined ? "" : `from :${from}\n`) +
    (merge === undefined ? "" : `merge :${merge}\n`);
}

function fileOf(file: number, lines: string[]): string {
  return `M 100644 inline ${madePath(file)}\n${dataOf(lines.join("\n") + "\n")}`;
}

function dataOf(text: string): string {
  return `data ${text.length}\n${text}\n`;
}

function lineOf(file: number, line: number, commit: number): string {
  return `${"  ".repeat(line % 4)}export const value_${file}_${line} = step(${commit}, ${
    line * 7
  });`;
}

async function runGit(directory: string, words: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", {
    args: ["-C", directory, ...words],
  }).output();
  if (!success) throw new Error(`git ${words[0]}: ${new TextDecoder().decode(stderr)}`);
}
