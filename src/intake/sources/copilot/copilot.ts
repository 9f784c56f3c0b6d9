// GitHub Copilot: event files of the CLI, and the chat sessions that VS Code keeps per workspace as
// documents or mutation logs. Which one a file is, its first bytes tell.

import { emitChat, emitTimeline } from "./copilot_chat.ts";
import { copilotEvents } from "./copilot_events.ts";
import { toObject, toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readDocument } from "../read_document.ts";
import { JsonlReader } from "../read_jsonl.ts";
import { replayMutations } from "./replay_mutations.ts";
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
