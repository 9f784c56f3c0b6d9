// Regular expressions that cannot hang: JavaScript's syntax, matched by RE2 in time linear in the
// text. Backreferences and lookarounds are refused: they are what makes matching slow. Answers only
// whether a text contains a match. Pure.

import { RE2JS } from "re2js";
import { CtxError } from "./errors.ts";

export interface Pattern {
  test(text: string): boolean;
  /** How large it is when compiled: matching takes that times the length of the text. */
  programSize(): number;
}

/** Compiles a pattern; throws USAGE when it is not one, too large, or needs what is refused. */
export function compilePattern(source: string, options: { ignoreCase?: boolean } = {}): Pattern {
  refuseInvalid(source);
  try {
    const flags = options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    return RE2JS.compile(toRe2(source), flags);
  } catch (error) {
    const reason = error instanceof Error
      ? error.message.replace(/^error parsing regexp: /, "")
      : "";
    throw new CtxError("USAGE", `Cannot use the pattern "${source}": ${reason || "refused"}`, {
      hint: "leave out lookarounds, backreferences and very large counts",
    });
  }
}

/** JavaScript itself says what is wrong with a pattern, without running it. */
function refuseInvalid(source: string): void {
  try {
    new RegExp(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, "") : "invalid";
    throw new CtxError("USAGE", `Cannot use the pattern "${source}": ${reason}`, {
      hint: "escape special characters with a backslash",
    });
  }
}

/** What JavaScript calls blank; RE2's `\s` knows ASCII only. */
const blanks = "\\t-\\r\\x{feff}\\pZ";

/** The same pattern in RE2's syntax: `.` stops at every line end, `\s` is any blank. */
function toRe2(source: string): string {
  let inSet = false;
  return RE2JS.translateRegExp(source).replace(/\\.|[[\].]/gs, (part) => {
    if (part === "\\s") return inSet ? blanks : `[${blanks}]`;
    if (part === "\\S" && !inSet) return `[^${blanks}]`;
    if (part === "\\b" && inSet) return "\\x08";
    if (part === "." && !inSet) return "[^\\n\\r\\x{2028}\\x{2029}]";
    if (part === "[") inSet = true;
    if (part === "]") inSet = false;
    return part;
  });
}
