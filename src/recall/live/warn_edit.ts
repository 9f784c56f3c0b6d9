// Before an edit: notes whose it is in the log of live edits, and warns once where another live session
// changed the same lines, or is about to. The warning takes the place of the edit: agents read what a hook
// says besides only when the tool has run. The same edit again is let through. Silent else.

import type { Context } from "../../command/command.ts";
import { toFields } from "../../core/json.ts";
import { findSmallText } from "../../disk/outside_files.ts";
import type { Store } from "../../store/store.ts";
import { findInWorkspace } from "../edit/graph/workspace_path.ts";
import { toolInputOf } from "../edit/hook_edit.ts";
import { findSpans } from "./edit_spans.ts";
import { type Collision, findCollision } from "./find_collision.ts";
import { appendLive, type LiveEdit, liveLog, readLive } from "./live_log.ts";

/** A hook's message before an edit. */
export interface EditCall {
  agent: string;
  event: string;
  conversation?: string;
  transcript?: string;
  cwd?: string;
  message?: unknown;
}

/** What to print so that the edit waits; undefined where it may go on. */
export async function warnEdit(
  call: EditCall,
  { store, context }: { store: Store; context: Context },
): Promise<string | undefined> {
  const { conversation: session, message } = call;
  // What ran already cannot be warned of: Gemini and Qwen Code also call after a read.
  if (session === undefined || /^(?:After|Post)/.test(call.event)) return undefined;
  const cwd = call.cwd ?? context.cwd;
  const { workspace } = store.layout;
  const whole = (file: string): string => file.startsWith("/") ? file : `${cwd}/${file}`;
  const found = findSpans(toolInputOf(message), (file) => findSmallText(whole(file)));
  const ts = new Date(context.now()).toISOString();
  const edits = found.flatMap(({ file, spans }): LiveEdit[] => {
    const place = findInWorkspace(file, { workspace, cwd });
    if (place === undefined) return [];
    return [{ ts, session, agent: agentOf(call), tree: place.root, file: place.path, spans }];
  });
  if (edits.length === 0) return undefined;
  const log = liveLog(store.layout);
  const live = readLive(store.files, log, {
    nowMs: context.now(),
    only: edits.map(({ file }) => file),
  });
  const collisions = edits.flatMap((edit) => findCollision(edit, live) ?? []);
  const isWarned = collisions.length > 0;
  for (const edit of edits) {
    appendLive(store.files, log, isWarned ? { ...edit, warned: true } : edit);
  }
  return isWarned ? await answer(call, { store, context, collisions }) : undefined;
}

async function answer(
  call: EditCall,
  { store, context, collisions }: { store: Store; context: Context; collisions: Collision[] },
): Promise<string | undefined> {
  const [{ collisionWords }, { guardForm, toGuardAnswer }] = await Promise.all([
    import("./collision_words.ts"),
    import("../../guard/guard_words.ts"),
  ]);
  const words = collisionWords(collisions, { store, nowMs: context.now() });
  if (!/^(?:PreToolUse|BeforeTool)$/.test(call.event)) return `${words}\n`;
  return toGuardAnswer(guardForm(call), { event: call.event, mode: "deny", words });
}

/** The agent that calls before an edit, by where its transcript is or what only it has. */
function agentOf({ agent, event, transcript = "", message }: EditCall): string | undefined {
  if (agent !== "pre-edit") return agent;
  const [, home] = /[\\/]\.(claude|codex|gemini|qwen)[\\/]/.exec(transcript) ?? [];
  if (home !== undefined) return home === "claude" ? "claude-code" : home;
  if (event === "BeforeTool") return "gemini";
  return toFields(message).tool_name === "apply_patch" ? "codex" : undefined;
}
