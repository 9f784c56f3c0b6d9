// Stores that real git versions, clones of one another. Commands run in process, an hour later each
// time on one clock; git has no settings but these.

import { runProcess } from "../processes/run_ctx.ts";
import { realPath } from "../../../src/core/platform_path.ts";
import { TempStore, testNow } from "./temp_store.ts";

/** Makes a repository with a store in it, and clones of it; all go away with the test. */
export async function clonedStores(count: number): Promise<ClonedStores> {
  const directory = realPath(await Deno.makeTempDir({ prefix: "ctx-clones-" }));
  const made = new ClonedStores(directory);
  const first = made.at(0);
  Deno.mkdirSync(first.workspace);
  await first.git("init", "-q", "-b", "main");
  await first.do("init", { commit: true });
  await first.commit("a store");
  for (let i = 1; i < count; i++) await made.clone(i);
  return made;
}

/** Clones of one store. */
export class ClonedStores implements AsyncDisposable {
  readonly #directory: string;
  readonly #stores = new Map<number, ClonedStore>();
  /** Shared: what is done later has a later time, wherever it is done. */
  readonly clock = { hours: 0 };

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** One of the clones, by number. */
  at(i: number): ClonedStore {
    const known = this.#stores.get(i) ?? new ClonedStore(`${this.#directory}/${i}`, this.clock);
    this.#stores.set(i, known);
    return known;
  }

  async clone(i: number): Promise<ClonedStore> {
    const [from, to] = [this.at(0), this.at(i)];
    await from.git("clone", "-q", from.workspace, to.workspace);
    return to;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#directory, { recursive: true });
  }
}

/** One clone. */
export class ClonedStore extends TempStore {
  readonly #clock: { hours: number };

  constructor(workspace: string, clock: { hours: number }) {
    super(workspace);
    this.#clock = clock;
  }

  /** Runs a command, an hour after the last one. */
  async do<T = Record<string, unknown>>(name: string, input: object = {}): Promise<T> {
    const now = testNow + this.#clock.hours++ * 3_600_000;
    return await this.run<T>(name, input, { now: () => now });
  }

  /** Saves a note; returns its id. */
  async save(text: string, input: object = {}): Promise<string> {
    return (await this.do<{ id: string }>("save", { text, ...input })).id;
  }

  /** Runs git; it must succeed. */
  async git(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tryGit(...words);
    if (code !== 0) throw new Error(`git ${words.join(" ")}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  async tryGit(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const person = { NAME: "A Person", EMAIL: "a@example.org" };
    const who = ["AUTHOR", "COMMITTER"].flatMap((role) =>
      Object.entries(person).map(([field, value]) => [`GIT_${role}_${field}`, value])
    );
    const settings = [
      "-c",
      "gc.auto=0",
      "-c",
      "maintenance.auto=false",
      "-c",
      "advice.detachedHead=false",
    ];
    return await runProcess(["git", ...settings, ...words], {
      cwd: this.workspace,
      env: {
        ...Object.fromEntries(who),
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_ALLOW_PROTOCOL: "file",
        GIT_EDITOR: "true",
      },
    });
  }

  /** Commits everything there is. */
  async commit(message = "more"): Promise<void> {
    await this.git("add", "-A");
    await this.git("commit", "-q", "--allow-empty", "-m", message);
  }

  /** Commits, and merges what another clone has committed; git must find no conflict. */
  async merge(other: ClonedStore, ...options: string[]): Promise<void> {
    await this.commit();
    await this.git("fetch", "-q", other.workspace, "main");
    await this.git("merge", "-q", "--no-edit", ...options, "FETCH_HEAD");
  }
}
