// Cline's XML protocol: calls stand as tags in the assistant's text, and their results as texts of
// the user, headed `[tool for …] Result:`. Walks texts from front to back, so that no text is slow.
// Pure.

import { type Json, parseArguments } from "../loose_json.ts";

/** A part of what an assistant wrote. */
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
