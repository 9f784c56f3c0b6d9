// A session as Markdown to hand on: prompts and answers as they are, what tools were given and gave
// back in fences that nothing inside can close, edits as diffs. Pure.

import { toFullText } from "../full_text.ts";
import type { Entry } from "../../core/entry.ts";
import { diffLines } from "../../core/lines/line_diff.ts";
import { editsOf } from "../../core/rows/edits.ts";
import { toLine } from "../../core/text.ts";
import type { SharedMessage, SharedSession } from "./shared_session.ts";

/** The parts of the text, in order. */
export function* sessionMarkdown(session: SharedSession, level = 1): Generator<string> {
  const heading = "#".repeat(Math.min(6, level));
  const name = level === 1 ? "" : "Sub-agent: ";
  yield `${heading} ${name}${toLine(session.title || session.id, 200)}\n\n`;
  yield `${session.facts.map(([fact, value]) => `- ${fact}: ${toLine(value, 500)}\n`).join("")}\n`;
  for (const message of session.messages) {
    yield messageMarkdown(message, heading);
    for (const agent of message.agents) yield* sessionMarkdown(agent, level + 1);
  }
  for (const agent of session.agents) yield* sessionMarkdown(agent, level + 1);
}

function messageMarkdown({ number, entry, outputs }: SharedMessage, heading: string): string {
  const { role, type, tool, ts, text } = entry;
  const who = type === "turn" ? role : tool?.name ?? `${role}, ${type}`;
  const time = ts.slice(0, 16).replace("T", " ");
  const head = `${heading}# ${number} · ${toLine(who, 80)} · ${time} UTC\n\n`;
  if (type !== "tool_call" && type !== "tool_output") return `${head}${text.trim()}\n\n`;
  const parts = [entry, ...outputs].flatMap((part) => {
    const edits = editsMarkdown(part);
    return edits.length > 0 ? edits : [fenced(part === entry ? toFullText(part) : part.text)];
  });
  return `${head}${parts.join("\n")}\n`;
}

function editsMarkdown(entry: Entry): string[] {
  return editsOf(entry).map(({ path, old, new: now }) =>
    fenced(`--- ${path}\n${diffLines(old, now)}`, "diff")
  );
}

/** A text in a fence that is longer than any inside. */
export function fenced(text: string, language = ""): string {
  const longest = text.matchAll(/`{3,}/g).reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}
