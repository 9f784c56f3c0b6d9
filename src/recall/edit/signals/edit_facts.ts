// What an edit is about to change, as far as names tell: the symbols it stands in, the names it adds
// or takes away, and the files it imports. Pure; lines count from 1.

import type { FileFacts, SymbolFact } from "../graph/file_facts.ts";
import { directoryOf, joinPath } from "../graph/resolve_imports.ts";

/** Lines that are replaced by others. */
export interface EditHunk {
  /** Where the removed lines start; for an insertion, the line before it. */
  line: number;
  removed: string[];
  added: string[];
}

/** An edit in names. */
export interface EditFacts {
  /** Names that are there more or less often after the edit than before. */
  changed: ReadonlySet<string>;
  /** All names in the lines that it takes away or adds, those that change first. */
  touched: ReadonlySet<string>;
  /** The symbols of the file that it changes. */
  symbols: SymbolFact[];
  /** Files that the import lines in it name, as they could be called. */
  imports: string[];
}

const identifier = /[A-Za-z_$][\w$]{2,}/g;
const quotedPath = /["'](\.{1,2}\/[^"'\s]+)["']/g;
/** More hunks of an edit, and more symbols of a hunk, are not looked at. */
export const maxHunks = 60;
const maxTouched = 500;

/** Reads an edit of a file. */
export function readEdit(
  hunks: readonly EditHunk[],
  { path, facts }: { path: string; facts?: FileFacts },
): EditFacts {
  const some = hunks.slice(0, maxHunks);
  const removed = some.flatMap((hunk) => hunk.removed).join("\n");
  const added = some.flatMap((hunk) => hunk.added).join("\n");
  const before = countNames(removed);
  const after = countNames(added);
  const names = [...before.keys(), ...after.keys()];
  const changed = new Set(names.filter((name) => before.get(name) !== after.get(name)));
  const symbols = facts === undefined ? [] : some.flatMap((hunk) => symbolsIn(facts, hunk));
  const imports = [...`${removed}\n${added}`.matchAll(quotedPath)].flatMap(([, spec]) =>
    joinPath(directoryOf(path), spec) ?? []
  );
  return {
    changed,
    touched: new Set([...changed, ...names]),
    symbols: [...new Set(symbols)],
    imports: [...new Set(imports)],
  };
}

/** Whether an edit only moves things about: the same signs in the same order, blanks aside. */
export function isFormatting(hunks: readonly EditHunk[]): boolean {
  const bare = (lines: string[]): string => lines.join("").replace(/[\s,;]+/g, "");
  return hunks.length > 0 &&
    hunks.every(({ removed, added }) => bare(removed) === bare(added));
}

/** The innermost symbols that the lines of a hunk stand in. */
function symbolsIn(facts: FileFacts, hunk: EditHunk): SymbolFact[] {
  const last = hunk.line + Math.max(0, hunk.removed.length - 1);
  const touched = facts.symbols
    .filter((symbol) => symbol.line <= last && hunk.line <= symbol.end).slice(0, maxTouched);
  return touched.filter((symbol) =>
    !touched.some((inner) =>
      inner !== symbol && inner.line >= symbol.line && inner.end <= symbol.end &&
      inner.line <= hunk.line && inner.end >= last
    )
  );
}

function countNames(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name] of text.matchAll(identifier)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
