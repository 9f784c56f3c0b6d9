// GitHub Copilot: event files of the CLI, and the chat sessions that VS Code keeps per workspace as
// documents or mutation logs. Which one a file is, its first bytes tell.

import { emitChat, emitTimeline } from "./copilot_chat.ts";
import { copilotEvents } from "./copilot_events.ts";
import { type Json, toNumber, toObject, toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readDocument } from "../read_document.ts";
import { JsonlReader } from "../read_jsonl.ts";
import type { Tally } from "../problem_tally.ts";
import type { Source, SourceSession } from "../source.ts";
import { findFiles, sessionOf } from "../source_kinds.ts";
import { readRecords } from "../reading.ts";
import { existing, type WalkedFile } from "../walk.ts";
import { codeUserDirectories, findWorkspaceFolder } from "../vscode.ts";

const maxDocumentBytes = 128 << 20;

/** Copilot CLI and VS Code chat. */
export const copilot: Source = {
  name: "copilot",
  title: "GitHub Copilot",
  locate(place) {
    const { env, home } = place;
    const cli = env("COPILOT_HOME") || `${home}/.copilot`;
    return existing([
      `${cli}/session-state`,
      `${cli}/history-session-state`,
      ...codeUserDirectories(place).flatMap((user) => [
        `${user}/workspaceStorage`,
        `${user}/globalStorage/emptyWindowChatSessions`,
        `${user}/globalStorage/transferredChatSessions`,
      ]),
    ]);
  },
  async *list(root, options) {
    const { tally } = options;
    const isStorage = root.endsWith("/workspaceStorage");
    const files = (name: string, path: string) =>
      /\.jsonl?$/.test(name) && name !== "workspace.json" &&
      (!isStorage || /\/(?:chatSessions|transcripts)\/[^/]+$/.test(path));
    const found = findFiles(root, options, { files, skips: /^(?:debug-logs|checkpoints)$/ })
      .map((file) => describe(file, tally)).filter((session) => session !== undefined).toArray();
    const chats = found.filter(({ key }) => key !== "events");
    yield* chats;
    const known = new Set(chats.map(({ id }) => id));
    for (const session of found.filter(({ key }) => key === "events")) {
      // VS Code keeps a transcript of the same conversation beside its chat session.
      if (known.has(session.id)) tally.skip("transcript_of_known_session");
      else yield session;
    }
  },
  async read(session, sink, options) {
    if (session.key === "events") return await readRecords(copilotEvents)(session, sink, options);
    const { tally } = sink;
    if (session.key === "journal") {
      using reader = new JsonlReader(session.path, { tally, now: options.now });
      return await emitChat(session, replayMutations(reader.records()), sink);
    }
    const document = toObject(readDocument(session.path, { tally, maxBytes: maxDocumentBytes }));
    if (document === undefined) return;
    if (Array.isArray(document.timeline)) await emitTimeline(session, document, sink);
    else await emitChat(session, document, sink);
  },
};

function describe(file: WalkedFile, tally: Tally): SourceSession | undefined {
  const head = readHead(file.path, tally);
  if (head === undefined) return undefined;
  const key = kindOf(file, head.text);
  if (key === undefined) {
    tally.skip("other_file");
    return undefined;
  }
  const folder = file.path.replace(/\/[^/]+$/, "").replace(/^.*\//, "");
  const stem = file.name.replace(/\.jsonl?$/, "");
  const created = /"(?:creationDate|timestamp)"\s*:\s*(\d{13})/.exec(head.text)?.[1];
  return sessionOf(file, {
    id: head.find("sessionId") ?? (file.name === "events.jsonl" ? folder : stem),
    key,
    cwd: findWorkspaceFolder(file.path) ?? (key === "events" ? head.find("cwd") : undefined),
    branch: key === "events" ? head.find("branch") : undefined,
    title: head.find("customTitle"),
    started: toTime(head.find("startTime")) ?? toTime(created) ?? toTime(head.find("timestamp")),
  });
}

function kindOf(file: WalkedFile, head: string): string | undefined {
  if (file.name.endsWith(".json")) {
    return /"(?:requests|timeline)"/.test(head) ? "document" : undefined;
  }
  if (/^\s*\{"kind":\s*\d/.test(head)) return "journal";
  return /"type"\s*:\s*"(?:session|user|assistant|tool|system|hook|abort)/.test(head)
    ? "events"
    : undefined;
}

// Replays the mutation log in which VS Code keeps a chat session since 2026: an initial state, then
// sets, array pushes and deletions by path. Stops at nothing: a mutation that does not fit is
// passed over. Pure.

/** The state after the last record. */
function replayMutations(records: Iterable<{ value: Json }>): Json {
  let state: Json = {};
  for (const { value: { kind, k: path, v: value, i: size } } of records) {
    if (kind === 0) state = toObject(value) ?? {};
    else if (Array.isArray(path) && path.length > 0) apply(state, path, { kind, value, size });
  }
  return state;
}

function apply(
  state: Json,
  path: unknown[],
  change: { kind: unknown; value: unknown; size: unknown },
): void {
  let target: unknown = state;
  for (const step of path.slice(0, -1)) target = childOf(target, step);
  const last = path[path.length - 1];
  const holder = Array.isArray(target) ? target as unknown as Json : toObject(target);
  if (holder === undefined || !isSafe(last)) return;
  const name = String(last);
  if (change.kind === 1) holder[name] = change.value;
  else if (change.kind === 3) delete holder[name];
  else if (change.kind === 2) {
    const list = Array.isArray(holder[name]) ? holder[name] as unknown[] : [];
    const size = toNumber(change.size);
    if (size !== undefined) list.length = Math.min(list.length, Math.max(0, size));
    if (Array.isArray(change.value)) { for (const item of change.value) list.push(item); }
    holder[name] = list;
  }
}

function childOf(target: unknown, step: unknown): unknown {
  if (Array.isArray(target)) return target[Number(step)];
  return isSafe(step) ? toObject(target)?.[String(step)] : undefined;
}

/** A path never reaches into prototypes. */
function isSafe(step: unknown): boolean {
  return (typeof step === "string" || typeof step === "number") &&
    step !== "__proto__" && step !== "constructor" && step !== "prototype";
}
