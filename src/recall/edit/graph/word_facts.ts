// What a file says in words: the names in its text, the files it names, the words of its own name.
// Pure. Data and generated files have a name but no words: what they hold is about nothing.

import { redactText } from "../../../core/redact/redact.ts";
import { countTerms, mostFrequent } from "./count_terms.ts";

/** The words of a file. */
export interface FileWords {
  /** The terms of its text, each once, with blanks between them. */
  terms: string;
  /** Files that it names other than in imports, as they are written there. */
  files: string[];
}

/** The words of a file that has none. */
export const noWords: FileWords = { terms: "", files: [] };
/** Larger files are data. */
export const maxWordedBytes = 256 << 10;
const maxFiles = 200;
/** Terms of a file that are kept, the most frequent ones. */
const maxTerms = 2000;
const identifier = /[A-Za-z_$][\w$]+/g;
/** What may be a path is cut out first: looking for one in every place of a long run takes for ever. */
const pathChars = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (/[\w@.\/-]/.test(String.fromCharCode(code))) pathChars[code] = 1;
}
const maxPathChars = 200;
const fileLike = /^(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z0-9]{1,6}$/;
const importLine =
  /^(?:import|export)\b[^;]{0,2000}?from\s+["'][^"'\n]+["'];?$|import\(\s*["'][^"'\n]+["']/gm;

/** Reads the words of a text. They are kept and shown, so secrets go first. */
export function readWords(given: string): FileWords {
  const text = redactText(given).value;
  const terms = mostFrequent(countTerms(text), maxTerms);
  return { terms: terms.join(" "), files: filesIn(text) };
}

/** The names in a text, each once. */
export function namesIn(text: string): Set<string> {
  return new Set(text.match(identifier) ?? []);
}

/** The files that a text names other than in imports, without leading dots. */
export function filesIn(text: string): string[] {
  const found = new Set<string>();
  const rest = text.replace(importLine, "");
  // Only where there is a dot can there be a file: most runs are plain names.
  for (let dot = rest.indexOf("."); dot >= 0;) {
    let from = dot;
    while (from > 0 && isOfPath(rest, from - 1)) from--;
    let to = dot + 1;
    while (to < rest.length && isOfPath(rest, to)) to++;
    if (to - from <= maxPathChars) {
      const path = rest.slice(from, to).replace(/[.\/-]+$/, "");
      if (fileLike.test(path)) found.add(path.replace(/^(?:\.{1,2}\/)+/, ""));
    }
    dot = rest.indexOf(".", to);
  }
  return [...found].slice(0, maxFiles);
}

function isOfPath(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && pathChars[code] === 1;
}

/** Names that say which part of a project a file is, not what it is about. */
const genericNames: ReadonlySet<string> = new Set(
  "mod index main types type common utils util helpers helper support shared lib core base app test tests spec config setup init constants readme"
    .split(" "),
);

/** The words of a file's name that say what it is about, without test marks. */
export function stemWords(path: string): string[] {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/^\.+/, "").replace(/\.\w+$/, "");
  return [...partsOf([stem])].filter((word) => !genericNames.has(word));
}

/** The words of names in lower case: `readManifest` gives read and manifest. */
export function partsOf(names: Iterable<string>): Set<string> {
  const parts = new Set<string>();
  for (const name of names) {
    for (const part of name.split(/[^A-Za-z0-9\u0080-\uffff]+|(?<=[a-z0-9])(?=[A-Z])/)) {
      if (part.length > 1) parts.add(part.toLowerCase());
    }
  }
  return parts;
}
