// OpenHands: a directory per conversation with a JSON file per event, which is never rewritten.
// `conversations/<id>/events/event-00012-….json` since 2025 (command line, SDK), with the place and the
// model in `base_state.json`; `sessions/<id>/events/12.json` before. The state also has settings of
// models and keys: only the place and the model's name are read.

import { toWholePath } from "../../../core/platform_path.ts";
import { basename, dirname } from "node:path";
import { openhandsEvents } from "./openhands_events.ts";
import { oldOpenhandsEvents } from "./openhands_old_events.ts";
import { hashHex } from "../../../core/hash.ts";
import { dig, toNumber, toObject, toText, toTime } from "../loose_json.ts";
import { readDocument } from "../read_document.ts";
import { readHead } from "../read_head.ts";
import type { Source } from "../source.ts";
import { Tally } from "../problem_tally.ts";
import { Reading } from "../reading.ts";
import { existing, findObject, walk, type WalkedFile } from "../walk.ts";
import { subSessionId } from "../source_kinds.ts";

const maxEventBytes = 64 << 20;
const maxStateBytes = 16 << 20;
/** In how many of its first events an old conversation may tell where it was held. */
const lookedAt = 20;
const eventName = /^(?:event-(\d{5,})-[0-9a-fA-F-]{8,}|(\d{1,9}))\.json$/;

export const openhands: Source = {
  name: "openhands",
  title: "OpenHands",
  locate({ env, home }) {
    const state = env("OPENHANDS_PERSISTENCE_DIR") || `${home}/.openhands`;
    return existing([
      env("OPENHANDS_CONVERSATIONS_DIR") || `${state}/conversations`,
      `${state}/sessions`,
      `${state}/users`,
      `${home}/.openhands-state/sessions`,
    ]);
  },
  async *list(root, { tally }) {
    const found = walk(root, { tally, accept: isEvent, maxDepth: 6 });
    for (const [events, files] of Map.groupBy(found, ({ path }) => dirname(path))) {
      const directory = dirname(events);
      const state = findObject(`${directory}/base_state.json`, maxStateBytes);
      const about = findObject(`${directory}/metadata.json`);
      const cwd = toText(dig(state, "workspace", "working_dir")) ?? findPlace(files);
      const first = readHead(inOrder(files)[0].path, tally);
      const modified = files.reduce((latest, file) => Math.max(latest, file.modified), 0);
      yield {
        id: idOf(directory),
        path: events,
        signature: hashHex(files.map((file) => `${file.name}:${file.size}`).join()),
        cwd: toWholePath(cwd),
        title: toText(about?.title),
        started: toTime(first?.find("timestamp")) ?? new Date(modified).toISOString(),
        updated: new Date(modified).toISOString(),
        parent: parentOf(directory),
        key: toText(dig(state, "agent", "llm", "model")),
      };
    }
  },
  async read(session, sink, { resume }) {
    const { tally } = sink;
    const accept = (name: string) => eventName.test(name);
    const files = inOrder([...walk(session.path, { tally: new Tally(), accept, maxDepth: 0 })]);
    const before = toObject(resume?.state);
    const read = toNumber(before?.read) ?? 0;
    const from = read > 0 && files[read - 1]?.name === before?.last ? read : 0;
    const state = from === 0 ? undefined : toObject(before?.conversation);
    const isBefore = files.every((file) => isOld(file.name));
    const format = isBefore ? oldOpenhandsEvents : openhandsEvents;
    const conversation = new Reading(format, session, sink, state);
    for (const file of files.slice(from)) {
      const document = readDocument(file.path, { tally, maxBytes: maxEventBytes });
      const value = toObject(document);
      if (value === undefined) {
        if (document !== undefined) tally.skip("not_an_object");
        continue;
      }
      const key = file.name.slice(0, -".json".length);
      for (const entry of conversation.take({ value, key })) await sink.entry(entry);
    }
    // An empty file is being written: it is looked at again, with what follows it.
    const empty = files.findIndex((file) => file.size === 0);
    const done = empty < 0 ? files.length : empty;
    return {
      signature: session.signature,
      state: {
        read: done,
        last: files[done - 1]?.name,
        conversation: conversation.state(),
      },
    };
  },
};

function isEvent(name: string, path: string): boolean {
  return eventName.test(name) && path.endsWith(`/events/${name}`);
}

/** Before there was a state, what a command printed told of the directory. */
function findPlace(files: readonly WalkedFile[]): string | undefined {
  const old = inOrder(files).filter((file) => isOld(file.name)).slice(0, lookedAt);
  for (const file of old) {
    const place = readHead(file.path, new Tally())?.find("working_dir");
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Agents that an agent started keep theirs in its directory. */
function parentOf(directory: string): string | undefined {
  const above = dirname(directory);
  return basename(above) === "subagents" ? idOf(dirname(above)) : undefined;
}

function idOf(directory: string): string {
  const parent = parentOf(directory);
  return parent === undefined ? basename(directory) : subSessionId(parent, basename(directory));
}

/** By number: names are filled up to five digits, and go on beyond. */
function inOrder<T extends { name: string }>(files: readonly T[]): T[] {
  return files.toSorted((a, b) => numberOf(a.name) - numberOf(b.name));
}

function numberOf(name: string): number {
  const [, index, old] = eventName.exec(name) ?? [];
  return Number(index ?? old ?? 0);
}

function isOld(name: string): boolean {
  return /^\d/.test(name);
}
