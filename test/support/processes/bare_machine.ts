// A machine with nothing but coreutils and a shell, as far as a test can make one: an empty
// environment, an empty HOME, and a PATH that holds links to coreutils and to nothing else.

import { runProcess, type RunResult } from "./run_ctx.ts";

/** A home, a workspace and a PATH of its own. */
export interface BareMachine extends AsyncDisposable {
  root: string;
  home: string;
  workspace: string;
  bin: string;
  /** The whole environment of a program there. */
  env: Record<string, string>;
  /** Where the self-extracting form unpacks. */
  cache: string;
  /** Runs a program there: its path, then its arguments. */
  run(words: readonly string[], options?: BareRun): Promise<RunResult>;
}

/** What a run may change. */
export interface BareRun {
  stdin?: string;
  cwd?: string;
  /** Replaces the environment. */
  env?: Record<string, string>;
}

/** Makes a bare machine. */
export async function bareMachine(): Promise<BareMachine> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "ctx-bare-" }));
  const [home, workspace, bin] = [`${root}/home`, `${root}/work`, `${root}/bin`];
  for (const path of [home, workspace, bin]) await Deno.mkdir(path);
  for (const name of coreutils) {
    const path = findTool(name);
    if (path !== undefined) await Deno.symlink(path, `${bin}/${name}`);
  }
  const env = { HOME: home, PATH: bin };
  const cache = Deno.build.os === "darwin" ? `${home}/Library/Caches/ctx` : `${home}/.cache/ctx`;
  return {
    root,
    home,
    workspace,
    bin,
    env,
    cache,
    async run(words, options = {}) {
      const given = Object.entries(options.env ?? env).map(([name, value]) => `${name}=${value}`);
      const { stdin, cwd = workspace } = options;
      return await runProcess(["/usr/bin/env", "-i", ...given, ...words], { cwd, stdin });
    },
    async [Symbol.asyncDispose]() {
      await Deno.remove(root, { recursive: true });
    },
  };
}

function findTool(name: string): string | undefined {
  for (const directory of ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]) {
    try {
      Deno.statSync(`${directory}/${name}`);
      return `${directory}/${name}`;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Those of coreutils that matter; gzip, tar, find, sed, awk and grep are not among them. */
const coreutils =
  "[ basename cat chmod cksum cp cut date dd dirname echo env expr false head id install link ln ls mkdir mktemp mv nproc od paste printf pwd readlink realpath rm rmdir seq sha256sum shasum sleep sort split stat sync tail tee test touch tr true truncate tty uname uniq unlink wc"
    .split(" ");
