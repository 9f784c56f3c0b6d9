// Transcripts of `ctx chat`: one file per conversation under `chat/`, its rows in the form of
// entries. They are kept apart from history and searched only when somebody asks for them.

import { type Draft, type Entry, toEntry } from "../core/entry.ts";
import { makeId } from "../core/id.ts";
import { decodeLossy } from "../core/utf8.ts";
import { readLines } from "./lines.ts";
import { type Row, type RowOptions, Snapshot } from "./snapshot.ts";
import { Store } from "./store.ts";

/** The type of a transcript's entries. */
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
  readonly #entries: Entry[] = [];

  constructor(store: Store) {
    super({
      workspace: store.layout.chat,
      files: store.files,
      now: () => 0,
      random: () => "",
      warn: () => {},
    });
    for (const name of store.files.list(store.layout.chat)) {
      if (!name.endsWith(".ndjson")) continue;
      for (const line of readLines(store.files, `${store.layout.chat}/${name}`)) {
        const entry = findEntry(line.bytes);
        if (entry) this.#entries.push(entry);
      }
    }
  }

  override openSnapshot(): Snapshot {
    return new ChatSnapshot(this.#entries);
  }
}

/** The turns in memory, numbered as if they were places in a log. */
class ChatSnapshot extends Snapshot {
  readonly #entries: Entry[];

  constructor(entries: Entry[]) {
    super({ hot: undefined, archive: undefined });
    this.#entries = entries;
  }

  override *rows(options: RowOptions = {}): Generator<Row> {
    if (options.pools && !options.pools.includes("hot")) return;
    for (const [offset, entry] of this.#entries.entries()) {
      yield { entry, pool: "hot", offset, length: 1 };
    }
  }

  override readAt(place: { offset: number }): Entry[] {
    return this.#entries.slice(place.offset, place.offset + 1);
  }

  override isAt(place: number, id: string): boolean {
    return this.#entries[Math.floor(place / 2)]?.id === id;
  }
}

function findEntry(bytes: Uint8Array): Entry | undefined {
  try {
    return toEntry(JSON.parse(decodeLossy(bytes)));
  } catch {
    return undefined;
  }
}
