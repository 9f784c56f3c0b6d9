// `ctx hook AGENT` on the command line: words and standard input in, the answer out, in time. What went
// wrong is exit 1 with a line on standard error and nothing on standard output; never 2, which agents
// take as "stop". What is left to do is left to another process, or done briefly after the answer.
// main.ts calls it directly, for speed.

import { openContext } from "../../app/app.ts";
import { setDeadline } from "../../core/deadline.ts";
import { CtxError, hookFailedExit, isReadOnly } from "../../core/errors.ts";
import { findJson, isObject } from "../../core/json.ts";
import { findWorkspace } from "../../disk/layout.ts";
import { after, answerHook, limitMs, logFailure } from "../../recall/hook/answer_hook.ts";
import {
  editCaller,
  followCaller,
  type LeftWork,
  parseHookCall,
} from "../../recall/hook/hook_call.ts";
import { writeOut } from "../line/terminal.ts";

/** Who calls, and the message where it is an argument. */
export interface AgentHook {
  agent: string;
  message?: string;
}

const stdinMs = 2000;

/** Reads the words of `ctx hook AGENT [MESSAGE]`, or undefined when the table has to read them. */
export function parseAgentWords(words: readonly string[]): AgentHook | undefined {
  const [agent, message, ...rest] = words;
  if (agent === undefined || agent === editCaller || rest.length > 0) return undefined;
  if (words.some((word) => word.startsWith("-"))) return undefined;
  return { agent, message };
}

/** Answers the message; returns the exit code. */
export async function runAgentHook({ agent, message }: AgentHook): Promise<number> {
  if (agent === followCaller) return await runLeft(message ?? "{}");
  const limit = new TimeLimit(agent);
  let left: LeftWork | undefined;
  let isLate = false;
  try {
    limit.set(limitMs.turn);
    const call = parseHookCall(agent, message ?? await readStdin());
    limit.cwd = call.cwd ?? Deno.cwd();
    const workspace = findWorkspace({ cwd: limit.cwd });
    if (workspace === undefined) {
      debug(`no store in ${limit.cwd} or above`);
      return 0;
    }
    using context = openContext({ surface: "cli", workspace });
    const answer = await answerHook(call, {
      context,
      workspace,
      limit: (ms) => void limit.set(ms),
      debug,
      leave(moment) {
        const { conversation } = call;
        left = moment === undefined ? undefined : { workspace, agent, conversation, moment };
      },
    });
    if (answer !== undefined) writeOut("stdout", answer);
    return 0;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    isLate = error instanceof CtxError && error.code === "INTERRUPTED";
    if (isLate) return await limit.end();
    // The agent's directory was removed, or it works where there is no store, or none can be written:
    // then a start is given its pack, nothing can be captured, and `ctx status` says so.
    const isNowhere = error instanceof CtxError &&
      (error.code === "NOT_FOUND" || error.code === "STORE_MISSING");
    if (!isNowhere && !isReadOnly(error)) return fail(words);
    debug(words);
    return 0;
  } finally {
    limit.set();
    if (left !== undefined) await leave(left, isLate);
  }
}

/** Lets another process do the remaining work, so that the agent need not wait. If none can be started,
 * it is done here, after the answer. */
async function leave(left: LeftWork, isLate: boolean): Promise<void> {
  const { startFollowing } = await import("./start_following.ts");
  const failure = startFollowing(left);
  if (failure === undefined) return;
  debug(failure);
  if (!isLate) await followHere(left);
}

/** Does what is left in this process, as far as an agent that waits for its end can be asked to wait. */
async function followHere(left: LeftWork): Promise<void> {
  setDeadline(followHereMs);
  await follow(left, { isOwnProcess: false });
  setDeadline(Infinity);
}

/** What is left undone is done after the next hook. */
async function follow(
  left: LeftWork,
  { isOwnProcess, signal }: { isOwnProcess: boolean; signal?: AbortSignal },
): Promise<void> {
  try {
    using context = openContext({ surface: "cli", workspace: left.workspace, signal });
    const { followUp } = await import("../../recall/hook/follow_hook.ts");
    await followUp(context, left, { isOwnProcess });
  } catch (error) {
    debug(error instanceof Error ? error.message : String(error));
  }
}

/** `ctx hook follow WORK`, as a hook starts it. Ends by itself, whatever there is to do. */
async function runLeft(message: string): Promise<number> {
  const left = findJson(message);
  if (!isObject(left) || typeof left.workspace !== "string") return 0;
  const limit = left.moment === "import" ? followImportMs : followMs;
  const signal = AbortSignal.timeout(limit);
  // What does not hear the signal.
  after(limit + graceMs).then(() => Deno.exit(0));
  // ctx wrote it.
  await follow(left as unknown as LeftWork, { isOwnProcess: true, signal });
  // The timers would keep it alive.
  Deno.exit(0);
}

const followMs = 60_000;
/** An import may bring years. */
const followImportMs = 600_000;
const graceMs = 10_000;
const followHereMs = 4000;

/** Ends the process when what it is doing takes too long; that is logged where the agent works. */
class TimeLimit {
  /** Where the agent says that it works. */
  cwd?: string;
  readonly #agent: string;
  #number = 0;
  #ms = Infinity;

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** So long from now, instead of what was set before; without a number there is no limit. */
  async set(ms = Infinity): Promise<void> {
    const number = ++this.#number;
    setDeadline(ms);
    if (ms === Infinity) return;
    this.#ms = ms;
    await after(ms);
    if (number === this.#number) Deno.exit(await this.end());
  }

  /** Says that the time is over; returns the exit code. */
  async end(): Promise<number> {
    this.set();
    const words = `Cannot answer the agent: it took longer than ${this.#ms / 1000} s`;
    const workspace = findWorkspace({ cwd: this.cwd ?? Deno.cwd() });
    if (workspace !== undefined) await logFailure(this.#agent, words, workspace);
    return fail(words);
  }
}

function fail(words: string): number {
  writeOut("stderr", `ctx hook: ${words}\n`);
  return hookFailedExit;
}

function debug(words: string): void {
  if (Deno.env.get("CTX_DEBUG")) writeOut("stderr", `ctx hook: ${words}\n`);
}

/** Standard input to its end, or what came of it in time; streams would load the fetch machinery. */
async function readStdin(): Promise<string> {
  if (Deno.stdin.isTerminal()) return "{}";
  let isLate = false;
  const late = after(stdinMs).then(() => {
    isLate = true;
    return null;
  });
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(64 << 10);
  let text = "";
  while (true) {
    const count = await Promise.race([Deno.stdin.read(buffer), late]);
    if (isLate) return "{}";
    if (count === null) return text + decoder.decode();
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
}
