// One number for a line of code that is still the same after a formatter went over it: blanks, the
// kind of quotes and what ends the line make no difference. Lines that say nothing of their own, such
// as a closing bracket, have none. Pure; linear in the text, makes no strings.

/** Fewer signs than this are found everywhere. */
const leastSigns = 6;
const leastLetters = 3;
/** Longer lines are data, and are told apart by their beginning. */
const maxChars = 4096;

/** Hashes the line between two places of a text into two words; false when it says nothing. */
export function hashLine(
  text: string,
  { from, to, into }: { from: number; to: number; into: Uint32Array },
): boolean {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  let [signs, letters, ending] = [0, 0, 0];
  const end = Math.min(to, from + maxChars);
  for (let i = from; i < end; i++) {
    let unit = text.charCodeAt(i);
    if (unit <= 32 || unit === 0xa0) continue;
    if (unit === apostrophe || unit === backtick) unit = quote;
    if (unit === comma || unit === semicolon) {
      // Counts only when something follows.
      ending++;
      continue;
    }
    for (; ending > 0; ending--) {
      high = Math.imul(high ^ comma, 2654435761);
      low = Math.imul(low ^ comma, 1597334677);
    }
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
    signs++;
    if (isWordy(unit)) letters++;
  }
  if (signs < leastSigns || letters < leastLetters) return false;
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  into[0] = high;
  into[1] = low;
  return true;
}

/** Visits the lines of a text that say something: their hash, and which line it is, from zero. */
export function forEachLineHash(
  text: string,
  visit: (high: number, low: number, line: number) => void,
): void {
  const into = new Uint32Array(2);
  for (let from = 0, line = 0; from <= text.length; line++) {
    const found = text.indexOf("\n", from);
    const to = found < 0 ? text.length : found;
    if (hashLine(text, { from, to, into })) visit(into[0], into[1], line);
    from = to + 1;
  }
}

/** The hash as one number that a set can hold. */
export function toKey(high: number, low: number): number {
  return (high & 0x1fffff) * 2 ** 32 + low;
}

const [quote, apostrophe, backtick, comma, semicolon] = [34, 39, 96, 44, 59];

function isWordy(unit: number): boolean {
  return unit >= 128 || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) ||
    (unit >= 97 && unit <= 122);
}
