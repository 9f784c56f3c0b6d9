// What a person typed, out of the texts that Cline sends in their name: a task, an answer to a
// question, feedback on a result. Pure.

import { findJson, toObject, toText } from "../loose_json.ts";
import { cutBlocks } from "../without_blocks.ts";

const tags = ["task", "feedback", "user_message", "answer"];
/** Texts that Cline writes by itself. */
const harness =
  /^(?:\[(?:ERROR|TASK RESUMPTION|checkpoint)|The user (?:denied|approved|is|was) |# (?:task_progress|todo)|<(?:explicit_instructions|file_content|folder_content|final_file_content|automatic_|important)|\(The user did not |New (?:message|instructions) )/i;
/** Tools that end with words to the user, who answers them. */
const asking = new Set(["ask_followup_question", "attempt_completion", "plan_mode_respond"]);
const introduced = /(?:user|instructions|message|feedback|context|again)\b[^\n]*[:.]\s*$/i;

/** The words in a text of the user's side; undefined when there are none. */
export function findTyped(text: string): string | undefined {
  const said = withoutAttached(withoutEnvironment(text));
  const { words } = cutTagged(said, () => true);
  if (words.length > 0) return words.join("\n\n");
  return said === "" || harness.test(said) ? undefined : said;
}

/** What a tool gave, and what the user said with it. */
export function splitResult(name: string, text: string): { output: string; typed?: string } {
  const output = withoutEnvironment(text);
  const answer = output.startsWith("{") ? toObject(findJson(output)) : undefined;
  if (answer?.status === "approved" || answer?.status === "denied") {
    return { output, typed: toText(answer.feedback) };
  }
  const { rest, words } = cutTagged(
    output,
    (before) => asking.has(name) || introduced.test(before.slice(-400)),
  );
  return words.length === 0 ? { output } : { output: rest, typed: words.join("\n\n") };
}

/** A text without what Cline tells the model about the machine. */
function withoutEnvironment(text: string): string {
  const [opening, closing] = ["<environment_details>", "</environment_details>"];
  let clean = "";
  let from = 0;
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, from)) {
    clean += text.slice(from, at);
    const end = text.indexOf(closing, at);
    if (end < 0) return clean.trim();
    from = end + closing.length;
  }
  return (clean + text.slice(from)).trim();
}

/** A text without the files, folders and pages that were attached or mentioned. */
function withoutAttached(text: string): string {
  const begins = /^<((?:file|folder|url)_content)(?: [^>\n]*)?>/gm;
  return cutBlocks(text, begins, (before) => before.replace(/Files attached by the user:\s*$/, ""))
    .trim();
}

/** Cuts out what stands in the user's tags, each at the start of a line and closed. */
function cutTagged(
  text: string,
  isTyped: (before: string) => boolean,
): { rest: string; words: string[] } {
  const words: string[] = [];
  const opening = new RegExp(`^[ \\t]*<(${tags.join("|")})>`, "gm");
  const open = new Set<string>();
  let rest = "";
  let from = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [tag, name] = match;
    const start = match.index + tag.length;
    const end = open.has(name) ? -1 : text.indexOf(`</${name}>`, start);
    if (end < 0) open.add(name);
    if (end < 0 || !isTyped(text.slice(0, match.index))) continue;
    rest += text.slice(from, match.index);
    from = end + name.length + 3;
    opening.lastIndex = from;
    const typed = text.slice(start, end).replace(/^\s*\n/, "").trimEnd();
    if (typed.trim() !== "") words.push(typed);
  }
  return { rest: (rest + text.slice(from)).trim(), words };
}
