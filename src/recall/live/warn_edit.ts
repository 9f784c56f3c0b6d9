// Before an edit: notes whose it is in the log of live edits, and warns once where another live session
// changed the same lines, or is about to. The warning takes the place of the edit: agents read what a hook
// says besides only when the tool has run. The same edit again is let through. Where one of two that change
// a file does it by a shell, nobody knows which lines: that is only told. Silent else.

import type { Context } from "../../command/command.ts";
import { toFields } from "../../core/json.ts";
import { resolvePath } from "../../core/platform_path.ts";
import { findInfo, findSmallText } from "../../disk/outside_files.ts";
import type { Store } from "../../store/store.ts";
import { findInWorkspace } from "../edit/graph/workspace_path.ts";
import { agentOfTranscript, findCommand, toolInputOf } from "../edit/hook_edit.ts";
import { findSpans } from "./edit_spans.ts";
import { type Collision, findCollision, findTouch } from "./find_collision.ts";
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

/** What another session's edits mean for one that is about to happen. */
export interface EditWarning {
  /** What to print so that the edit waits. */
  refusal?: string;
  /** What the agent should know, though the edit goes on. */
  note?: string;
}

/** Looks whether the edit meets another session's; nothing where it may simply go on. */
export async function warnEdit(
  call: EditCall,
  { store, context }: { store: Store; context: Context },
): Promise<EditWarning> {
  const { conversation: session, message } = call;
  // What ran already cannot be warned of: Gemini and Qwen Code also call after a read.
  if (session === undefined || /^(?:After|Post)/.test(call.event)) return {};
  const cwd = call.cwd ?? context.cwd;
  const { workspace } = store.layout;
  const found = findSpans(toolInputOf(message), (file) => findSmallText(resolvePath(file, cwd)));
  const by = { ts: new Date(context.now()).toISOString(), session, agent: agentOf(call) };
  const edits = found.flatMap(({ file, spans }): LiveEdit[] => {
    const place = findInWorkspace(file, { workspace, cwd });
    return place === undefined ? [] : [{ ...by, tree: place.root, file: place.path, spans }];
  });
  const command = edits.length === 0 ? findCommand(message) : undefined;
  if (command !== undefined) {
    const { shellEdits } = await import("./shell_edits.ts");
    edits.push(...await shellEdits(command, by, { workspace, cwd }));
  }
  if (edits.length === 0) return {};
  const log = liveLog(store.layout);
  const live = readLive(store.files, log, {
    nowMs: context.now(),
    only: edits.map(({ file }) => file),
    own: session,
  });
  const made = withoutUnmade(live, context.now());
  const collisions = edits.flatMap((edit) => findCollision(edit, made) ?? []);
  const isWarned = collisions.length > 0;
  const isNoted = edits.map((edit) =>
    appendLive(store.files, log, isWarned ? { ...edit, warned: true } : edit)
  ).every(Boolean);
  // Who cannot be noted as told would be told at every try.
  if (!isNoted) return {};
  if (isWarned) return { refusal: await refuse(call, { store, context, collisions }) };
  const touches = edits.flatMap((edit) => findTouch(edit, made) ?? []);
  if (touches.length === 0) return {};
  const { touchWords } = await import("./collision_words.ts");
  return { note: `${touchWords(touches, { store, nowMs: context.now() })}\n` };
}

/** Without edits that their user or their tool refused: they left the file as it was. */
function withoutUnmade(edits: readonly LiveEdit[], nowMs: number): LiveEdit[] {
  const changed = new Map<string, number>();
  const changedAt = (path: string): number => {
    const known = changed.get(path) ?? findInfo(path)?.mtime?.getTime() ?? Infinity;
    changed.set(path, known);
    return known;
  };
  return edits.filter(({ ts, tree, file, warned }) => {
    const at = Date.parse(ts);
    return warned || nowMs - at < inFlightMs || changedAt(`${tree}/${file}`) >= at;
  });
}

/** So long a tool may take, and its user to agree. */
const inFlightMs = 60_000;

async function refuse(
  call: EditCall,
  { store, context, collisions }: { store: Store; context: Context; collisions: Collision[] },
): Promise<string | undefined> {
  const [{ collisionWords }, { guardForm, toGuardAnswer }] = await Promise.all([
    import("./collision_words.ts"),
    import("../../guard/guard_words.ts"),
  ]);
  const words = collisionWords(collisions, { store, nowMs: context.now() });
  // To our plugin for OpenCode, any answer is a refusal in its own words.
  const isPlain = call.agent === "opencode" || !/^(?:PreToolUse|BeforeTool)$/.test(call.event);
  if (isPlain) return `${words}\n`;
  return toGuardAnswer(guardForm(call), { event: call.event, mode: "deny", words });
}

/** The agent that calls before an edit, by where its transcript is or what only it has. */
function agentOf({ agent, event, transcript, message }: EditCall): string | undefined {
  if (agent !== "pre-edit") return agent;
  const known = agentOfTranscript(transcript);
  if (known !== undefined) return known;
  if (event === "BeforeTool") return "gemini";
  return toFields(message).tool_name === "apply_patch" ? "codex" : undefined;
}
