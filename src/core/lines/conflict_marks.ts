// What git leaves in a file that it could not merge: `<<<<<<<`, the one side, with diff3 `|||||||` and
// what both had before, `=======`, the other side, `>>>>>>>`. Pure.

export function isConflictMark(line: string): boolean {
  return markForm.test(line);
}

const markForm = /^(?:<{7}|\|{7}|={7}|>{7})(?: [^\n]*|\r)?$/;

/** The marks as bytes of a line's beginning. */
export const markNeedles = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

/** Where a line belongs: outside a conflict, to a side, to what both had before, or it is a mark. */
export type ConflictPart = "both" | "ours" | "base" | "theirs" | "mark";

/** Says of each line where it belongs. A conflict without its end is none: its lines are as any others. */
export function sortConflicts(lines: readonly string[]): ConflictPart[] {
  const parts: ConflictPart[] = lines.map(() => "both");
  let begun: number | undefined;
  let read: ConflictPart[] = [];
  let side: ConflictPart = "both";
  for (const [i, line] of lines.entries()) {
    const mark = isConflictMark(line) ? line[0] : "";
    if (mark === "<") [begun, read] = [i, []];
    if (begun === undefined) continue;
    const next = nextSide(side, mark);
    read.push(next === undefined ? side : "mark");
    side = next ?? side;
    if (side !== "both") continue;
    parts.splice(begun, read.length, ...read);
    begun = undefined;
  }
  return parts;
}

/** What comes after a mark, or undefined when it is none there. */
function nextSide(side: ConflictPart, mark: string): ConflictPart | undefined {
  if (mark === "<") return "ours";
  if (mark === "|" && side === "ours") return "base";
  if (mark === "=" && (side === "ours" || side === "base")) return "theirs";
  return mark === ">" && side === "theirs" ? "both" : undefined;
}

export function hasConflict(text: string): boolean {
  return text.includes("<<<<<<<") && sortConflicts(text.split("\n")).includes("mark");
}

/** The text with both sides of each conflict, one after the other, and without its marks. */
export function joinSides(text: string): string {
  return pick(text, ["both", "ours", "theirs"]);
}

export function splitSides(text: string): [ours: string, theirs: string] {
  return [pick(text, ["both", "ours"]), pick(text, ["both", "theirs"])];
}

function pick(text: string, wanted: readonly ConflictPart[]): string {
  if (!text.includes("<<<<<<<")) return text;
  const lines = text.split("\n");
  const parts = sortConflicts(lines);
  return lines.filter((_, i) => wanted.includes(parts[i])).join("\n");
}
