// Answers an agent's hook: reads the message once and does what its event asks for. A session that
// starts is given the pack, a prompt a few lines where they are strongly relevant; everything else is
// a turn to take over. Never holds an agent up: bounded in time, and what went wrong is exit 1 with a
// line on standard error and nothing on standard output; never 2, which agents take as "stop".
// Runs on every prompt, so main.ts calls it directly and it loads only what the event needs.

import { openContext } from "../../app/app.ts";
import { setDeadline } from "../../core/deadline.ts";
import { CtxError, hookFailedExit, isReadOnly } from "../../core/errors.ts";
import { isTitleTalk } from "../../core/rows/title_talk.ts";
import { type HookCall, parseHookCall } from "../../recall/hook/hook_call.ts";
import { findWorkspace } from "../../disk/layout.ts";
import type { Context } from "../../command/command.ts";
import { writeOut } from "../line/terminal.ts";

/** Who calls, and the message where it is an argument. */
export interface AgentHook {
  agent: string;
  message?: string;
}

/** The longest an agent is kept waiting, by what it waits for; a start for `prepare` and `pack`. */
export const limitMs = {
  prompt: 2000,
  catchUp: 3000,
  distil: 1500,
  prepare: 5000,
  pack: 4000,
  turn: 8000,
};
/** A conversation that was given nothing for so long has shown what it used. */
const quietMs = 30 * 60_000;
const stdinMs = 2000;
/** Longer prompts are pasted files: nothing is said about them, and to redact one takes seconds. */
const maxPromptChars = 256 << 10;

/** Reads the words of `ctx hook AGENT [MESSAGE]`, or undefined when the table has to read them. */
export function parseAgentWords(words: readonly string[]): AgentHook | undefined {
  const [agent, message, ...rest] = words;
  if (agent === undefined || agent === "pre-edit" || rest.length > 0) return undefined;
  if (words.some((word) => word.startsWith("-"))) return undefined;
  return { agent, message };
}

/** Answers the message; returns the exit code. */
export async function runAgentHook({ agent, message }: AgentHook): Promise<number> {
  const limit = new TimeLimit(agent);
  try {
    limit.set(limitMs.turn);
    const call = parseHookCall(agent, message ?? await readStdin());
    limit.cwd = call.cwd;
    if (call.moment === "prompt") limit.set(limitMs.prompt);
    const answer = await answerCall(call, limit);
    if (answer !== undefined) writeOut("stdout", answer);
    return 0;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (error instanceof CtxError && error.code === "INTERRUPTED") return await limit.end();
    // The agent's directory was removed, or it works where there is no store, or none can be written:
    // then a start is given its pack, nothing can be captured, and `ctx status` says so.
    const isNowhere = error instanceof CtxError &&
      (error.code === "NOT_FOUND" || error.code === "STORE_MISSING");
    if (!isNowhere && !isReadOnly(error)) return fail(words);
    debug(words);
    return 0;
  } finally {
    limit.clear();
  }
}

async function answerCall(call: HookCall, limit: TimeLimit): Promise<string | undefined> {
  if (call.moment === "turn" || call.moment === "end" || call.moment === "compact") {
    await takeOver(call);
    if (call.moment === "turn") return await askAuthor(call);
    if (call.moment === "compact") return undefined;
  }
  const workspace = findWorkspace({ cwd: call.cwd ?? Deno.cwd() });
  if (workspace === undefined) {
    debug(`no store in ${call.cwd ?? Deno.cwd()} or above`);
    return undefined;
  }
  using context = openContext({ surface: "cli", workspace });
  if (call.moment === "start") {
    limit.clear();
    await prepare(call, context);
    limit.set(limitMs.pack);
    return await answerStart(call, context);
  }
  if (call.moment === "end") {
    await learn(context, { conversation: call.conversation });
    return undefined;
  }
  const { prompt = "" } = call;
  if (isTitleTalk({ role: "user", text: prompt })) return undefined;
  if (prompt.length > maxPromptChars) {
    debug("the prompt is too long to look at now; it is captured when the turn ends");
    return undefined;
  }
  const { holdPrompt } = await import("./hold_prompt.ts");
  debug(holdPrompt(call, Deno.cwd()));
  return await answerPrompt(call, context);
}

/** Asks the agent to save what its work came to, where the user agreed to that. */
async function askAuthor(call: HookCall): Promise<string | undefined> {
  const workspace = findWorkspace({ cwd: call.cwd ?? Deno.cwd() });
  if (workspace === undefined) return undefined;
  using context = openContext({ surface: "cli", workspace });
  const config = await context.readConfig();
  if (!config.get("distil.ask_agent")) return undefined;
  const { authorRequest } = await import("../../recall/distil/author_request.ts");
  return await authorRequest(await context.openStore(), call, { config, nowMs: context.now() });
}

async function answerPrompt(call: HookCall, context: Context): Promise<string | undefined> {
  if (call.agent === "cursor" || !(await context.readConfig()).get("inject.prompt")) {
    return undefined;
  }
  const store = await context.openStore();
  const { promptContext } = await import("../../recall/prompt/prompt_context.ts");
  return await inForm(call, await promptContext(store, call, { nowMs: context.now() }));
}

/**
 * Brings the store up to what happened since, for a while: a session is given what is known then, and
 * what was not done goes on next time.
 */
async function prepare(call: HookCall, context: Context): Promise<void> {
  const work = async (): Promise<void> => {
    await catchUp(call);
    await learn(context, { quietMs });
  };
  setDeadline(limitMs.prepare);
  await Promise.race([work(), after(limitMs.prepare)]);
}

/** What was not captured must not keep a session from what it should know; it is logged. */
async function catchUp(call: HookCall): Promise<void> {
  const { catchUp } = await import("./capture.ts");
  const options = { cwd: Deno.cwd(), signal: AbortSignal.timeout(limitMs.catchUp) };
  try {
    const { done, problem } = await catchUp(call, options);
    debug(problem ?? done);
  } catch (error) {
    debug(error instanceof Error ? error.message : String(error));
  }
}

/** Derives what sessions came to, and notes what they used of what they were given. */
async function learn(
  context: Context,
  which: { conversation?: string; quietMs?: number },
): Promise<void> {
  try {
    const store = await context.openStore();
    const { distilSessions } = await import("../../recall/distil/distil_sessions.ts");
    await distilSessions(store, { limitMs: limitMs.distil, now: context.now });
    const { noteUse } = await import("../../recall/hook/uptake.ts");
    await noteUse(store, { nowMs: context.now(), ...which });
  } catch (error) {
    // It is done next time; a session must get what is known now.
    debug(error instanceof Error ? error.message : String(error));
  }
}

async function answerStart(call: HookCall, context: Context): Promise<string | undefined> {
  const store = await context.openStore();
  const { startContext } = await import("../../recall/pack/start_context.ts");
  const options = { config: await context.readConfig(), nowMs: context.now() };
  return await inForm(call, await startContext(store, call, options));
}

async function inForm(call: HookCall, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { toHookAnswer } = await import("../../recall/hook/hook_answer.ts");
  return toHookAnswer(call, text);
}

async function takeOver(call: HookCall): Promise<void> {
  const { capture } = await import("./capture.ts");
  const { done, problem } = await capture(call, Deno.cwd());
  debug(done);
  if (problem !== undefined) throw new Error(problem);
}

/** Ends the process when what it is doing takes too long; that is logged where the agent works. */
class TimeLimit {
  /** Where the agent says that it works. */
  cwd?: string;
  readonly #agent: string;
  #number = 0;
  #ms = 0;

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** So long from now, instead of what was set before. */
  async set(ms: number): Promise<void> {
    const number = ++this.#number;
    this.#ms = ms;
    setDeadline(ms);
    await after(ms);
    if (number === this.#number) Deno.exit(await this.end());
  }

  /** Says that the time is over; returns the exit code. */
  async end(): Promise<number> {
    this.clear();
    const words = `Cannot answer the agent: it took longer than ${this.#ms / 1000} s`;
    const { logFailure } = await import("./capture.ts");
    logFailure(this.#agent, words, this.cwd ?? Deno.cwd());
    return fail(words);
  }

  clear(): void {
    this.#number++;
    setDeadline(Infinity);
  }
}

/** Waits, and keeps no process alive. `setTimeout` has Deno load its Node layer: 10 ms a prompt. */
function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    AbortSignal.timeout(ms).addEventListener("abort", () => resolve());
  });
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
