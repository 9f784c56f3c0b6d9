// Antigravity, its IDE and its command line `agy`: `antigravity*/brain/<conversation>/.system_generated/
// logs/`, where `transcript.jsonl` has long texts cut and `transcript_full.jsonl` whole ones, mostly.
// The conversations themselves are sealed in databases of their own, which are not read.

import { AntigravityConversation } from "./antigravity_conversation.ts";
import { findJson, type Json, toObject, toText, toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readConversation } from "../read_jsonl.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import {
  directoryNames,
  existing,
  findObject,
  findSmallText,
  sessionFacts,
  walk,
  type WalkedFile,
} from "../walk.ts";

const maxHistoryBytes = 16 << 20;

/** Antigravity's conversations. */
export const antigravity: Source = {
  name: "antigravity",
  title: "Antigravity",
  idScope: "conversation",
  locate: locateAntigravity,
  list: listAntigravity,
  read: (session, sink, options) =>
    readConversation(session.path, sink, {
      ...options,
      open: (state) => new AntigravityConversation(session, sink, state),
    }),
};

function locateAntigravity({ env, home }: Place): string[] {
  const root = `${env("GEMINI_CLI_HOME") || home}/.gemini`;
  const names = directoryNames(root).filter((name) => name.startsWith("antigravity"));
  return existing(names.map((name) => `${root}/${name}/brain`));
}

async function* listAntigravity(
  root: string,
  { tally, place }: ListOptions,
): AsyncGenerator<SourceSession> {
  const found = new Map<string, WalkedFile>();
  const accept = (name: string) => /^transcript(?:_full)?\.jsonl$/.test(name);
  const enter = (name: string) => name !== "node_modules" && name !== "scratch";
  for (const file of walk(root, { tally, accept, enter, maxDepth: 5, filled: true })) {
    const id = idOf(file.path);
    const other = found.get(id);
    // Of a conversation that went on after an update the full one has only the rest.
    if (other === undefined || file.size > other.size) found.set(id, file);
  }
  const workspaces = workspacesOf(root);
  for (const [id, file] of found) {
    const head = readHead(file.path, tally);
    if (head === undefined) continue;
    const facts = sessionFacts(file);
    yield {
      id,
      ...facts,
      cwd: workspaces.get(id) ?? placeIn(head.text, place.workspace),
      started: toTime(head.find("created_at")) ?? facts.updated,
    };
  }
}

/** The conversation is the directory above `.system_generated`. */
function idOf(path: string): string {
  return /([^/]+)\/\.system_generated\//.exec(path)?.[1] ?? path;
}

/** What the command line notes of its prompts: where each was typed, and for which conversation. */
function workspacesOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const last = findObject(`${root}/../cache/last_conversations.json`) ?? {};
  for (const [workspace, id] of Object.entries(last)) {
    if (typeof id === "string") found.set(id, workspace);
  }
  const text = findSmallText(`${root}/../history.jsonl`, maxHistoryBytes) ?? "";
  for (const line of text.split("\n")) {
    const row: Json = toObject(findJson(line)) ?? {};
    const [id, workspace] = [toText(row.conversationId), toText(row.workspace)];
    if (id && workspace?.startsWith("/")) found.set(id, workspace);
  }
  return found;
}

/**
 * The IDE notes nowhere readable where a conversation was held: one whose tools were given a path of this
 * workspace belongs to it; else the directory in which its first command ran.
 */
function placeIn(text: string, workspace: string): string | undefined {
  const paths = [...text.matchAll(pathArgument)].map((match) => match[2]);
  if (paths.some((path) => path === workspace || path.startsWith(`${workspace}/`))) {
    return workspace;
  }
  return /"Cwd":"(?:\\")?(\/[^"\\]+)/.exec(text)?.[1];
}

const pathArgument =
  /"(AbsolutePath|TargetFile|DirectoryPath|SearchPath|SearchDirectory|Cwd)":"(?:\\")?(\/[^"\\]+)/g;
