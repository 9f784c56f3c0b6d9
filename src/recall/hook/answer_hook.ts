// Answers an agent's hook, whatever its moment: a session that starts is given the pack, a prompt a few
// lines where they are strongly relevant; everything else is a turn to take over. Runs on every prompt,
// so it loads only what the moment needs. Prints nothing: the command line does.

import { homeOf } from "../../core/platform_path.ts";
import type { Context } from "../../command/command.ts";
import { setDeadline } from "../../core/deadline.ts";
import { isTitleTalk } from "../../core/voice/not_the_user.ts";
import { diskFiles } from "../../disk/files.ts";
import { layoutOf } from "../../disk/layout.ts";
import { logCapture } from "../../store/logs/capture_log.ts";
import type { Store } from "../../store/store.ts";
import type { Block } from "../pack/block.ts";
import type { AskedPrompt } from "../prompt/asked_prompt.ts";
import type { Captured } from "./capture.ts";
import { compactionMark, type HookCall, type LeftWork } from "./hook_call.ts";

/** The longest an agent is kept waiting, by what it waits for; a start for `prepare` and `pack`. */
export const limitMs = {
  prompt: 2000,
  catchUp: 3000,
  prepare: 5000,
  pack: 4000,
  turn: 8000,
};

/** What a hook is answered with, beside its message. */
export interface HookWorld {
  context: Context;
  /** Where the store is. */
  workspace: string;
  /** So long from now, instead of the limit before; no limit without a number. */
  limit: (ms?: number) => void;
  debug: (words: string) => void;
  /** Hears what is to be done when the agent has its answer, or that nothing is. */
  leave: (moment?: LeftWork["moment"]) => void;
}

/** Longer prompts are pasted files: nothing is said about them, and to redact one takes seconds. */
const maxPromptChars = 256 << 10;

/** Does what the moment asks for; returns what to print. */
export async function answerHook(call: HookCall, world: HookWorld): Promise<string | undefined> {
  if (call.moment === "start") return await answerStart(call, world);
  if (call.moment === "subagent") return await answerSubagent(call, world);
  if (call.moment === "prompt") return await answerPrompt(call, world);
  if (call.moment === "tool") return await answerTool(call, world);
  const { entries = 0 } = await takeOver(call, world);
  if (call.moment === "end") await leaveSession(call, world);
  else if (entries > 0) world.leave("turn");
  if (call.moment === "compact") {
    const { markCompaction } = await import("./compact_block.ts");
    markCompaction(await world.context.openStore(), call, world.context.now());
  }
  // A sub-agent is not asked to finish anything: who started it is.
  const isTurn = call.moment === "turn" && call.subagent === undefined;
  return isTurn ? await answerTurn(call, world) : undefined;
}

/** Writes down a failure that ended the hook. */
export async function logFailure(
  agent: string,
  problem: string,
  workspace: string,
): Promise<void> {
  const store = { files: diskFiles, layout: layoutOf(workspace) };
  await logCapture(store, { event: "failed", agent, problem, now: Date.now() });
}

/** Waits, and keeps no process alive. `setTimeout` has Deno load its Node layer: 10 ms a prompt. */
export function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    AbortSignal.timeout(ms).addEventListener("abort", () => resolve());
  });
}

async function answerStart(call: HookCall, world: HookWorld): Promise<string | undefined> {
  const { context, limit } = world;
  limit();
  world.leave("start");
  await prepare(call, world);
  limit(limitMs.pack);
  const store = await context.openStore();
  const nowMs = context.now();
  if (call.reason === "compact") {
    const { makeCompactBlock } = await import("./compact_block.ts");
    const block = await makeCompactBlock(call, context);
    if (block !== undefined) return await give(call, context, { block, nowMs });
  }
  const { makeStartBlock } = await import("../pack/start_pack.ts");
  const { isSettled, ...block } = await makeStartBlock(store, {
    config: await context.readConfig(),
    nowMs,
    ...(call.reason === "resume" ? await readHeld(store, call) : {}),
    client: { name: call.agent, home: homeOf(context.env) },
  });
  if (isSettled === true) world.leave();
  return await give(call, context, { block, nowMs });
}

/** What a sub-agent finds comes in when it ends: at its start there is nothing to capture. */
async function answerSubagent(call: HookCall, world: HookWorld): Promise<string | undefined> {
  const { context, limit } = world;
  limit(limitMs.prompt);
  const { makeSubagentBlock } = await import("./subagent_block.ts");
  const store = await context.openStore();
  const block = await makeSubagentBlock(store, call, context);
  return await give(call, context, { block, nowMs: context.now() });
}

/** What a conversation was given and still has, and the sessions that it is. */
async function readHeld(
  store: Store,
  { conversation }: HookCall,
): Promise<{ given?: Set<string>; held?: Set<string> }> {
  if (conversation === undefined) return {};
  const { givenSinceLoss, readInjections, readSessionsOf } = await import(
    "../../store/logs/injection_log.ts"
  );
  const rows = [...readInjections(store, { needles: [JSON.stringify(conversation)] })];
  return { given: givenSinceLoss(rows, conversation), held: readSessionsOf(store, conversation) };
}

async function answerPrompt(call: HookCall, world: HookWorld): Promise<string | undefined> {
  const { context, limit, debug } = world;
  limit(limitMs.prompt);
  const { agent, prompt = "", conversation } = call;
  if (isTitleTalk({ role: "user", text: prompt })) return undefined;
  if (prompt.length > maxPromptChars) {
    debug("the prompt is too long to process now; it is captured when the turn ends");
    return undefined;
  }
  const { holdPrompt } = await import("./hold_prompt.ts");
  // A broken setting must not lose a prompt: it is reported after that.
  const store = await context.openStore({ lenient: true });
  debug(await holdPrompt(call, { store, now: context.now() }));
  const isAsked = agent !== "cursor" && (await context.readConfig()).get("inject.prompt");
  if (!isAsked || conversation === undefined) return undefined;
  const nowMs = context.now();
  const block = await makeAsked(store, { prompt, conversation, nowMs });
  const lost = await takeLost(call, { store, context });
  if (lost === undefined) return block && await give(call, context, { block, nowMs });
  const lines = [...lost.lines, ...block?.lines ?? []];
  const both = { ...lost, text: lost.text + (block?.text ?? ""), lines };
  return await give(call, context, { block: both, nowMs });
}

/** What a prompt is told; undefined before a request that no prompt stands before. */
async function makeAsked(store: Store, asked: AskedPrompt): Promise<Block | undefined> {
  if (asked.prompt === "") return undefined;
  const { makePromptBlock } = await import("../prompt/prompt_context.ts");
  return await makePromptBlock(store, asked);
}

/** What a summary lacks, where that was not told yet. */
async function takeLost(
  call: HookCall,
  { store, context }: { store: Store; context: Context },
): Promise<Block | undefined> {
  const { files, layout: { held } } = store;
  if (call.agent === "gemini") {
    const { markGeminiCompaction } = await import("./gemini_compaction.ts");
    markGeminiCompaction(store, call);
  }
  const isMarked = files.findSize(compactionMark(held, call.conversation ?? "")) !== undefined;
  if (!isMarked) return undefined;
  const { takeCompactBlock } = await import("./compact_block.ts");
  return (await takeCompactBlock(call, context))?.block;
}

/** Notes a block as given, to a sub-agent as its own; returns it in the agent's form. */
async function give(
  call: HookCall,
  context: Context,
  given: { block: Block; nowMs: number },
): Promise<string | undefined> {
  if (given.block.text === "") return undefined;
  const every = (await context.readConfig()).get("inject.trial");
  if (every > 0) {
    const { isWithheld } = await import("./toss_coin.ts");
    if (await isWithheld(call, context, { every })) return undefined;
  }
  const { giveBlock } = await import("./give_block.ts");
  const { moment, conversation, subagent = conversation } = call;
  const own = moment === "subagent" ? { ...call, conversation: subagent } : call;
  return await giveBlock(await context.openStore(), own, given);
}

/** A session that ended is in nobody's way. */
async function leaveSession(call: HookCall, world: HookWorld): Promise<void> {
  world.leave("end");
  const { endLive } = await import("../live/live_log.ts");
  endLive(await world.context.openStore(), call, world.context.now());
}

/** What our plugin asks before a tool runs. */
async function answerTool(call: HookCall, { context }: HookWorld): Promise<string | undefined> {
  const { answerGuard } = await import("./answer_guard.ts");
  const answer = await answerGuard(call, context);
  const config = await context.readConfig();
  const isAsked = config.get("suggest.enabled") && config.get("suggest.collisions");
  if (answer !== undefined || !isAsked) return answer;
  const { warnEdit } = await import("../live/warn_edit.ts");
  return (await warnEdit(call, { store: await context.openStore(), context })).refusal;
}

/** What the user wants done before the end goes before what ctx would like to have. */
async function answerTurn(call: HookCall, world: HookWorld): Promise<string | undefined> {
  if (diskFiles.findSize(layoutOf(world.workspace).guards) !== undefined) {
    const { answerEnd } = await import("./answer_end.ts");
    const answer = await answerEnd(call, world.context);
    if (answer !== undefined) return answer;
  }
  return await askAuthor(call, world);
}

/** Asks the agent to save what its work came to, where the user agreed to that. */
async function askAuthor(call: HookCall, { context }: HookWorld): Promise<string | undefined> {
  const config = await context.readConfig();
  if (!config.get("distil.ask_agent")) return undefined;
  const { authorRequest } = await import("../distil/author_request.ts");
  return await authorRequest(await context.openStore(), call, { config, nowMs: context.now() });
}

/** Takes over what happened since, for a while: what was not done goes on next time. */
async function prepare(call: HookCall, world: HookWorld): Promise<void> {
  setDeadline(limitMs.prepare);
  await Promise.race([catchUp(call, world), after(limitMs.prepare)]);
}

/** What was not captured must not keep a session from what it should know; it is logged. */
async function catchUp(call: HookCall, { context, debug }: HookWorld): Promise<void> {
  const { catchUp } = await import("./capture.ts");
  try {
    const signal = AbortSignal.timeout(limitMs.catchUp);
    const { done, problem } = await catchUp(call, { ...context, signal });
    debug(problem ?? done);
  } catch (error) {
    debug(error instanceof Error ? error.message : String(error));
  }
}

async function takeOver(call: HookCall, { context, debug }: HookWorld): Promise<Captured> {
  const { capture } = await import("./capture.ts");
  const captured = await capture(call, context);
  debug(captured.done);
  if (captured.problem !== undefined) throw new Error(captured.problem);
  return captured;
}
