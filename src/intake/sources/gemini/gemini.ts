// Gemini CLI: `tmp/<project>/chats/session-*.json` (rewritten whole) or `.jsonl` (a journal). A
// message is written again when its tool calls arrive: the last one wins, so rows carry revisions.

import { toSystemPath } from "../../../core/platform_path.ts";
import { sha256 } from "../../../core/sha256.ts";
import { encodeExact } from "../../../core/utf8.ts";
import { foldGemini, type GeminiDocument } from "./gemini_journal.ts";
import { emitGemini } from "./gemini_messages.ts";
import { findJson, toList, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readDocument } from "../read_document.ts";
import { JsonlReader } from "../read_jsonl.ts";
import type { Tally } from "../problem_tally.ts";
import type { Place, Source, SourceSession } from "../source.ts";
import { sessionOf } from "../source_kinds.ts";
import { existing, findObject, findSmallText, walk, type WalkedFile } from "../walk.ts";

const maxDocumentBytes = 64 << 20;

export const gemini: Source = {
  name: "gemini",
  title: "Gemini CLI",
  locate: ({ env, home }: Place) => existing([`${env("GEMINI_CLI_HOME") || home}/.gemini/tmp`]),
  async *list(root, { tally, place }) {
    const accept = (name: string) =>
      /\.jsonl?$/.test(name) && !/^(?:checkpoint|projects|settings)/.test(name);
    const files = [...walk(root, { tally, accept, enter: (name) => name !== "checkpoints" })];
    const projects = projectsOf(root);
    const ours = [place.workspace, toSystemPath(place.workspace, place.os)].map(hashPath);
    const described = files.flatMap((file) => describe(file, tally) ?? []);
    const ids = new Set(described.map(({ id }) => id));
    const isJournal = ({ path }: SourceSession): boolean => path.endsWith(".jsonl");
    const journals = new Set(described.filter(isJournal).map(({ id }) => id));
    for (const session of described) {
      // Resuming a .json writes a .jsonl of the same session beside it: the journal is the newer.
      if (!isJournal(session) && journals.has(session.id)) {
        tally.skip("document_of_known_session");
        continue;
      }
      const cwd = rootFile(session.path) ?? projects.get(session.key ?? "") ??
        (ours.includes(session.key ?? "") ? place.workspace : undefined);
      yield { ...session, cwd };
    }
    yield* listPrompts(files, ids, tally);
  },
  async read(session, sink, { now }) {
    const document = session.path.endsWith(".jsonl")
      ? readJournal(session.path, sink.tally, now)
      : readChat(session, sink.tally);
    await emitGemini(session, document, sink);
  },
};

/** `logs.json` has only what was typed: used for sessions whose chat is gone. */
function* listPrompts(
  files: WalkedFile[],
  known: Set<string>,
  tally: Tally,
): Generator<SourceSession> {
  for (const file of files.filter((file) => file.name === "logs.json")) {
    const rows = toObjects(findJson(findSmallText(file.path, maxDocumentBytes) ?? ""));
    const ids = new Set(rows.map((row) => toText(row.sessionId)));
    for (const id of ids) {
      if (id === undefined) continue;
      if (known.has(id)) {
        tally.skip("prompts_of_known_session");
        continue;
      }
      const first = rows.find((row) => row.sessionId === id);
      const started = toTime(first?.timestamp);
      yield sessionOf(file, { id, cwd: rootFile(file.path), started, isRemnant: true });
    }
  }
}

function describe(file: WalkedFile, tally: Tally): SourceSession | undefined {
  if (file.name === "logs.json") return undefined;
  const head = readHead(file.path, tally);
  if (head === undefined) return undefined;
  if (!/"(?:sessionId|messages|type)"/.test(head.text)) {
    const isChat = /\/chats\/(?:[^/]+\/)?[^/]+$/.test(file.path);
    if (head.text.trim() === "") tally.skip("empty_file");
    else if (!isChat) tally.skip("other_file");
    else tally.problem(file.path, "no readable message in it");
    return undefined;
  }
  return sessionOf(file, {
    id: head.find("sessionId") ?? file.name.replace(/\.jsonl?$/, ""),
    key: head.find("projectHash"),
    started: toTime(head.find("startTime")) ?? toTime(head.find("timestamp")),
    parent: /\/chats\/([^/]+)\/[^/]+$/.exec(file.path)?.[1],
  });
}

function readChat(session: SourceSession, tally: Tally): GeminiDocument {
  const value = readDocument(session.path, { tally, maxBytes: maxDocumentBytes });
  const document = toObject(value);
  if (document) return { meta: document, messages: toObjects(document.messages) };
  const prompts = toObjects(toList(value)).filter((row) => row.sessionId === session.id);
  const messages = prompts.map((row) => ({
    id: `log-${row.messageId}`,
    timestamp: row.timestamp,
    type: row.type,
    content: row.message,
  }));
  return { meta: {}, messages };
}

function readJournal(path: string, tally: Tally, now: number): GeminiDocument {
  using reader = new JsonlReader(path, { tally, now });
  return foldGemini(reader.records());
}

/** `projects.json` maps paths to short ids; directories are named by either the id or a hash. */
function projectsOf(root: string): Map<string, string> {
  const list = findObject(`${root}/../projects.json`) ?? findObject(`${root}/projects.json`);
  const paths = Object.keys(toObject(list?.projects) ?? {});
  return new Map(paths.map((path) => [hashPath(path), path]));
}

function rootFile(path: string): string | undefined {
  const project = path.replace(/\/(?:chats\/.*|[^/]+)$/, "");
  return findSmallText(`${project}/.project_root`)?.trim() || undefined;
}

function hashPath(path: string): string {
  return sha256(encodeExact(path));
}
