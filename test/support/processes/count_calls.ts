// What a run of the built file loads and reads, counted by the operating system (strace): the same on a
// busy machine as on a quiet one, where times are not. Only calls that name a file of the program or of
// its workspace count: those of threads among themselves and of Deno's own caches come as they like.

import assert from "node:assert/strict";
import { type BuiltCtx, builtCtx } from "./built_ctx.ts";
import { isMissing } from "./find_program.ts";
import { ctxCommand, isolatedEnv, runProcess } from "./run_ctx.ts";

/** What was counted of one run. */
export interface CallCount {
  /** Bytes of code (JavaScript) that were opened, each file once. */
  code: number;
  /** Files of code. */
  codeFiles: number;
  /** Bytes read from files under the workspace. */
  read: number;
  /** Calls that name or use a file of the program or under the workspace. */
  calls: number;
}

/**
 * Calls that open, look at and read files; "?" for those that an architecture does not have. Only SQLite, which
 * keeps Deno's compiled code, uses lstat.
 */
const kinds = "?open openat read pread64 readv preadv ?stat fstat statx newfstatat ?access " +
  "faccessat ?faccessat2 ?readlink readlinkat getdents64 ?rename ?renameat renameat2 write pwrite64 " +
  "fsync fdatasync";

/** Whether this machine lets a program be traced, and has a file that unpacks itself; says where not. */
export async function canCountCalls(): Promise<boolean> {
  if (Deno.env.get("CTX_TEST_FROM") === "source" || isMissing("strace")) return false;
  if ((await builtCtx()).form !== "self-extracting") return false;
  const args = ["-f", "-o", "/dev/null", "true"];
  const { success } = await new Deno.Command("strace", { args, stderr: "null" }).output();
  if (!success) Deno.stderr.writeSync(new TextEncoder().encode("skipped: strace may not trace\n"));
  return success;
}

/** Runs `ctx WORDS…` once so that all is compiled, and once more to count. */
export async function countCalls(
  words: readonly string[],
  { workspace, stdin = "", settle = [] }: {
    workspace: string;
    stdin?: string;
    /** A command that ends what the first run left to another process. */
    settle?: readonly string[];
  },
): Promise<CallCount> {
  const built = await builtCtx();
  const directory = await Deno.makeTempDir({ prefix: "ctx-calls-" });
  try {
    const run = ctxCommand(...words);
    // A hook leaves work to another process, which is not its price.
    const env = { ...isolatedEnv(workspace), CTX_HOOK_WAIT: "" };
    await runProcess(run, { cwd: workspace, env, stdin });
    if (settle.length > 0) await runProcess(ctxCommand(...settle), { cwd: workspace, env });
    const args = ["-ff", "-y", "-s", "0", "-o", `${directory}/of`];
    const trace = [
      "strace",
      ...args,
      "-e",
      `trace=${kinds.replaceAll(" ", ",")},clone,clone3,?vfork`,
    ];
    const { code, stderr } = await runProcess([...trace, ...run], {
      cwd: workspace,
      env,
      stdin,
    });
    assert.equal(code, 0, `ctx ${words.join(" ")}: ${stderr}`);
    return sumOf(readThreads(directory), { built, workspace });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** The lines of the process that was waited for: what it starts beside itself is not its price. */
function readThreads(directory: string): string[] {
  const all = new Map<string, string[]>();
  for (const { name } of Deno.readDirSync(directory)) {
    all.set(name.replace("of.", ""), Deno.readTextFileSync(`${directory}/${name}`).split("\n"));
  }
  const lines: string[] = [];
  const take = (id: string): void => {
    for (const line of all.get(id) ?? []) {
      lines.push(line);
      const thread = /^clone3?\(.*CLONE_THREAD.* = (\d+)/.exec(line)?.[1];
      if (thread !== undefined) take(thread);
    }
  };
  take(String(Math.min(...all.keys().map(Number))));
  return lines;
}

function sumOf(
  lines: readonly string[],
  { built, workspace }: { built: BuiltCtx; workspace: string },
): CallCount {
  const count: CallCount = { code: 0, codeFiles: 0, read: 0, calls: 0 };
  const seen = new Set<string>();
  const isCode = (path: string): boolean => path.startsWith(built.cache) && path.endsWith(".js");
  for (const line of lines) {
    const isOurs = line.includes(`${workspace}/`) ||
      (line.includes(built.cache) && !/\.code[/">]/.test(line));
    // Now and then one command tidies up the compiled code that others left: whichever comes next.
    if (!isOurs || line.includes("/settle_caches-")) continue;
    count.calls++;
    const opened = /^open.* = \d+<([^>]*)>$/.exec(line)?.[1];
    if (opened !== undefined && isCode(opened) && !seen.has(opened)) {
      seen.add(opened);
      count.code += Deno.statSync(opened).size;
      count.codeFiles++;
    }
    const read = /^p?readv?(?:64)?\(\d+<([^>]*)>.* = (\d+)$/.exec(line);
    if (read?.[1].startsWith(`${workspace}/`)) count.read += Number(read[2]);
  }
  return count;
}
