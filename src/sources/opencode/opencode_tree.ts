// Reads OpenCode's JSON tree: one file per session, message and part. Files are written without an
// atomic rename, so a half-written one is counted and read again next time.

import { hashHex } from "../../core/hash.ts";
import { type Json, toNumber, toObject, toText, toTime } from "../loose_json.ts";
import type { OpencodeMessage, OpencodeSession } from "./opencode_messages.ts";
import type { ListOptions, SourceSession } from "../source.ts";
import type { Tally } from "../problem_tally.ts";
import {
  directoryNames,
  existing,
  findFileInfo,
  findObject,
  walk,
  type WalkedFile,
} from "../walk.ts";

const maxFileBytes = 64 << 20;

/** The sessions of every tree under a root. */
export function* listTree(root: string, { tally }: ListOptions): Generator<SourceSession> {
  for (const storage of findStorages(root)) {
    const infos = readInfos(storage, tally);
    for (const name of directoryNames(`${storage}/message`)) {
      const info = infos.get(name);
      const time = toObject(info?.time);
      const started = toTime(time?.created);
      yield {
        id: name,
        path: storage,
        signature: signTree(storage, name, tally),
        cwd: toText(info?.directory),
        title: toText(info?.title),
        started,
        updated: toTime(time?.updated) ?? started,
        parent: toText(info?.parentID),
        key: toText(toObject(info?.revert)?.messageID),
      };
    }
  }
}

/** The messages of one session in order: ids ascend in time. */
export function readTree(session: SourceSession, tally: Tally): OpencodeSession {
  const messages: OpencodeMessage[] = [];
  for (const file of jsonFiles(`${session.path}/message/${session.id}`, tally)) {
    const info = readJson(file, tally);
    if (info === undefined) continue;
    const id = toText(info.id) ?? stemOf(file.name);
    messages.push({ id, info, parts: readParts(session.path, id, tally) });
  }
  const created = (message: OpencodeMessage) => toNumber(toObject(message.info.time)?.created) ?? 0;
  messages.sort((a, b) => created(a) - created(b) || (a.id < b.id ? -1 : 1));
  return { messages, revert: session.key };
}

/** `storage` directories: the root's own, the root itself, or the oldest layout's per project. */
function findStorages(root: string): string[] {
  const old = directoryNames(`${root}/project`).map((name) =>
    `${root}/project/${name}/storage/session`
  );
  return existing([`${root}/storage`, root, ...old])
    .filter((path) => findFileInfo(`${path}/message`)?.isDirectory);
}

function readInfos(storage: string, tally: Tally): Map<string, Json> {
  const infos = new Map<string, Json>();
  for (const directory of existing([`${storage}/session`, `${storage}/info`])) {
    for (const file of jsonFiles(directory, tally, 1)) {
      const info = readJson(file, tally);
      const id = toText(info?.id);
      if (info && id) infos.set(id, info);
    }
  }
  return infos;
}

/** Parts lie in a directory per message; some trees have them flat with the message's id inside. */
function readParts(storage: string, message: string, tally: Tally): OpencodeMessage["parts"] {
  const directory = `${storage}/part/${message}`;
  const isNested = findFileInfo(directory)?.isDirectory === true;
  const parts: OpencodeMessage["parts"] = [];
  for (const file of jsonFiles(isNested ? directory : `${storage}/part`, tally)) {
    const part = readJson(file, tally);
    if (part === undefined || (!isNested && part.messageID !== message)) continue;
    parts.push({ id: toText(part.id) ?? stemOf(file.name), part });
  }
  return parts;
}

function signTree(storage: string, session: string, tally: Tally): string {
  let seen = "";
  for (const file of jsonFiles(`${storage}/message/${session}`, tally)) {
    seen += `${file.name}:${file.size}:${file.modified};`;
    for (const part of jsonFiles(`${storage}/part/${stemOf(file.name)}`, tally)) {
      seen += `${part.name}:${part.size}:${part.modified};`;
    }
  }
  return hashHex(seen);
}

function jsonFiles(directory: string, tally: Tally, maxDepth = 0): WalkedFile[] {
  return [...walk(directory, { tally, accept: (name) => name.endsWith(".json"), maxDepth })];
}

function readJson(file: WalkedFile, tally: Tally): Json | undefined {
  const object = findObject(file.path, maxFileBytes);
  if (object === undefined) tally.bad_lines++;
  return object;
}

function stemOf(name: string): string {
  return name.slice(0, -".json".length);
}
