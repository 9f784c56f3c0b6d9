// Git repositories made byte by byte, for tests of what git itself would never write: objects under
// any name, packs with any delta.

import { deflateSync } from "node:zlib";

/** An object of a pack: its type (1 commit, 2 tree, 3 blob, 7 delta by name) and its data. */
export interface PackedObject {
  oid: string;
  type: number;
  data: Uint8Array;
  /** The base of a delta. */
  base?: string;
}

/** A name of an object that is easy to tell apart. */
export function oidOf(number: number): string {
  return number.toString(16).padStart(2, "0").repeat(20);
}

/** Makes an empty repository whose HEAD is a commit. */
export function makeRepository(workspace: string, head: string): void {
  Deno.mkdirSync(`${workspace}/.git/objects/pack`, { recursive: true });
  Deno.writeTextFileSync(`${workspace}/.git/HEAD`, `${head}\n`);
}

/** Writes a loose object under a name, whatever it holds. */
export function writeLoose(workspace: string, oid: string, kind: string, data: Uint8Array): void {
  const directory = `${workspace}/.git/objects/${oid.slice(0, 2)}`;
  Deno.mkdirSync(directory, { recursive: true });
  const bytes = deflateSync(join([encode(`${kind} ${data.length}\0`), data]));
  Deno.writeFileSync(`${directory}/${oid.slice(2)}`, bytes);
}

/** The data of a commit. */
export function commitOf(tree: string, parents: string[] = []): Uint8Array {
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  return encode(`${lines.join("\n")}\ncommitter A <a@example.org> 1767225600 +0000\n\nsubject\n`);
}

/** The data of a directory. */
export function treeOf(entries: [name: string, oid: string, isTree: boolean][]): Uint8Array {
  return join(
    entries.map(([name, oid, isTree]) =>
      join([encode(`${isTree ? "40000" : "100644"} ${name}\0`), fromHex(oid)])
    ),
  );
}

/** A delta that copies the first bytes of its base some times over. */
export function copyingDelta(baseSize: number, length: number, times: number): Uint8Array {
  const copy = [0x80 | 0x70, length & 255, (length >> 8) & 255, (length >> 16) & 255];
  return Uint8Array.from([
    ...sizeBytes(baseSize),
    ...sizeBytes(length * times),
    ...Array(times).fill(copy).flat(),
  ]);
}

/** Writes objects as a pack with its index. */
export function writePack(workspace: string, objects: PackedObject[]): void {
  const parts: Uint8Array[] = [encode("PACK"), numbers(2, objects.length)];
  const offsets = new Map<string, number>();
  let at = 12;
  for (const { oid, type, data, base } of objects) {
    const head = Uint8Array.from(headBytes(type, data.length));
    const part = join([
      head,
      base === undefined ? new Uint8Array() : fromHex(base),
      deflateSync(data),
    ]);
    offsets.set(oid, at);
    parts.push(part);
    at += part.length;
  }
  const path = `${workspace}/.git/objects/pack/pack-made`;
  Deno.writeFileSync(`${path}.pack`, join([...parts, new Uint8Array(20)]));
  const names = [...offsets.keys()].sort();
  const fanout = Array.from(
    { length: 256 },
    (_, byte) => names.filter((name) => parseInt(name.slice(0, 2), 16) <= byte).length,
  );
  Deno.writeFileSync(
    `${path}.idx`,
    join([
      Uint8Array.from([255, 116, 79, 99, 0, 0, 0, 2]),
      numbers(...fanout),
      ...names.map(fromHex),
      numbers(...names.map(() => 0)),
      numbers(...names.map((name) => offsets.get(name)!)),
      new Uint8Array(40),
    ]),
  );
}

function headBytes(type: number, size: number): number[] {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] |= 0x80;
    bytes.push(rest % 128);
  }
  return bytes;
}

function sizeBytes(size: number): number[] {
  const bytes = [size % 128];
  for (let rest = Math.floor(size / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] |= 0x80;
    bytes.push(rest % 128);
  }
  return bytes;
}

function numbers(...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((value, i) => view.setUint32(i * 4, value));
  return new Uint8Array(view.buffer);
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g)!, (pair) => parseInt(pair, 16));
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function join(parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
