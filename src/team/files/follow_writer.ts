// Follows a writer's files from where they were followed before: each must be signed by the writer and
// name the one before it. What is missing or cut short may still come; what is there and does not fit
// is not the writer's, and nothing behind it counts.

import { CtxError } from "../../core/errors.ts";
import type { FileCarrier } from "../carrier/file_carrier.ts";
import { findBase64Url } from "../trust/base64url.ts";
import { addFile, findJoin, newView, type WriterView } from "./writer_view.ts";
import { fileName, findNumber, isSignedFile, parseFile, type WriterFile } from "./writer_file.ts";

/** Where a writer's files are. */
export interface WriterPlace {
  carrier: FileCarrier;
  space: string;
  writer: string;
}

/** How far a writer could be followed. */
export interface Followed {
  /** All that is known, also of files that are gone by now. */
  view: WriterView;
  /** How many files are there, in a row. */
  reach: number;
  /** The number of a file that later ones wait for. */
  waiting?: number;
  /** A file that is not the writer's. */
  broken?: { number: number; bytes: Uint8Array };
}

/**
 * Follows what is new; `onFile` is shown every file that counts. Of a writer that nobody answers for
 * only the first file is read: it says so.
 */
export async function followWriter(
  place: WriterPlace,
  known: WriterView | undefined,
  { onFile = () => {}, isTrusted = () => true }: {
    onFile?: (file: WriterFile) => void;
    isTrusted?: (begun: WriterView) => boolean;
  } = {},
): Promise<Followed> {
  const view = known === undefined ? newView() : structuredClone(known);
  let names = await listFrom(place, view.number);
  if (view.number > 0 && !names.has(view.number)) {
    names = await listFrom(place, 0);
    let reach = 0;
    while (names.has(reach + 1)) reach++;
    if (reach < view.number) return { view, reach };
  }
  while (true) {
    const number = view.number + 1;
    const candidates = names.get(number);
    const isBehind = [...names.keys()].some((item) => item > number);
    if (candidates === undefined) {
      return { view, reach: view.number, ...(isBehind ? { waiting: number } : {}) };
    }
    const found = await findFile(place, candidates, (file) => follows(file, view));
    if (found.file === undefined) {
      const { bytes } = found;
      const rest = bytes === undefined ? { waiting: number } : { broken: { number, bytes } };
      return { view, reach: view.number, ...rest };
    }
    addFile(view, found.file);
    if (number === 1 && !isTrusted(view)) return { view, reach: number };
    onFile(found.file);
  }
}

/** Reads a file that was followed before; undefined when it is there no more as its writer left it. */
export async function readFile(
  place: WriterPlace,
  view: WriterView,
  number: number,
): Promise<WriterFile | undefined> {
  const isRight = ({ header }: WriterFile): boolean => header.number === number;
  const isOwn = (file: WriterFile): boolean => isRight(file) && isSigned(file, view);
  const { file } = await findFile(place, [fileName(number)], isOwn);
  if (file !== undefined) return file;
  const names = (await listFrom(place, number)).get(number) ?? [];
  return (await findFile(place, names, isOwn)).file;
}

/** The path of a file. */
export function pathOf({ space, writer }: Omit<WriterPlace, "carrier">, name: string): string {
  return `${space}/writers/${writer}/${name}`;
}

/** The names of files from a number on, by number; a file's own name comes before those of copies. */
export async function listFrom(
  { carrier, space, writer }: WriterPlace,
  number: number,
): Promise<Map<number, string[]>> {
  const after = number > 1 ? fileName(number - 1) : undefined;
  const byNumber = new Map<number, string[]>();
  for (const name of await carrier.list(`${space}/writers/${writer}`, after)) {
    const found = findNumber(name);
    if (found === undefined || found < number) continue;
    const others = byNumber.get(found) ?? [];
    byNumber.set(found, name === fileName(found) ? [name, ...others] : [...others, name]);
  }
  return byNumber;
}

/** What is put aside of a file that is not its writer's. */
const maxShown = 64 << 10;

/** The first of some files that is right; else the bytes of one that is whole and is not. */
async function findFile(
  place: WriterPlace,
  names: readonly string[],
  isRight: (file: WriterFile) => boolean,
): Promise<{ file?: WriterFile; bytes?: Uint8Array }> {
  let wrong: Uint8Array | undefined;
  for (const name of names) {
    const bytes = await readBytes(place, name);
    if (bytes === undefined) continue;
    const file = parseFile(bytes);
    if (file === "short") continue;
    const { space, writer } = file?.header ?? {};
    const isHere = space === place.space && writer === place.writer;
    if (file !== undefined && isHere && isRight(file)) return { file };
    wrong ??= bytes.slice(0, maxShown);
  }
  return wrong === undefined ? {} : { bytes: wrong };
}

/** One that is too large to be read is as good as one that is wrong. */
async function readBytes(place: WriterPlace, name: string): Promise<Uint8Array | undefined> {
  try {
    return await place.carrier.read(pathOf(place, name));
  } catch (error) {
    if (error instanceof CtxError && error.code === "REMOTE_UNTRUSTED") return new Uint8Array([10]);
    throw error;
  }
}

function follows(file: WriterFile, view: WriterView): boolean {
  const { number, previous, after } = file.header;
  return number === view.number + 1 && previous === view.head && after === view.seq &&
    isSigned(file, view);
}

/** By the key with which its writer joined, which the first file has. */
function isSigned(file: WriterFile, view: WriterView): boolean {
  const key = findBase64Url(findJoin(view.number === 0 ? begunBy(file) : view)?.event.sign_key);
  return key !== undefined && isSignedFile(file, key);
}

function begunBy(file: WriterFile): WriterView {
  const view = newView();
  addFile(view, file);
  return view;
}
