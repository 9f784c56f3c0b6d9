// How far what a row says is trusted, by where its words come from. The only definition: a record has
// the least trust of its evidence, and what comes from outside is found, but never sent, a rule or a
// guard. Pure.

import { authorOf, docType, type Entry, isImportedMemory, type Pool } from "../entry.ts";
import { isObject } from "../json.ts";
import { typedWords } from "./spans_of.ts";

/** From most to least: the user's words and files, what agents and tools do here, a member, anything else. */
export const trustLevels = ["typed", "files", "repository", "member", "outside"] as const;
/** One of them. */
export type Trust = typeof trustLevels[number];

/** Where words come from. */
export interface Origin {
  trust: Trust;
  from: string;
}

/** Where the words of a row come from. Of a record, its evidence has to be asked too. */
export function originOf(row: { entry: Entry; pool: Pool }): Origin {
  const { entry } = row;
  const author = authorOf(row);
  if (author !== undefined) {
    // What was derived from a member's sessions, or said in them, was not meant for others.
    const isSaved = entry.role === "note" && entry.record === undefined && !isImportedMemory(entry);
    return { trust: isSaved ? "member" : "outside", from: `${author}, a member of the team` };
  }
  if (isImportedMemory(entry)) {
    return { trust: "outside", from: `imported from ${entry.source?.agent}` };
  }
  if (isObject(entry.verdict)) return { trust: "typed", from: "your answer in a review" };
  if (entry.type === docType) return { trust: "files", from: fileOf(entry) };
  if (entry.role === "note") {
    return entry.saved_by === undefined
      ? { trust: "typed", from: "saved by you" }
      : { trust: "repository", from: `saved by an agent (${entry.saved_by})` };
  }
  if (entry.role === "user" && entry.type !== "tool_output") {
    return typedWords(entry) === ""
      ? { trust: "outside", from: "text in your prompt that you did not type" }
      : { trust: "typed", from: "typed by you" };
  }
  if (entry.type === "tool_output") {
    const trust = isElsewhere(entry) ? "outside" : "repository";
    return { trust, from: `output of ${toolOf(entry)}` };
  }
  if (entry.type === "tool_call") return { trust: "repository", from: `call of ${toolOf(entry)}` };
  if (entry.role === "assistant" && entry.type !== "thinking") {
    return { trust: "repository", from: `written by ${entry.source?.agent ?? "an agent"}` };
  }
  return { trust: "outside", from: "a message from the agent program" };
}

export function leastTrust(levels: Iterable<Trust>): Trust {
  let least = 0;
  for (const level of levels) least = Math.max(least, trustLevels.indexOf(level));
  return trustLevels[least];
}

/**
 * Whether a tool brings text of others: pages, other servers, what people wrote on GitHub, READMEs and
 * dependencies.
 */
export function isElsewhere({ tool, files = [] }: Entry): boolean {
  const input = isObject(tool?.input) ? tool.input : {};
  const line = String(input.command ?? input.cmd ?? "");
  const names = [line, ...files, input.file_path ?? input.path ?? input.filePath ?? ""].map(String);
  return elsewhere.test(tool?.name ?? "") || fetches.test(line) ||
    names.some((name) => written.test(name));
}

const elsewhere = /web|fetch|browser|mcp__|^search$/i;
const fetches = /(?:^|[\s;&|(])(?:curl|wget|gh|glab|http|lynx)\s/;
const written =
  /\b(?:README|CONTRIBUTING|CHANGELOG|SECURITY)\b|(?:^|[\s/])(?:node_modules|vendor|site-packages|\.venv|\.cargo|third_party|Pods)\//i;

function toolOf({ tool }: Entry): string {
  return tool?.name ?? "a tool";
}

function fileOf({ document, collection }: Entry): string {
  const name = [collection, document].filter((one) => typeof one === "string").join("/");
  return `a file you added${name === "" ? "" : ` (${name})`}`;
}
