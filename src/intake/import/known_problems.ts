// Which conversations could not be read before and are as they were: `index/import.problems.json`, by
// source, as fingerprints. A file that stays broken is named by every import, but fails only the first
// that meets it and those that ask for its source by name. What stands for all of an agent's history,
// its directory or its database, is never known: as long as it cannot be read, every import fails.

import { findInfo } from "../../disk/outside_files.ts";
import { hashHex } from "../../core/hash.ts";
import { findJson, isObject } from "../../core/json.ts";
import { decodeLossy, encodeExact } from "../../core/utf8.ts";
import type { Problem } from "../sources/problem_tally.ts";
import type { Store } from "../../store/store.ts";
import type { Receipt } from "./receipt.ts";

/**
 * Says of each receipt how many of its problems were met before. With `keeps` they are known from now on,
 * and those that are gone are no longer.
 */
export function settleProblems(
  store: Pick<Store, "files" | "layout">,
  receipts: readonly Receipt[],
  { keeps }: { keeps: boolean },
): Receipt[] {
  const path = `${store.layout.index}/import.problems.json`;
  const kept = readKept(store, path);
  const next = new Map(kept);
  const settled = receipts.map((receipt) => {
    const marks = receipt.problems.filter((problem) => isOneConversation(problem, receipt))
      .map(markOf);
    const known = new Set(kept.get(receipt.source));
    if (marks.length > 0) next.set(receipt.source, marks);
    else next.delete(receipt.source);
    return { ...receipt, problems_known: marks.filter((mark) => known.has(mark)).length };
  });
  const text = toText(next);
  if (keeps && text !== toText(kept)) {
    store.files.makeDirectory(store.layout.index);
    store.files.replace(path, encodeExact(text), { sync: false });
  }
  return settled;
}

function readKept({ files }: Pick<Store, "files">, path: string): Map<string, string[]> {
  const bytes = files.findBytes(path);
  const value = bytes && findJson(decodeLossy(bytes));
  if (!isObject(value)) return new Map();
  return new Map(
    Object.entries(value).map(([source, marks]) => [
      source,
      Array.isArray(marks) ? marks.filter((mark) => typeof mark === "string") : [],
    ]),
  );
}

function toText(kept: ReadonlyMap<string, string[]>): string {
  return `${JSON.stringify(Object.fromEntries([...kept].sort()))}\n`;
}

function isOneConversation({ path }: Problem, { roots }: Receipt): boolean {
  return !roots.includes(path) && !/\.(?:db|sqlite3?|vscdb)$/.test(path) &&
    findInfo(path)?.isFile === true;
}

/** Changes with the file, and with what is wrong with it. */
function markOf({ path, reason }: Problem): string {
  const info = findInfo(path);
  return hashHex([path, reason, info?.size, info?.mtime?.getTime()].join("\0"));
}
