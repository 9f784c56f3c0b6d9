// Reads OpenCode's JSON tree: one file per session, message and part. Files are written without an
// atomic rename, so a half-written one is counted and read again next time.

import { hashHex } from "../../../core/hash.ts";
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
/** One message is in memory at a time, whole. */
const maxMessageBytes = 128 << 20;

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
        signature: signTree({ path: storage, id: name }, tally),
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

/** The messages of one session in order: ids ascend in time. Parts are read when their turn comes. */
export function readTree(session: SourceSession, tally: Tally): OpencodeSession {
  const infos: { id: string; info: Json }[] = [];
  for (const file of jsonFiles(`${session.path}/message/${session.id}`, tally)) {
    const info = readJson(file, tally);
    if (info !== undefined) infos.push({ id: toText(info.id) ?? stemOf(file.name), info });
  }
  const created = ({ info }: { info: Json }) => toNumber(toObject(info.time)?.created) ?? 0;
  infos.sort((a, b) => created(a) - created(b) || (a.id < b.id ? -1 : 1));
  return { messages: withParts(infos, session, tally), revert: session.key };
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

function* withParts(
  infos: { id: string; info: Json }[],
  session: SourceSession,
  tally: Tally,
): Generator<OpencodeMessage> {
  let flat: Map<string, WalkedFile[]> | undefined;
  const seen = new Set<string>();
  for (const { id, info } of infos) {
    // A second file with the id of another: the parts are the first one's, and are read once.
    if (seen.has(id)) {
      tally.bad_lines++;
      continue;
    }
    seen.add(id);
    const directory = findPartDirectory(session, id);
    flat = directory === undefined ? flat ?? indexFlatParts(session, tally) : flat;
    const files = directory === undefined ? flat?.get(id) ?? [] : jsonFiles(directory, tally);
    yield { id, info, parts: readParts(files, session, tally) };
  }
}

/** Ids of messages may repeat in a tree: a part that names another session is not of this one. */
function readParts(
  files: WalkedFile[],
  session: SourceSession,
  tally: Tally,
): OpencodeMessage["parts"] {
  const parts: OpencodeMessage["parts"] = [];
  let bytes = 0;
  for (const file of files) {
    const part = readJson(file, tally);
    if (part === undefined || !isOf(session, part)) continue;
    bytes += file.size;
    if (bytes > maxMessageBytes) {
      tally.problem(file.path, `its message is larger than ${maxMessageBytes >> 20} MiB`);
      break;
    }
    parts.push({ id: toText(part.id) ?? stemOf(file.name), part });
  }
  return parts;
}

function isOf(session: SourceSession, part: Json): boolean {
  return (toText(part.sessionID) ?? session.id) === session.id;
}

/** Parts lie in a directory per message, which the oldest trees have per session. */
function findPartDirectory(
  { path, id }: Pick<SourceSession, "path" | "id">,
  message: string,
): string | undefined {
  return [`${path}/part/${id}/${message}`, `${path}/part/${message}`]
    .find((directory) => findFileInfo(directory)?.isDirectory);
}

/** Some trees have all parts in one directory, with the message's id inside. */
function indexFlatParts(session: SourceSession, tally: Tally): Map<string, WalkedFile[]> {
  const files = new Map<string, WalkedFile[]>();
  for (const file of jsonFiles(`${session.path}/part`, tally)) {
    const part = findObject(file.path, maxFileBytes);
    const message = toText(part?.messageID);
    if (part === undefined || message === undefined || !isOf(session, part)) continue;
    const known = files.get(message);
    if (known === undefined) files.set(message, [file]);
    else known.push(file);
  }
  return files;
}

function signTree(session: Pick<SourceSession, "path" | "id">, tally: Tally): string {
  let seen = "";
  for (const file of jsonFiles(`${session.path}/message/${session.id}`, tally)) {
    seen += `${file.name}:${file.size}:${file.modified};`;
    const directory = findPartDirectory(session, stemOf(file.name));
    for (const part of directory === undefined ? [] : jsonFiles(directory, tally)) {
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
