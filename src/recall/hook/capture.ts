// Takes over what an agent's hook tells of: the conversation is imported, which gives the same ids as
// `ctx import`; words that no transcript has yet are held. What was done, and what went wrong, is
// logged, so that `ctx status` and `ctx doctor` can tell. Prints nothing.

import { isDirectory } from "../../disk/outside_files.ts";
import type { Context } from "../../command/command.ts";
import { toTimestamp } from "../../core/entry.ts";
import { CtxError, isReadOnly } from "../../core/errors.ts";
import { isTitleTalk } from "../../core/voice/not_the_user.ts";
import { Importer } from "../../intake/import/importer.ts";
import type { Receipt } from "../../intake/import/receipt.ts";
import { isLookAtAll, logCapture, readCaptures } from "../../store/logs/capture_log.ts";
import { holdWords } from "../../store/logs/held_words.ts";
import type { Store } from "../../store/store.ts";
import type { HookCall } from "./hook_call.ts";
import { settleHeld } from "./settle_held.ts";

/** What a capture did, in words, and what it could not read. */
export interface Captured {
  done: string;
  problem?: string;
  /** Without a number of entries it did not come to its end, and nothing is said of it. */
  entries?: number;
}

/** The same with what is written down of it. */
interface Outcome extends Captured {
  /** What was not there yet: noted, but no failure of the hook. */
  lack?: string;
}

interface Imported {
  entries: number;
  /** Whether the conversation is there, new or known. */
  found: boolean;
  problem?: string;
}

/** How far back a first look goes: what is older is for `ctx import`. */
const firstLookMs = 24 * 3_600_000;
/** A transcript may be written to after its capture. */
const overlapMs = 3_600_000;

/** Takes over what is new in the conversation of a hook's message. */
export async function capture(call: HookCall, context: Context): Promise<Captured> {
  if (isTitleThread(call)) return { done: "the agent made a title" };
  const store = await context.openStore();
  return await logged(store, { call, context }, () => takeOver(call, { context, store }));
}

/**
 * Imports the sessions of an agent in this workspace that changed since one started last: those that
 * were killed before their hook ran. Stops when the context's signal says so; what was read by then is
 * kept, and the next time looks as far back again.
 */
export async function catchUp(call: HookCall, context: Context): Promise<Captured> {
  const { agent } = call;
  const store = await context.openStore();
  return await logged(store, { call, context }, async () => {
    const since = toTimestamp(lastLook(store, agent, context.now()));
    const { entries, problem } = await importFrom(agent, { since }, { context, store });
    const taken = await settleHeld(store, { agent, now: context.now() });
    const done = `${entries + taken} entries caught up`;
    return { done, entries: context.signal.aborted ? undefined : entries + taken, problem };
  });
}

/** Runs a capture and writes down how it went, and that its session lives or ended. */
async function logged(
  store: Store,
  { call, context }: { call: HookCall; context: Context },
  run: () => Promise<Outcome>,
): Promise<Captured> {
  const { agent, event, conversation } = call;
  const hook = event || undefined;
  const facts = { agent, hook, conversation, now: context.now() };
  if (conversation !== undefined) {
    const isEnd = call.moment === "end";
    await logCapture(store, { event: isEnd ? "ended" : "live", ...facts });
  }
  try {
    const { done, entries, problem, lack } = await run();
    const failure = problem ?? lack;
    if (failure !== undefined) {
      await logCapture(store, { event: "failed", ...facts, problem: failure });
    } else if (entries !== undefined) {
      await logCapture(store, { event: "captured", ...facts, entries });
    }
    return { done, problem, entries };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (!isStrange(error)) await logCapture(store, { event: "failed", ...facts, problem });
    throw error;
  }
}

/** Whether a hook was called by a name that is no agent's: noted, it would stay wrong for ever. */
function isStrange(error: unknown): boolean {
  return error instanceof CtxError && error.code === "USAGE";
}

/** Whether a turn ended in which the agent asked for a title only; those have no transcript. */
function isTitleThread({ transcript, prompt, answer = "" }: HookCall): boolean {
  if (transcript !== undefined) return false;
  return prompt === undefined
    ? isTitleTalk({ role: "assistant", text: answer })
    : isTitleTalk({ role: "user", text: prompt });
}

async function takeOver(
  call: HookCall,
  { context, store }: { context: Context; store: Store },
): Promise<Outcome> {
  const { entries, found, problem } = await importConversation(call, { context, store });
  const now = context.now();
  // A transcript that is there may not have the last prompt yet; its answers come with the next look.
  const words = found ? { ...call, answer: undefined } : call;
  const held = await hold(store, { ...words, now });
  const taken = await settleHeld(store, { agent: call.agent, now });
  const lack = describeLack(call);
  const done = entries > 0
    ? `${entries} entries imported`
    : taken > 0
    ? `${taken} waiting entries saved`
    : found
    ? "nothing new"
    : held > 0
    ? "the prompt is kept until its transcript appears"
    : `nothing to save in ${store.layout.workspace}: ${lack}`;
  // A session may end without a turn; a turn that ended was somewhere.
  const isLost = !found && held === 0 && call.moment !== "end" &&
    (call.conversation ?? call.transcript) !== undefined;
  return { done, entries: entries + taken, problem, ...(isLost ? { lack } : {}) };
}

async function hold(
  store: Store,
  { agent, conversation, prompt, answer, now }: HookCall & { now: number },
): Promise<number> {
  if (conversation === undefined) return 0;
  const words = [["user", prompt], ["assistant", answer]] as const;
  let held = 0;
  for (const [role, text] of words) {
    if (text === undefined) continue;
    await holdWords(store, { agent, conversation, role, text, now });
    held++;
  }
  return held;
}

function describeLack({ conversation, transcript }: HookCall): string {
  if (transcript !== undefined) {
    return `there is no "${transcript}" yet, and the message has no text`;
  }
  if (conversation === undefined) return "the message names no conversation";
  return `conversation "${conversation}" was not found, and the message has no text`;
}

/** By its transcript, where the agent names one that is there; else by its id. */
async function importConversation(
  { agent, transcript, conversation }: HookCall,
  where: { context: Context; store: Store },
): Promise<Imported> {
  // A directory is no transcript: it would bring the sessions of all projects below it.
  if (transcript !== undefined && !isDirectory(transcript)) {
    const imported = await importFrom(agent, { root: transcript }, where);
    if (imported.found || imported.problem !== undefined) return imported;
  }
  if (conversation === undefined) return { entries: 0, found: false };
  return await importFrom(agent, { session: conversation }, where);
}

/** What of an agent's history to import. */
interface Wanted {
  root?: string;
  session?: string;
  since?: string;
  all_projects?: boolean;
}

async function importFrom(
  agent: string,
  wanted: Wanted,
  { context, store }: { context: Context; store: Store },
): Promise<Imported> {
  try {
    let receipt = await importOnce(agent, wanted, { context, store });
    // A transcript that does not say where it was held is this workspace's: its agent says so.
    if (wanted.root !== undefined && receipt.sessions_skipped.no_project > 0) {
      receipt = await importOnce(agent, { ...wanted, all_projects: true }, { context, store });
    }
    const { entries, sessions_imported, sessions_skipped: skipped, problems: [first] } = receipt;
    const known = sessions_imported + (skipped.unchanged ?? 0) + (skipped.nothing_new ?? 0);
    if (wanted.root !== undefined && known === 0 && receipt.bad_lines > 0) {
      const problem = `Cannot read "${wanted.root}": no readable line in it`;
      return { entries, found: false, problem };
    }
    return {
      entries,
      found: known + (skipped.empty ?? 0) > 0,
      problem: first && `Cannot read "${first.path}": ${first.reason}`,
    };
  } catch (error) {
    // Agents name transcripts before they write them; a look that took too long goes on next time.
    const isEarly = error instanceof CtxError && error.code === "NOT_FOUND";
    if (isEarly || context.signal.aborted) return { entries: 0, found: false };
    if (isStrange(error) || isReadOnly(error)) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    return { entries: 0, found: false, problem };
  }
}

/** Imports. Records are made, and the index follows, when the agent has its answer (follow_hook.ts). */
async function importOnce(
  agent: string,
  wanted: Wanted,
  { context, store }: { context: Context; store: Store },
): Promise<Receipt> {
  context.signal.throwIfAborted();
  await using importer = await Importer.open(store, { sources: [agent], ...wanted }, context);
  const [receipt] = await importer.pass();
  await importer.finishIndex();
  return receipt;
}

/** When all sessions of an agent were looked at last; captures in between look at one only. */
function lastLook(store: Store, agent: string, now: number): number {
  const last = readCaptures(store).findLast((event) =>
    event.agent === agent && event.event === "captured" && isLookAtAll(event)
  );
  return last === undefined ? now - firstLookMs : Date.parse(last.ts) - overlapMs;
}
