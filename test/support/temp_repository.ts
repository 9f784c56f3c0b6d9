// A git repository in a directory of its own that goes away with the test, made with the real git.

import { findRepository, type GitRepository } from "../../src/code/git/git_repository.ts";
import { runProcess } from "./processes/run_ctx.ts";
import { realPath } from "../../src/core/platform_path.ts";

/** Makes an empty repository with a branch `main`. */
export async function tempRepository(...initWords: string[]): Promise<TempRepository> {
  const path = realPath(await Deno.makeTempDir({ prefix: "ctx-git-" }));
  const made = new TempRepository(path);
  await made.git("init", "-q", "-b", "main", ...initWords);
  return made;
}

/** A line of `git blame`. */
export interface BlameLine {
  /** Undefined: not committed yet. */
  commit?: string;
  commitLine: number;
}

/** A repository for one test. */
export class TempRepository implements AsyncDisposable {
  readonly path: string;
  #minutes = 0;

  constructor(path: string) {
    this.path = path;
  }

  get repository(): GitRepository {
    return findRepository(this.path)!;
  }

  /** Lets time pass for git. */
  wait(hours: number): void {
    this.#minutes += hours * 60;
  }

  /** Runs git, a minute later each time; returns what it printed. */
  async git(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tryGit(...words);
    if (code !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
    return stdout.trim();
  }

  async tryGit(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const time = new Date(Date.UTC(2026, 0, 1) + this.#minutes++ * 60_000).toISOString();
    return await runProcess(["git", "-c", "core.quotepath=off", ...words], {
      cwd: this.path,
      env: {
        GIT_AUTHOR_NAME: "A Person",
        GIT_AUTHOR_EMAIL: "a@example.org",
        GIT_COMMITTER_NAME: "A Person",
        GIT_COMMITTER_EMAIL: "a@example.org",
        GIT_AUTHOR_DATE: time,
        GIT_COMMITTER_DATE: time,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_ALLOW_PROTOCOL: "file",
      },
    });
  }

  write(files: Record<string, string | Uint8Array>): void {
    for (const [name, data] of Object.entries(files)) {
      const path = `${this.path}/${name}`;
      Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      if (typeof data === "string") Deno.writeTextFileSync(path, data);
      else Deno.writeFileSync(path, data);
    }
  }

  /** Writes files and commits everything; returns the commit. */
  async commit(message: string, files: Record<string, string | Uint8Array> = {}): Promise<string> {
    this.write(files);
    await this.git("add", "-A");
    await this.git("commit", "-q", "--allow-empty", "-m", message);
    return await this.git("rev-parse", "HEAD");
  }

  /** What git itself says of the lines of a file. */
  async blame(file: string): Promise<BlameLine[]> {
    const text = await this.git("blame", "--porcelain", "--", file);
    return [...text.matchAll(/^([0-9a-f]{40,64}) (\d+) \d+(?: \d+)?$/gm)].map(([, oid, line]) => ({
      ...!/^0+$/.test(oid) && { commit: oid },
      commitLine: Number(line),
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}
