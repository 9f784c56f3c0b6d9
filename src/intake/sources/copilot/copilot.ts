// GitHub Copilot: event files of the CLI, and the chat sessions that VS Code keeps per workspace as
// documents or mutation logs. Which one a file is, its first bytes tell.

import { CopilotEvents } from "./copilot_events.ts";
import { emitChat } from "./copilot_chat.ts";
import { emitTimeline } from "./copilot_timeline.ts";
import { type Json, toObject, toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readDocument } from "../read_document.ts";
import { JsonlReader, readConversation } from "../read_jsonl.ts";
import { replayMutations } from "./replay_mutations.ts";
import type { ListOptions, Place, ReadOptions, Sink, Source, SourceSession } from "../source.ts";
import type { Tally } from "../problem_tally.ts";
import { existing, sessionFacts, walk, type WalkedFile } from "../walk.ts";
import { codeUserDirectories, findWorkspaceFolder } from "../vscode.ts";

const maxDocumentBytes = 128 << 20;

/** Copilot CLI and VS Code chat. */
export const copilot: Source = {
  name: "copilot",
  title: "GitHub Copilot",
  idScope: "conversation",
  locate: locateCopilot,
  list: listCopilot,
  async read(session, sink, options) {
    if (session.key === "events") return await readEvents(session, sink, options);
    if (session.key === "journal") {
      using reader = new JsonlReader(session.path, {
        ...options,
        tally: sink.tally,
        resume: undefined,
      });
      await emitChat(session, replayMutations(reader.records()), sink);
      return { signature: session.signature };
    }
    const { tally } = sink;
    const document = toObject(readDocument(session.path, { tally, maxBytes: maxDocumentBytes }));
    if (document === undefined) return { signature: session.signature };
    if (Array.isArray(document.timeline)) await emitTimeline(session, document, sink);
    else await emitChat(session, document, sink);
    return { signature: session.signature };
  },
};

function locateCopilot(place: Place): string[] {
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
}

async function* listCopilot(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
  const enter = (name: string) => !/^(?:debug-logs|checkpoints)$/.test(name);
  const isStorage = root.endsWith("/workspaceStorage");
  const accept = (name: string, path: string) =>
    /\.jsonl?$/.test(name) && name !== "workspace.json" &&
    (!isStorage || /\/(?:chatSessions|transcripts)\/[^/]+$/.test(path));
  const files = [
    ...walk(root, { tally, accept, enter, filled: true }),
  ];
  const chats = new Set<string>();
  const events: SourceSession[] = [];
  for (const file of files) {
    const session = describe(file, tally);
    if (session === undefined) continue;
    if (session.key === "events") {
      events.push(session);
      continue;
    }
    chats.add(session.id);
    yield session;
  }
  for (const session of events) {
    // VS Code keeps a transcript of the same conversation beside its chat session.
    if (chats.has(session.id)) tally.skip("transcript_of_known_session");
    else yield session;
  }
}

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
  return {
    id: head.find("sessionId") ?? (file.name === "events.jsonl" ? folder : stem),
    ...sessionFacts(file),
    key,
    cwd: findWorkspaceFolder(file.path) ?? (key === "events" ? head.find("cwd") : undefined),
    branch: key === "events" ? head.find("branch") : undefined,
    title: head.find("customTitle"),
    started: toTime(head.find("startTime")) ?? toTime(created) ?? toTime(head.find("timestamp")),
  };
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

function readEvents(session: SourceSession, sink: Sink, options: ReadOptions) {
  const open = (state?: Json) => new CopilotEvents(session, sink, state);
  return readConversation(session.path, sink, { ...options, open });
}
