// Exact bytes in, exact bytes out: UTF-8 that also carries lone surrogates (WTF-8), so that any
// text that came in can go out again byte for byte. Anything else is refused with its position.

import { CtxError } from "./errors.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Decodes UTF-8 or WTF-8; throws USAGE with the offset of the first byte that is neither. */
export function decodeExact(bytes: Uint8Array): string {
  const text = findUtf8(bytes);
  return text ?? decodeWtf8(bytes);
}

/** Decodes strict UTF-8, or returns undefined when it is not. */
export function findUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Percent-encoded text, decoded; as it came when it is not properly encoded. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes with U+FFFD in the place of what is no UTF-8. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** Encodes text; a lone surrogate becomes its three WTF-8 bytes. */
export function encodeExact(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      i++;
      continue;
    }
    parts.push(encoder.encode(text.slice(start, i)), surrogateBytes(unit));
    start = i + 1;
  }
  parts.push(encoder.encode(text.slice(start)));
  return concat(parts);
}

/** Encodes texts, each followed by a newline, into one array. */
export function encodeLines(lines: Iterable<string>): Uint8Array {
  let bytes = new Uint8Array(1 << 12);
  let at = 0;
  const makeRoom = (size: number): void => {
    if (at + size <= bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * bytes.length, at + size));
    larger.set(bytes.subarray(0, at));
    bytes = larger;
  };
  for (const line of lines) {
    if (line.isWellFormed()) {
      makeRoom(3 * line.length + 1);
      at += encoder.encodeInto(line, bytes.subarray(at)).written;
    } else {
      const exact = encodeExact(line);
      makeRoom(exact.length + 1);
      bytes.set(exact, at);
      at += exact.length;
    }
    bytes[at++] = 10;
  }
  return bytes.subarray(0, at);
}

export function concat(parts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function decodeWtf8(bytes: Uint8Array): string {
  let text = "";
  let start = 0;
  for (let i = 0; i + 2 < bytes.length; i++) {
    if (!isSurrogateAt(bytes, i)) continue;
    text += decodeStrict(bytes, start, i);
    const unit = 0xd000 | ((bytes[i + 1] & 0x3f) << 6) | (bytes[i + 2] & 0x3f);
    if (isLow(unit) && isHigh(text.charCodeAt(text.length - 1))) throw notUtf8(bytes[i], i);
    text += String.fromCharCode(unit);
    start = i + 3;
    i += 2;
  }
  return text + decodeStrict(bytes, start, bytes.length);
}

function decodeStrict(bytes: Uint8Array, from: number, to: number): string {
  const text = findUtf8(bytes.subarray(from, to));
  if (text !== undefined) return text;
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    const prefix = lossy.decode(bytes.subarray(from, middle + 1), { stream: true });
    lossy.decode();
    if (prefix.includes("\ufffd")) high = middle;
    else low = middle + 1;
  }
  const at = Math.min(low, to - 1);
  throw notUtf8(bytes[at], at);
}

function notUtf8(byte: number, at: number): CtxError {
  const hex = (byte ?? 0).toString(16).padStart(2, "0");
  return new CtxError("USAGE", `Cannot read the text: byte 0x${hex} at offset ${at} is not UTF-8`, {
    hint: "convert it first, for example with iconv -f latin1 -t utf-8",
  });
}

function isSurrogateAt(bytes: Uint8Array, i: number): boolean {
  return bytes[i] === 0xed && bytes[i + 1] >= 0xa0 && bytes[i + 1] <= 0xbf &&
    (bytes[i + 2] & 0xc0) === 0x80;
}

function surrogateBytes(unit: number): Uint8Array {
  return Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
