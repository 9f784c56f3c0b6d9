// A row without the bulk of its long strings, for readers that show one line of each: a text of many
// megabytes is never decoded, parsed or kept. Works on the bytes of the line. Pure.

import { concat } from "../core/utf8.ts";

const [quote, backslash, unicode] = [34, 92, 117];

/** The line with each string in it cut to about so many bytes; what is no sound JSON stays unsound. */
export function cutStrings(line: Uint8Array, maxBytes: number): Uint8Array {
  const kept: Uint8Array[] = [];
  let done = 0;
  for (let start = line.indexOf(quote); start >= 0;) {
    const end = findEnd(line, start + 1);
    if (end < 0) break;
    if (end - start > maxBytes) {
      kept.push(line.subarray(done, findCut(line, start + 1, start + maxBytes)));
      done = end;
    }
    start = line.indexOf(quote, end + 1);
  }
  if (done === 0) return line;
  kept.push(line.subarray(done));
  return concat(kept);
}

/** Where the quote is that ends a string. */
function findEnd(line: Uint8Array, from: number): number {
  for (let end = line.indexOf(quote, from); end >= 0; end = line.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (line[end - 1 - slashes] === backslash && end - 1 - slashes >= from) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** The last place before a limit that parts no character and no escape. */
function findCut(line: Uint8Array, from: number, limit: number): number {
  let at = from;
  for (let next = at; next <= limit;) {
    at = next;
    if (line[at] === backslash) next = at + (line[at + 1] === unicode ? 6 : 2);
    else {
      next = at + 1;
      // The bytes that follow the first one of a character.
      while ((line[next] & 0xc0) === 0x80) next++;
    }
  }
  return at;
}
