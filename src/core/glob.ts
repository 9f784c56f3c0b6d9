// Globs over paths and names: `*` and `?` within a part, `**` across parts, `{a,b}`, nested too.
// Matched by RE2 in time linear in the text, whatever the pattern: patterns come with a clone. Import
// it where a glob is met, not at the top: the engine takes 3 ms to load. Pure.

import { RE2JS } from "re2js";
import { CtxError } from "./errors.ts";

const maxChars = 1000;
const maxNesting = 8;

/** The glob as a test of whole texts; throws USAGE when it is larger than anybody writes. */
export function makeGlob(glob: string): (text: string) => boolean {
  if (glob.length > maxChars) throw refuse(glob, `it is longer than ${maxChars} characters`);
  const pattern = RE2JS.compile(toSource(glob), RE2JS.DOTALL);
  return (text) => pattern.testExact(text);
}

function toSource(glob: string): string {
  const closed = findClosed(glob);
  let source = "";
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    if (glob.startsWith("**/", i)) {
      source += "(?:.*/)?";
      i += 2;
    } else if (glob.startsWith("**", i)) {
      source += ".*";
      i += 1;
    } else if (glob[i] === "*") source += "[^/]*";
    else if (glob[i] === "?") source += "[^/]";
    else if (closed.has(i)) {
      if (++depth > maxNesting) {
        throw refuse(glob, `its braces are nested more than ${maxNesting} deep`);
      }
      source += "(?:";
    } else if (glob[i] === "}" && depth > 0) {
      depth--;
      source += ")";
    } else if (glob[i] === "," && depth > 0) source += "|";
    else source += glob[i].replace(/[\\^$.|+()[\]{}]/, "\\$&");
  }
  return source;
}

/** Where the braces open that are closed again; others are plain characters. */
function findClosed(glob: string): Set<number> {
  const open: number[] = [];
  const closed = new Set<number>();
  for (let i = 0; i < glob.length; i++) {
    if (glob[i] === "{") open.push(i);
    const last = glob[i] === "}" ? open.pop() : undefined;
    if (last !== undefined) closed.add(last);
  }
  return closed;
}

function refuse(glob: string, why: string): CtxError {
  const shown = glob.length > 60 ? `${glob.slice(0, 60)}…` : glob;
  return new CtxError("USAGE", `Cannot use the pattern "${shown}": ${why}`, {
    hint: "write several shorter patterns",
  });
}
