// The texts that Cline and its model exchange. Calls may stand as tags in the assistant's text, and their
// results as texts of the user, headed `[tool for …] Result:`; what a person typed stands in tags among
// what Cline sends in their name; and some tools speak to the user. Walks texts from front to back, so
// that no text is slow. Pure.

import { clineNotice } from "../../../core/voice/client_forms.ts";
import { findJson, type Json, parseArguments, toList, toObject, toText } from "../loose_json.ts";
import { cutBlocks, withoutBlocks } from "../without_blocks.ts";

export type SaidPart =
  | { kind: "text"; text: string }
  | { kind: "thinking"; text: string }
  | { kind: "call"; name: string; input: Json };

/** The tools of Cline, Roo Code and Kilo Code: other tags are text. */
const tools = new Set(
  `access_mcp_resource apply_diff apply_patch ask_followup_question attempt_completion browser_action
  codebase_search condense delete_file edit_file execute_command fast_edit_file fetch_instructions
  focus_chain generate_explanation generate_image insert_content list_code_definition_names list_files
  load_mcp_documentation new_rule new_task plan_mode_respond read_command_output read_file
  replace_in_file report_bug run_slash_command search_and_replace search_files summarize_task
  switch_mode update_todo_list use_mcp_tool use_skill use_subagents web_fetch web_search write_to_file`
    .split(/\s+/),
);
/** Values that may hold any text, their own closing tag included. */
const wholeTexts = new Set(["content", "diff", "result", "response"]);
const maxHeaderChars = 10_000;

/** The texts, thoughts and calls in what an assistant wrote, in their order. */
export function* splitSaid(text: string): Generator<SaidPart> {
  const opening = /^[ \t]*<([a-z_]+)>/gm;
  let from = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [tag, name] = match;
    if (name !== "thinking" && !tools.has(name)) continue;
    const before = text.slice(from, match.index).trim();
    if (before !== "") yield { kind: "text", text: before };
    const start = match.index + tag.length;
    const close = text.indexOf(`</${name}>`, start);
    // A stream that was cut off has no end.
    const body = text.slice(start, close < 0 ? text.length : close);
    from = close < 0 ? text.length : close + name.length + 3;
    opening.lastIndex = from;
    if (name !== "thinking") yield { kind: "call", name, input: parseInput(body) };
    else if (body.trim() !== "") yield { kind: "thinking", text: body.trim() };
  }
  const rest = text.slice(from).trim();
  if (rest !== "") yield { kind: "text", text: rest };
}

/** The tool whose result a text of the user begins, and what follows the heading. */
export function findResult(text: string): { name: string; rest: string } | undefined {
  const name = /^\s*\[([a-z_]+)\b/.exec(text)?.[1];
  if (name === undefined) return undefined;
  const mark = "] Result:";
  const end = text.slice(0, maxHeaderChars).indexOf(mark);
  if (end < 0 || !isHeading(name, text.slice(0, end))) return undefined;
  const rest = text.slice(end + mark.length).replace(/^\s*\n/, "");
  return { name: name === "subagents" ? "use_subagents" : name, rest };
}

/** Headings say more only behind names of tools; a name alone is one of a tool that is newer. */
function isHeading(name: string, text: string): boolean {
  return tools.has(name) || text.trim() === `[${name}`;
}

/** The values that a call names, by their tags. */
function parseInput(body: string): Json {
  const input: Json = {};
  const opening = /<([a-z_]+)>/g;
  for (let match = opening.exec(body); match !== null; match = opening.exec(body)) {
    const [tag, name] = match;
    const start = match.index + tag.length;
    const end = wholeTexts.has(name)
      ? body.lastIndexOf(`</${name}>`)
      : body.indexOf(`</${name}>`, start);
    const value = body.slice(start, end < start ? body.length : end).replace(/^\n|\n$/g, "");
    input[name] = name === "arguments" || name === "options" ? parseArguments(value) : value;
    // What has no end reaches to the end of the call.
    if (end < start) break;
    opening.lastIndex = end + name.length + 3;
  }
  // Roo reads several files at once: `<args><file><path>…`.
  if (typeof input.args === "string") {
    const files = [...input.args.matchAll(/<path>([^<]{1,1024})<\/path>/g)].map(([, path]) => path);
    if (files.length > 0) input.files = files;
  }
  return input;
}

const typedTag = /^[ \t]*<(task|feedback|user_message|answer)>/m;
/** Tools that end with words to the user, who answers them. */
const asking = new Set(["ask_followup_question", "attempt_completion", "plan_mode_respond"]);
/** Tools whose results Cline writes. Others give what is in a file or a page: it may say that the user spoke. */
const told = new Set(
  `${
    [...asking].join(" ")
  } apply_diff apply_patch delete_file edit_file execute_command fast_edit_file
  insert_content new_task replace_in_file search_and_replace switch_mode write_to_file`.split(
    /\s+/,
  ),
);
/** A result that begins with what the user said of the call. */
const introduced =
  /^\s*[^\n]{0,400}\b(?:user|instructions|message|feedback|context|again)\b[^\n]*[:.]\s*$/i;

/** The words in a text of the user's side; undefined when there are none. */
export function findTyped(text: string): string | undefined {
  const said = withoutAttached(withoutEnvironment(text));
  const isNotice = clineNotice.test(said);
  // In a text that is not Cline's own, or in which it hands on another one, such a tag was pasted.
  const mayTell = isNotice && !/^\s*(?:<|\[ERROR)/.test(said);
  const tagged = mayTell || typedTag.exec(said)?.index === 0 ? findTagged(said) : undefined;
  return tagged?.words || (said === "" || isNotice ? undefined : said);
}

/** What a tool gave, and what the user said with it. */
export function splitResult(name: string, text: string): { output: string; typed?: string } {
  const output = withoutEnvironment(text);
  if (!told.has(name)) return { output };
  const answer = output.startsWith("{") ? toObject(findJson(output)) : undefined;
  if (answer?.status === "approved" || answer?.status === "denied") {
    return { output, typed: toText(answer.feedback) };
  }
  const tagged = findTagged(output);
  const isTyped = tagged && (asking.has(name) || introduced.test(tagged.before));
  if (!isTyped || tagged.words === "") return { output };
  return { output: `${tagged.before}${tagged.after}`.trim(), typed: tagged.words };
}

/** A text without what Cline tells the model about the machine. */
function withoutEnvironment(text: string): string {
  const rest = withoutBlocks(text, ["environment_details"]);
  const open = rest.indexOf("<environment_details>");
  return (open < 0 ? rest : rest.slice(0, open)).trim();
}

/** A text without the files, folders and pages that were attached or mentioned. */
function withoutAttached(text: string): string {
  const begins = /^<((?:file|folder|url)_content)(?: [^>\n]*)?>/gm;
  const trim = (before: string) => before.replace(/Files attached by the user:\s*$/, "");
  return cutBlocks(text, begins, { trim, isLast: true }).trim();
}

/** What stands in the first of the user's tags that begins a line, up to the last end of it. */
function findTagged(text: string): { before: string; words: string; after: string } | undefined {
  const begin = typedTag.exec(text);
  if (begin === null) return undefined;
  const [end, from] = [`</${begin[1]}>`, begin.index + begin[0].length];
  const to = text.lastIndexOf(end);
  if (to < from) return undefined;
  const words = text.slice(from, to).replace(/^\s*\n/, "").trimEnd();
  return { before: text.slice(0, begin.index), words, after: text.slice(to + end.length) };
}

const spoken: Record<string, string> = {
  attempt_completion: "result",
  ask_followup_question: "question",
  plan_mode_respond: "response",
};

/** What a call says to the user, and the rest of its arguments; undefined for other tools. */
export function toAnswer(name: string, input: unknown): { text: string; rest: Json } | undefined {
  const field = spoken[name];
  const { [field]: value, ...rest } = toObject(input) ?? {};
  const said = field === undefined ? undefined : toText(value)?.trim();
  if (!said) return undefined;
  return { text: [said, ...optionsOf(rest)].join("\n"), rest };
}

/** What Cline's panel keeps of the same: a text, or JSON with the question and its options. */
export function shownAnswer(text: string): string {
  const shown = text.trimStart().startsWith("{") ? toObject(parseArguments(text)) : undefined;
  const said = toText(shown?.question) ?? toText(shown?.response);
  return said === undefined || shown === undefined ? text : [said, ...optionsOf(shown)].join("\n");
}

/** The answers that were proposed, as Cline, Roo, or Roo's XML name them. */
function optionsOf({ options, suggest, follow_up }: Json): string[] {
  const tagged = typeof follow_up === "string"
    ? [...follow_up.matchAll(/<suggest[^>]{0,200}>([^<]{1,2000})<\/suggest>/g)].map(([, it]) => it)
    : toList(follow_up);
  return [...toList(parseArguments(options)), ...toList(suggest), ...tagged].flatMap((option) => {
    const said = toText(option) ?? toText(toObject(option)?.answer) ??
      toText(toObject(option)?.text);
    return said === undefined ? [] : [`- ${said.trim()}`];
  });
}
