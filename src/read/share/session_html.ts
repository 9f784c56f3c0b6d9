// A session as one HTML file to hand on: no script, nothing loaded, a policy that forbids both; tool
// calls folded, edits as diffs, prompts as a list of anchors. Text of the session comes in through
// `escapeHtml` and `markdownHtml` only. Loads marked.

import { toFullText } from "../full_text.ts";
import type { Entry } from "../../core/entry.ts";
import { diffLines } from "../../core/lines/line_diff.ts";
import { editsOf } from "../../core/rows/edits.ts";
import { firstLine } from "../../core/text.ts";
import { escapeHtml } from "./escape_html.ts";
import { markdownHtml, plainHtml } from "./markdown_html.ts";
import { pageHead } from "./page_head.ts";
import type { SharedMessage, SharedSession } from "./shared_session.ts";

/** The parts of the page, in order. */
export async function* sessionHtml(session: SharedSession): AsyncGenerator<string> {
  yield await pageHead(session.title || session.id);
  yield "<body>\n";
  yield* sessionParts(session);
  yield `<footer><p>Made by ctx. Secrets were redacted once more, and home directories are written as ~.</p></footer>
</body>
</html>
`;
}

/** The parts of a session's body; the names of its anchors begin with `prefix`. */
export function* sessionParts(session: SharedSession, prefix = "m"): Generator<string> {
  yield `<header>
<h1>${escapeHtml(session.title || session.id)}</h1>
${factsHtml(session)}</header>
`;
  const places = new Anchors(session, prefix);
  yield promptsHtml(session, places);
  yield "<main>\n";
  yield* messagesHtml(session, places);
  yield "</main>\n";
}

/** An anchor for each message: numbers, made unique. */
class Anchors {
  readonly #names = new Map<SharedMessage, string>();
  readonly #prefix: string;

  constructor({ messages }: SharedSession, prefix: string) {
    this.#prefix = prefix;
    const used = new Set<string>();
    for (const [i, message] of messages.entries()) {
      const name = `${prefix}${message.number}`;
      this.#names.set(message, used.has(name) ? `${prefix}p${i}` : name);
      used.add(name);
    }
  }

  of(message: SharedMessage): string {
    return this.#names.get(message) ?? "";
  }

  below(session: SharedSession, i: number): Anchors {
    return new Anchors(session, `${this.#prefix}a${i + 1}m`);
  }
}

function factsHtml({ facts }: SharedSession): string {
  const rows = facts.map(([name, value]) =>
    `<div><dt>${escapeHtml(name)}</dt><dd>${
      /^\d{4}-\d\d-\d\dT/.test(value) ? timeHtml(value) : escapeHtml(value)
    }</dd></div>\n`
  );
  return `<dl>\n${rows.join("")}</dl>\n`;
}

function promptsHtml({ messages }: SharedSession, anchors: Anchors): string {
  const prompts = messages.filter(({ entry }) => isPrompt(entry));
  if (prompts.length === 0) return "";
  const items = prompts.map((message) =>
    `<li><a href="#${anchors.of(message)}">${
      escapeHtml(firstLine(message.entry.text, 120) || "…")
    }</a></li>\n`
  );
  return `<nav aria-label="Prompts">
<details open>
<summary>Prompts (${prompts.length})</summary>
<ol>
${items.join("")}</ol>
</details>
</nav>
`;
}

function isPrompt({ role, type }: Entry): boolean {
  return role === "user" && type === "turn";
}

function* messagesHtml({ messages, agents }: SharedSession, anchors: Anchors): Generator<string> {
  let count = 0;
  const toAgent = (agent: SharedSession) => agentHtml(agent, anchors.below(agent, count++));
  for (const message of messages) {
    yield messageHtml(message, anchors.of(message));
    for (const agent of message.agents) yield* toAgent(agent);
  }
  for (const agent of agents) yield* toAgent(agent);
}

function* agentHtml(session: SharedSession, anchors: Anchors): Generator<string> {
  yield `<details class="agent">
<summary>Sub-agent: ${escapeHtml(session.title || session.id)}</summary>
${factsHtml(session)}`;
  yield* messagesHtml(session, anchors);
  yield "</details>\n";
}

function messageHtml(message: SharedMessage, anchor: string): string {
  const { entry } = message;
  const head = `<h2><a href="#${anchor}">${message.number}</a> ${escapeHtml(whoOf(entry))} ${
    timeHtml(entry.ts)
  }</h2>\n`;
  const kind = isPrompt(entry) ? "prompt" : entry.type === "turn" ? "turn" : "other";
  return `<article id="${anchor}" class="${kind}">\n${head}${bodyHtml(message)}</article>\n`;
}

function whoOf({ role, type, tool }: Entry): string {
  const who = names[role] ?? role;
  if (type === "turn") return who;
  return tool === undefined ? `${who}, ${type}` : tool.name;
}

/** Who speaks, for readers who are neither of them. */
const names: Partial<Record<Entry["role"], string>> = { user: "Prompt", assistant: "Agent" };

function bodyHtml({ entry, outputs }: SharedMessage): string {
  const { type, text } = entry;
  if (type === "thinking") return folded("Thinking", markdownHtml(text));
  if (type !== "tool_call" && type !== "tool_output") return markdownHtml(text);
  const edits = editsHtml(entry);
  const results = outputs.map((output) => {
    const made = editsHtml(output);
    // What the call told already is not told again.
    return edits && made ? "" : `<h3>Output</h3>\n${made || plainHtml(output.text)}`;
  });
  const body = `${edits || plainHtml(toFullText(entry))}${results.join("")}`;
  return folded(firstLine(text, 160) || type, body, edits !== "");
}

function folded(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? " open" : ""}>\n<summary>${
    escapeHtml(summary)
  }</summary>\n${body}</details>\n`;
}

/** What an entry changed, as diffs; empty when it changed nothing. */
function editsHtml(entry: Entry): string {
  return editsOf(entry).map(({ path, old, new: now, isCut }) => {
    const lines = diffLines(old, now).split("\n").filter((line) => line !== "").map((line) => {
      // The line's end is inside: after a block it would be an empty line.
      const told = `${escapeHtml(line)}\n`;
      if (line.startsWith("+")) return `<ins>${told}</ins>`;
      return line.startsWith("-") ? `<del>${told}</del>` : told;
    });
    const name = `<h3>${escapeHtml(path || "edit")}${isCut ? " (cut)" : ""}</h3>\n`;
    return `${name}<pre class="diff">${lines.join("")}</pre>\n`;
  }).join("");
}

function timeHtml(ts: string): string {
  const told = escapeHtml(ts);
  return `<time datetime="${told}">${told.slice(0, 16).replace("T", " ")} UTC</time>`;
}
