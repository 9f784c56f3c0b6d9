// Whose histories a directory or file holds, by what is in it: for `ctx import --from`, where nobody says
// the source. Looks at names and at the start of files, never further.

import { readHead } from "../sources/read_head.ts";
import { Tally } from "../sources/problem_tally.ts";
import { findFileInfo, walk } from "../sources/walk.ts";

/** A source that was recognised, and the places to give it. */
export interface Recognised {
  source: string;
  roots: string[];
}

/** What was found under a path. */
export interface Recognition {
  found: Recognised[];
  /** Files that could have been a history by their names, and whether there were more. */
  looked: number;
  isCut: boolean;
}

const maxFiles = 20_000;

/** By name alone: databases, and files whose content says nothing. First match wins. */
const byName: [RegExp, string][] = [
  [/\/opencode[\w-]*\.db$/, "opencode"],
  [/\/kilo[\w-]*\.db$/, "kilo"],
  [/\/crush\.db$/, "crush"],
  [/\/sessions\.db$/, "goose"],
  [/\/threads\.db$/, "zed"],
  [/\/data\.sqlite3$/, "kiro"],
  [/\/state\.vscdb$|\/agent-transcripts\/.*\.(?:jsonl|txt)$|\/store\.db$/, "cursor"],
  [/\/\.aider\.chat\.history\.md$/, "aider"],
  [/\/storage\/session\/.*\/ses_\w+\.json$/, "opencode"],
  [/\/rollout-[^/]*\.jsonl\.zst$/, "codex"],
  [/\/(?:api_conversation_history|ui_messages)\.json$/, "cline"],
  [/\/chatSessions\/[^/]+\.jsonl?$|\/session-state\/.*\/events\.jsonl$/, "copilot"],
  [/\/transcript(?:_full)?\.jsonl$/, "antigravity"],
  [/\/wire\.jsonl$/, "kimi"],
  [/\/workspace-sessions\/[^/]+\/[^/]+\.json$/, "kiro"],
  [/\/events\/event-\d{5,}-[^/]*\.json$/, "openhands"],
];

/** By the start of the file. The order matters: what is said by more is asked later. */
const byContent: [RegExp, string][] = [
  [/^\s*\{"timestamp":"[^"]+","type":"session_meta"|"record_type":"state"/, "codex"],
  [/^\s*\{[^\n]*"instructions"[^\n]*"git"[^\n]*\}\n/, "codex"],
  [/^\s*\{"id":\s?\d+,\s?"timestamp":[^{]*"(?:action|observation)":/, "openhands"],
  [/"step_index":\d+,"source":"/, "antigravity"],
  [/"method":"(?:_x\.ai\/)?session\/update"/, "grok"],
  [/^\s*\{"type":"session_start","id":/, "droid"],
  [/"type":"TurnBegin"|"type":"(?:turn\.prompt|context\.append_loop_event)"/, "kimi"],
  [/^\s*\{"version":"v\d+","kind":"(?:Prompt|AssistantMessage|ToolResults)"/, "kiro"],
  [/^\s*\{"id":"[^"]*","timestamp":"[^"]*","payload":\{"type":"/, "kiro"],
  [/^\s*\{"type":"(?:session|title)"[^\n]*\n?[^\n]*"(?:cwd|version)"/, "pi"],
  [/"message":\{"role":"(?:user|model)","parts":\[/, "qwen"],
  [/^\s*\{"role":"(?:user|assistant)","message":\{"content"/, "cursor"],
  [/"(?:parentUuid|leafUuid|isSidechain)"\s*:|"type":"file-history-snapshot"/, "claude-code"],
  [/"projectHash"\s*:|"type"\s*:\s*"gemini"|"sessionId"[^\n]*\s*"messageId"\s*:\s*\d/, "gemini"],
  [/"chat_messages"\s*:\s*\[/, "claude-web"],
  [/"mapping"\s*:\s*\{[\s\S]*"(?:message|parent)"\s*:/, "chatgpt"],
  [/"history"\s*:\s*\[[\s\S]*"contextItems"|"workspaceDirectory"[\s\S]*"history"/, "continue"],
  [/^\s*\{"v":\d+,"format":|^\s*\{"id":"[A-Z]-[0-9a-z]+"[^\n]*"role":/, "contextfs"],
  [/^\s*\{"(?:session|id|ts|role|text)"\s*:[^\n]*"text"\s*:\s*"[^\n]*\}\s*(?:\n|$)/, "ndjson"],
];

/** Sessions that OpenClaw reset or deleted, and the others that lie where it keeps them. */
const archived = /\.jsonl\.(?:reset|deleted)\.[\dTZ.-]+$/;
const ofOpenclaw = new RegExp(`${archived.source}|/agents/[^/]+/sessions/[^/]+$`);

/** The sources of what lies under a path, each with the places that it should read. */
export function recognise(path: string): Recognition {
  const files = new Map<string, string[]>();
  let looked = 0;
  let isCut = false;
  const tally = new Tally();
  const accept = (name: string) =>
    /\.(?:jsonl|ndjson|json|md|zst|db|vscdb|sqlite3|txt)$/.test(name) || archived.test(name);
  const enter = (name: string) => name !== "node_modules" && name !== ".git";
  for (const file of walk(path, { tally, accept, enter, filled: true })) {
    if (looked++ >= maxFiles) {
      isCut = true;
      break;
    }
    const source = sourceOf(file.path, tally);
    if (source !== undefined) files.set(source, [...files.get(source) ?? [], file.path]);
  }
  const isFile = findFileInfo(path)?.isFile === true;
  const found = [...files].map(([source, own]) => {
    const others = [...files].filter(([name]) => name !== source).flatMap(([, theirs]) => theirs);
    return { source, roots: isFile ? [path] : rootsOf(path, own, others) };
  });
  return { found, looked, isCut };
}

function sourceOf(path: string, tally: Tally): string | undefined {
  const named = byName.find(([pattern]) => pattern.test(path))?.[1];
  if (named !== undefined) return named;
  if (!/\.(?:jsonl|ndjson|json)$/.test(path) && !archived.test(path)) return undefined;
  const head = readHead(path, tally)?.text ?? "";
  const source = byContent.find(([pattern]) => pattern.test(head))?.[1];
  if (source === "pi" && ofOpenclaw.test(path)) return "openclaw";
  // Rows of one's own are lines; a document that looks like one is something else.
  return source === "ndjson" && path.endsWith(".json") ? undefined : source;
}

/** The directory that all files of a source are in; the files themselves where others lie among them. */
function rootsOf(path: string, own: string[], others: string[]): string[] {
  let root = directoryOf(own[0]);
  for (const file of own) {
    while (root !== path && !file.startsWith(`${root}/`)) root = directoryOf(root);
  }
  if (others.some((other) => other.startsWith(`${root}/`))) return own;
  return [root];
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
