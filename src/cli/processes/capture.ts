// What a hook message means: which conversation of which agent has something new, and taking it
// over. The importer is preferred, because it gives the same ids as `ctx import`; where it cannot
// find the conversation, the words in the message itself are kept.

import { openContext } from "../../app.ts";
import { execute } from "../../table/execute.ts";
import type { Context } from "../../table/command.ts";
import { findCommand } from "../../commands/mod.ts";
import type { Draft } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { makeId } from "../../core/id.ts";
import { findJson, isObject } from "../../core/json.ts";
import { findWorkspace } from "../../store/files/layout.ts";

/** The parts of an import's result that a hook looks at. */
interface ImportReceipt {
  entries: number;
  sources: { problems: { path: string; reason: string }[] }[];
}

/** The parts of a hook message that matter, whichever agent sent it. */
export interface HookMessage {
  conversation?: string;
  transcript?: string;
  cwd?: string;
  prompt?: string;
  answer?: string;
  turn?: string;
}

const refreshMs = 3000;

/** What a capture did, in words, and what it could not read. */
export interface Captured {
  done: string;
  problem?: string;
}

/** Takes over what is new. */
export async function capture(agent: string, json: string, cwd: string): Promise<Captured> {
  const message = parseHookMessage(json);
  const from = message.cwd ?? cwd;
  const workspace = findWorkspace({ cwd: from });
  if (workspace === undefined) return { done: `no store in ${from} or above` };
  const context = openContext({ surface: "cli", workspace });
  const captured = await takeOver(agent, message, context);
  await refreshHints(context);
  return captured;
}

async function takeOver(agent: string, message: HookMessage, context: Context): Promise<Captured> {
  const { entries, problem } = await tryImport(agent, message, context);
  if (entries !== undefined && entries > 0) return { done: `${entries} entries imported`, problem };
  if (entries === 0 && message.transcript !== undefined) return { done: "nothing new", problem };
  const saved = await saveWords(agent, message, context);
  // The words were kept, so an unreadable transcript is no problem.
  if (saved > 0) return { done: `${saved} entries saved` };
  return { done: `nothing to save in ${context.workspace}: ${describeLack(message)}`, problem };
}

function describeLack({ conversation, transcript }: HookMessage): string {
  if (transcript !== undefined) {
    return `there is no "${transcript}" yet, and no words in the message`;
  }
  if (conversation === undefined) return "the message names no conversation";
  return `conversation "${conversation}" was not found, and no words are in the message`;
}

/**
 * Brings the tables that `ctx hook pre-edit` reads up to date, for a moment and only where they were
 * built before: a first build takes long and is left to `ctx suggest` and `ctx watch`. Erasing
 * removes them with the index; logged suggestions then tell that they were there.
 */
async function refreshHints(context: Context): Promise<void> {
  const store = await context.openStore();
  const marks = [`${store.layout.index}/graph.bin`, store.layout.suggestions];
  if (marks.every((path) => store.files.findSize(path) === undefined)) return;
  const { refreshSources } = await import("../../suggest/open_sources.ts");
  try {
    const signal = AbortSignal.timeout(refreshMs);
    await refreshSources(store, { limitMs: refreshMs, ticks: () => performance.now(), signal });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "TimeoutError")) throw error;
  }
}

/** Reads the messages of Claude Code, Codex (hook and notify), Cursor, Gemini and our plugin. */
export function parseHookMessage(json: string): HookMessage {
  const value: unknown = json.trim() === "" ? {} : findJson(json);
  if (value === undefined) {
    throw new CtxError("USAGE", "Cannot read the agent's message: it is no JSON");
  }
  const find = (...names: string[]): string | undefined => {
    for (const name of names) {
      const found = isObject(value) ? value[name] : undefined;
      const first: unknown = Array.isArray(found) ? found.at(-1) : found;
      if (typeof first === "string" && first !== "") return first;
    }
    return undefined;
  };
  return {
    conversation: find("session_id", "conversation_id", "thread-id", "thread_id"),
    transcript: find("transcript_path"),
    cwd: find("cwd", "workspace_roots"),
    prompt: find("prompt", "input-messages", "input_messages"),
    answer: find("last_assistant_message", "last-assistant-message", "prompt_response", "text"),
    turn: find("turn_id", "turn-id", "generation_id", "prompt_id"),
  };
}

/** How many entries the importer took (undefined when it cannot help here), and what it could not read. */
async function tryImport(
  agent: string,
  message: HookMessage,
  context: Context,
): Promise<{ entries?: number; problem?: string }> {
  const command = await findCommand("import");
  if (command === undefined) return {};
  const where = message.transcript !== undefined
    ? { root: message.transcript }
    : message.conversation !== undefined
    ? { session: message.conversation }
    : undefined;
  if (where === undefined) return {};
  try {
    const receipt: Partial<ImportReceipt> = await execute(
      command,
      // Records are made when the session ends: a turn is to be captured at once.
      { sources: [agent], ...where, no_distil: true },
      context,
    );
    const [first] = receipt.sources?.flatMap(({ problems }) => problems) ?? [];
    const problem = first && `Cannot read "${first.path}": ${first.reason}`;
    return { entries: receipt.entries, problem };
  } catch (error) {
    // Agents name transcripts before they write them.
    if (error instanceof CtxError && error.code === "NOT_FOUND") return {};
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function saveWords(agent: string, message: HookMessage, context: Context): Promise<number> {
  const { conversation, prompt, answer, turn } = message;
  if (conversation === undefined || (prompt === undefined && answer === undefined)) return 0;
  const store = await context.openStore();
  const session = makeId("S", 0, `${agent}\0${conversation}`);
  const now = context.now();
  const toDraft = (role: "user" | "assistant", text: string): Draft => ({
    id: makeId("H", now, `${agent}\0${conversation}\0${turn ?? now}\0${role}\0${text}`),
    role,
    type: "turn",
    text,
    session_id: session,
    source: { agent, conversation },
  });
  const drafts = [
    ...(prompt === undefined ? [] : [toDraft("user", prompt)]),
    ...(answer === undefined ? [] : [toDraft("assistant", answer)]),
  ];
  await store.write("hook", (writer) => {
    if (!store.readSessions().has(session)) {
      const ts = new Date(now).toISOString();
      writer.appendSessionEvents([
        { event: "opened", session_id: session, ts, source: agent, current: false },
      ]);
    }
    writer.append(drafts);
  });
  return drafts.length;
}
