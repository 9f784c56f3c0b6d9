// Tells what a person typed into Claude Code from what the harness put around it or in its place, and
// from what other agents sent.

import { claudeNotice } from "../../core/voice/client_forms.ts";
import { type Json, toObject, toText } from "./loose_json.ts";
import { skipBlocks } from "./without_blocks.ts";

/** What a user text really is. */
export type ClaudePrompt =
  | { kind: "prompt"; text: string }
  | { kind: "output"; text: string }
  | { kind: "harness" };

const opening =
  /\s*<(ide_opened_file|ide_selection|ide_diagnostics|system-reminder|task-notification|local-command-caveat|user-prompt-submit-hook|session-start-hook)>/y;
const openingNote =
  /\s*(?:Full transcript available at|Read the output file to retrieve the result):.*/y;
/** Reminders also stand after what was typed. */
const appended = ["system-reminder", "user-prompt-submit-hook"];
/** Who speaks in a user line or a queued command: a person, another agent, or the harness. */
export function speakerOf(line: Json): "person" | "agent" | "harness" {
  const kind = toText(toObject(line.origin)?.kind);
  if (kind === "peer" || kind === "coordinator") return "agent";
  if (kind === "human" || kind === "channel") return "person";
  const isOwn = kind !== undefined && machineOrigins.has(kind);
  return isOwn || line.commandMode === "task-notification" || line.promptSource === "system"
    ? "harness"
    : "person";
}

const machineOrigins = new Set(
  "task-notification auto-continuation scheduled-trigger observer observer-activity".split(" "),
);

/** Reads the text of a user line; wrappers before a real prompt are taken off. */
export function parseClaudePrompt(content: string): ClaudePrompt {
  const text = withoutAppended(content.slice(skipBlocks(content, opening, openingNote)));
  if (text.trim() === "" || claudeNotice.test(text)) return { kind: "harness" };
  const command = tagOf(text, "command-name");
  // It ends the session before, and says nothing of the one that begins with it.
  if (command === "/clear") return { kind: "harness" };
  if (command !== undefined) {
    const args = tagOf(text, "command-args") ?? "";
    return { kind: "prompt", text: `${command} ${args}`.trim() };
  }
  const shell = tagOf(text, "bash-input");
  if (shell !== undefined) return { kind: "prompt", text: `! ${shell}` };
  if (text.includes("<bash-stdout>") || text.includes("<bash-stderr>")) {
    const output = [tagOf(text, "bash-stdout"), tagOf(text, "bash-stderr")];
    return { kind: "output", text: output.filter((part) => part).join("\n") };
  }
  if (/^\s*<local-command-std(?:out|err)>/.test(text)) return { kind: "harness" };
  return { kind: "prompt", text: text.startsWith("\n") ? text.trimStart() : text };
}

/** The text before the blocks it ends with, each of which begins a line. */
function withoutAppended(text: string): string {
  let rest = text;
  while (true) {
    const body = rest.trimEnd();
    const name = appended.find((each) => body.endsWith(`</${each}>`));
    const from = name === undefined ? -1 : body.lastIndexOf(`<${name}>`);
    if (from < 0) return rest;
    const before = body.slice(0, from);
    const line = before.indexOf("\n", before.trimEnd().length);
    if (line < 0) return rest;
    rest = before.slice(0, line);
  }
}

function tagOf(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  if (start < 0) return undefined;
  const from = start + tag.length + 2;
  const end = text.indexOf(`</${tag}>`, from);
  return text.slice(from, end < 0 ? undefined : end).trim();
}
