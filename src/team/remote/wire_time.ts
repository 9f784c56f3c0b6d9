// The time of a row on the wire: the very text that Date's toISOString writes, because a signature
// binds it. Read by itself: parsing and writing it again would take a fifth of a push.

const digit = 0x30;
let day = { text: "", ms: 0 };

/** Its milliseconds; undefined for a text that would not come back the same. */
export function findWireTime(text: string): number | undefined {
  if (text.length !== 24 || text[10] !== "T" || text[13] !== ":" || text[16] !== ":") {
    return undefined;
  }
  if (text[19] !== "." || text[23] !== "Z") return undefined;
  const hours = twoDigits(text, 11);
  const minutes = twoDigits(text, 14);
  const seconds = twoDigits(text, 17);
  const ms = 10 * twoDigits(text, 20) + digitAt(text, 22);
  // A sign that is no digit makes all of it NaN.
  if (!(hours < 24 && minutes < 60 && seconds < 60 && ms < 1000)) return undefined;
  const start = findDay(text.slice(0, 10));
  return start === undefined
    ? undefined
    : start + ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
}

/** Rows of one day follow each other. */
function findDay(text: string): number | undefined {
  if (day.text === text) return day.ms;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) return undefined;
  day = { text, ms };
  return ms;
}

function twoDigits(text: string, at: number): number {
  return 10 * digitAt(text, at) + digitAt(text, at + 1);
}

function digitAt(text: string, at: number): number {
  const value = text.charCodeAt(at) - digit;
  return value >= 0 && value <= 9 ? value : NaN;
}
