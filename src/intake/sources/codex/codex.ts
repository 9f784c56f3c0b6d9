// OpenAI Codex: rollout files under `sessions/` and `archived_sessions/`, plain or zstd. Titles come
// from the index beside them. Credentials live in the same root: only rollouts and titles are read.

import { CodexConversation } from "./codex_conversation.ts";
import { takeRecord } from "./codex_records.ts";
import type { Database, DatabaseRow } from "../database/databases.ts";
import { findJson, type Json, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { type FileHead, readHead } from "../read_head.ts";
import { readConversation, sendAll } from "../read_jsonl.ts";
import type { ListOptions, Place, ReadOptions, Sink, Source, SourceSession } from "../source.ts";
import { columnsOf, sessionOf } from "../source_kinds.ts";
import {
  existing,
  findFileInfo,
  findObject,
  findSmallText,
  walk,
  type WalkedFile,
} from "../walk.ts";
import { unpackZstd } from "./zstd.ts";

export const codex: Source = {
  name: "codex",
  title: "Codex",
  idScope: "agent",
  locate: ({ env, home }: Place) => existing([env("CODEX_HOME") || `${home}/.codex`]),
  async *list(root, options) {
    const { tally } = options;
    const titles = await readTitles(root, options);
    const parts = existing([`${root}/sessions`, `${root}/archived_sessions`]);
    const accept = (name: string) =>
      name !== "session_index.jsonl" && name !== "history.jsonl" &&
      (/\.jsonl(\.zst)?$/.test(name) || /^rollout-.*\.json$/.test(name));
    for (const part of parts.length > 0 ? parts : [root]) {
      for (const file of walk(part, { tally, accept, filled: true })) {
        if (isPacked(file) && findFileInfo(file.path.slice(0, -4)) !== undefined) continue;
        const session = await describe(file, options);
        if (session) yield { ...session, title: titles.get(session.id) };
      }
    }
  },
  async read(session, sink, options) {
    if (session.path.endsWith(".json")) return await readOldJson(session, sink);
    if (!session.path.endsWith(".zst")) return await readRollout(session, sink, options);
    const plain = await unpackZstd(session.path, options.scratch);
    try {
      await readRollout({ ...session, path: plain }, sink, { ...options, resume: undefined });
    } finally {
      Deno.removeSync(plain);
    }
  },
};

async function describe(
  file: WalkedFile,
  { tally, scratch }: ListOptions,
): Promise<SourceSession | undefined> {
  let path = file.path;
  try {
    if (isPacked(file)) path = await unpackZstd(file.path, scratch, { headBytes: 1 << 20 });
    const head = readHead(path, tally);
    return head && toSession(file, head);
  } catch (error) {
    tally.problem(file.path, error);
    return undefined;
  } finally {
    if (path !== file.path) Deno.removeSync(path);
  }
}

/** Session facts from the first line, else from file name and later lines. */
function toSession(file: WalkedFile, head: FileHead): SourceSession {
  const first = toObject(findJson(head.text.slice(0, head.text.indexOf("\n"))));
  const meta = toObject(first?.payload) ?? first;
  const uuid = /([0-9a-f]{8}-[0-9a-f-]{27})(?:_[0-9a-f-]+)?\.json/.exec(file.name);
  const isMeta = first?.type === "session_meta" || first?.instructions !== undefined;
  const named = uuid?.[1] ?? file.name.replace(/\.json.*$/, "");
  return sessionOf(file, {
    id: (isMeta ? toText(meta?.id) : undefined) ?? named,
    cwd: toText(meta?.cwd) ?? head.find("cwd") ?? /<cwd>([^<]+)<\/cwd>/.exec(head.text)?.[1],
    branch: toText(toObject(meta?.git)?.branch),
    started: toTime(meta?.timestamp) ?? toTime(head.find("timestamp")),
  });
}

function readRollout(session: SourceSession, sink: Sink, options: ReadOptions) {
  const open = (state?: Json) => new CodexConversation(takeRecord, session, sink, state);
  return readConversation(session.path, sink, { ...options, open });
}

/** The first Codex wrote one JSON document per session. */
async function readOldJson(session: SourceSession, sink: Sink) {
  const document = findObject(session.path, 64 << 20);
  sink.tally.files++;
  if (document === undefined) sink.tally.bad_lines++;
  const records = toObjects(document?.items).map((value, i) => ({ value, key: String(i) }));
  await sendAll(new CodexConversation(takeRecord, session, sink), records, sink);
}

/** Thread names from `session_index.jsonl` and the newest `state_N.sqlite`, the latter stronger. */
async function readTitles(root: string, options: ListOptions): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (const line of (findSmallText(`${root}/session_index.jsonl`, 8 << 20) ?? "").split("\n")) {
    const row = toObject(findJson(line));
    const [id, name] = [toText(row?.id), toText(row?.thread_name)];
    if (id && name) titles.set(id, name);
  }
  const home = options.place.env("CODEX_SQLITE_HOME") || root;
  const accept = (name: string) => /^state_\d+\.sqlite$/.test(name);
  for (const file of walk(home, { tally: options.tally, accept, maxDepth: 0 })) {
    const read = () => options.databases.read(file.path, readThreads);
    for (const row of await options.tally.attempt(file.path, read) ?? []) {
      const title = toText(row.name) ?? toText(row.title);
      if (title) titles.set(String(row.id), title);
    }
  }
  return titles;
}

async function readThreads(database: Database): Promise<DatabaseRow[]> {
  const wanted = await columnsOf(database, "threads", "name title");
  if (wanted.length === 0) return [];
  return await database.rows(`SELECT id, ${wanted.join(", ")} FROM threads`);
}

function isPacked(file: { name: string }): boolean {
  return file.name.endsWith(".zst");
}
