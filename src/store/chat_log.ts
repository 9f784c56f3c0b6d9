// Transcripts of `ctx chat`: one file per conversation under `chat/`, its rows in the form of
// entries. They are kept apart from history and searched only when somebody asks for them.

import type { Draft } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { makeId } from "../core/id.ts";
import { concat } from "../core/utf8.ts";
import type { Files } from "../disk/files.ts";
import { layoutOf } from "../disk/layout.ts";
import { MemoryReader } from "../disk/memory_reader.ts";
import { Store } from "./store.ts";

export const chatType = "chat";

/** Appends turns to a conversation; they are redacted and on disk when this returns. */
export async function appendChat(
  store: Store,
  chatId: string,
  turns: (Draft & { ts: string })[],
): Promise<void> {
  await store.write("chat", (writer) => {
    writer.files.makeDirectory(store.layout.chat);
    const rows = turns.map((turn) => ({
      id: makeId("H", Date.parse(turn.ts), `${chatId}\0${turn.role}\0${turn.text}`),
      ...turn,
      session_id: chatId,
    }));
    writer.appendRows(`${store.layout.chat}/${chatId}.ndjson`, rows);
  });
}

/** Whether there are transcripts at all. */
export function hasChats(store: Store): boolean {
  return store.files.list(store.layout.chat).some((name) => name.endsWith(".ndjson"));
}

/** The transcripts of a store as a store of their own, read-only and without an index. */
export class ChatStore extends Store {
  constructor(store: Store) {
    const workspace = store.layout.chat;
    super({
      workspace,
      files: holdLog(layoutOf(workspace).history.hot, readTranscripts(store)),
      now: () => 0,
      random: () => "",
      warn: () => {},
    });
  }
}

function readTranscripts(store: Store): Uint8Array {
  const names = store.files.list(store.layout.chat).filter((name) => name.endsWith(".ndjson"));
  return concat(
    names.map((name) => store.files.findBytes(`${store.layout.chat}/${name}`) ?? new Uint8Array()),
  );
}

/** A file layer that holds one log, in memory. */
function holdLog(path: string, bytes: Uint8Array): Files {
  const listTree = (directory: string): string[] => path.startsWith(`${directory}/`) ? [path] : [];
  return {
    findSize: (wanted) => wanted === path ? bytes.length : undefined,
    findBytes: (wanted) => wanted === path ? bytes : undefined,
    openReader: (wanted) => wanted === path ? new MemoryReader(bytes) : undefined,
    list: (directory) => listTree(directory).map((inside) => inside.slice(directory.length + 1)),
    listTree,
    append: refuse,
    truncate: refuse,
    replace: refuse,
    openWriter: refuse,
    hold: refuse,
    rename: refuse,
    remove: refuse,
    makeDirectory: refuse,
  };
}

function refuse(): never {
  throw new CtxError("DENIED", "Cannot change transcripts: they are read-only here");
}
