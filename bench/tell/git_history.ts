// A workspace as a git repository at a given moment: its branch ends at the last commit before it, and
// the files are those of that commit, as far as the repository has them. ctx reads no objects from
// outside the workspace, so the packs are linked into it.

import { git } from "../why/labelled_repository.ts";

/** The branch whose history is seen. */
const branch = "refs/heads/main";

/** A repository in a workspace, at a moment of another's history. */
export class GitHistory {
  readonly #workspace: string;
  /** No ref leads to it: what came later is not seen. */
  readonly #end: string;

  private constructor(workspace: string, end: string) {
    this.#workspace = workspace;
    this.#end = end;
  }

  /** Makes the repository, with all objects of another. */
  static async create(workspace: string, repository: string): Promise<GitHistory> {
    await run(workspace, ["init", "--quiet", "--initial-branch=main"]);
    const objects = (await run(repository, ["rev-parse", "--git-path", "objects"])).trim();
    const from = objects.startsWith("/") ? objects : `${repository}/${objects}`;
    await linkFiles(from, `${workspace}/.git/objects`);
    const end = (await run(repository, ["rev-parse", branch])).trim();
    if (end === "") throw new Error(`Cannot read "${repository}": it has no branch main`);
    return new GitHistory(workspace, end);
  }

  /** Ends the history before a moment, and brings the files to that state. */
  async moveTo(time: string): Promise<void> {
    const args = ["rev-list", "-1", "--first-parent", `--before=${time}`, this.#end];
    const commit = (await run(this.#workspace, args)).trim();
    if (commit === "") return;
    await run(this.#workspace, ["update-ref", branch, commit]);
    await run(this.#workspace, ["read-tree", "--reset", commit]);
    await run(this.#workspace, ["clean", "-fdxq", "--exclude=.contextfs"]);
    // Goes on after a file that a partial clone lacks.
    await run(this.#workspace, ["checkout-index", "--all", "--force", "--quiet"]);
  }
}

async function run(directory: string, args: string[]): Promise<string> {
  return new TextDecoder().decode(await git(directory, args));
}

/** Links files into a directory; copies them where it is on another disk. */
async function linkFiles(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await linkFiles(`${from}/${name}`, `${to}/${name}`);
    else {
      await Deno.link(`${from}/${name}`, `${to}/${name}`)
        .catch(() => Deno.copyFile(`${from}/${name}`, `${to}/${name}`));
    }
  }
}
