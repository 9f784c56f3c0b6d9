// What a session's tools say of its subject: the title of the issue or pull request that it read or opened,
// and the subject of its commits. Pure.

import type { Entry } from "../entry.ts";
import { isObject } from "../json.ts";
import { madeCommitsOf } from "../rows/made_commits.ts";

/** A call whose output has the title of an issue or a pull request. */
export interface Lookup {
  call: string;
  /** `PR #12`, `Issue #3`, or nothing where the call names no number. */
  name: string;
}

const maxChars = 4000;
const views =
  /\bgh (pr|issue) (?:view|checkout)\b(?:[ \t]+(?:https:\/\/\S{1,200}\/)?(\d{1,7})\b)?|\bgh api [^|;&\n]{0,80}\/(pulls|issues)\/(\d{1,7})(?![\w/])/;
const lookupTool = /(?:^|_)(issue|pull_request|merge_request|pr|ticket)(?:_read|_view|_get)?$/i;

/** The lookup that a row is, if it is one. */
export function lookupOf({ type, text, tool }: Entry): Lookup | undefined {
  const call = tool?.call_id;
  if (type !== "tool_call" || typeof call !== "string" || tool === undefined) return undefined;
  const shell = text.slice(0, maxChars).includes("gh ")
    ? views.exec(text.slice(0, maxChars))
    : null;
  if (shell !== null) {
    return { call, name: toName(shell[1] ?? shell[3], shell[2] ?? shell[4]) };
  }
  const kind = lookupTool.exec(tool.name)?.[1];
  if (kind === undefined) return undefined;
  const input = isObject(tool.input) ? tool.input : {};
  const given = input.issue_number ?? input.pullNumber ?? input.pull_number ?? input.number ??
    input.id;
  return { call, name: toName(kind, given === undefined ? undefined : String(given)) };
}

/** A number, or a key like `ABC-12`, names it for people; other ids do not. */
function toName(kind: string, id = ""): string {
  const name = /^(?:pr|pull|merge)/i.test(kind) ? "PR" : "Issue";
  if (/^\d+$/.test(id)) return `${name} #${id}`;
  return /^[A-Z][A-Z\d]*-\d+$/.test(id) ? `${name} ${id}` : "";
}

/** The title in the output of a lookup, as gh prints it or as JSON has it. */
export function titleInOutput(text: string): string | undefined {
  const start = text.slice(0, maxJsonChars);
  const plain = /^title:\s+(\S.{2,300})$/m.exec(start.slice(0, maxChars))?.[1];
  if (plain !== undefined) return plain.trim();
  const json = /"title":\s*("(?:[^"\\\n]|\\.){3,300}")/.exec(start)?.[1];
  if (json === undefined) return undefined;
  try {
    const title: unknown = JSON.parse(json);
    return typeof title === "string" ? title.trim() : undefined;
  } catch {
    return undefined;
  }
}

const maxJsonChars = 64 << 10;

/** The title of a pull request or an issue that a call opens. */
export function openedTitleOf({ type, text, tool }: Entry): string | undefined {
  if (type !== "tool_call") return undefined;
  const start = text.slice(0, maxChars);
  if (start.includes("gh pr create") || start.includes("gh issue create")) {
    const found = /(?:--title|-t)[ =](?:"([^"\n$]{4,300})"|'([^'\n]{4,300})')/.exec(start);
    return (found?.[1] ?? found?.[2])?.trim();
  }
  if (tool === undefined || !/create_(?:pull_request|merge_request|issue)$/.test(tool.name)) {
    return undefined;
  }
  const title = isObject(tool.input) ? tool.input.title : undefined;
  return typeof title === "string" ? title : undefined;
}

/** The subject of the commit that a row tells of, without its kind: `fix(cli): …`. */
export function commitSubjectOf(entry: Entry): string | undefined {
  const [made] = madeCommitsOf(entry);
  return made === undefined || /^(?:Merge|Revert|WIP|fixup!|squash!)\b/i.test(made.subject)
    ? undefined
    : made.subject;
}
