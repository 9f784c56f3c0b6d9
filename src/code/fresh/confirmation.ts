// A confirmation: somebody said that an entry still holds, though its code changed. It is a row of its
// own, which names the entry and keeps what of its code was there on that day, as hashes of lines:
// what changed before is no longer told, what changes after is.

import { confirmType, type Entry } from "../../core/entry.ts";
import { hash64 } from "../../core/hash.ts";
import { isObject } from "../../core/json.ts";
import { confirmTerm } from "../../index/segment/keyword.ts";
import { forEachRow } from "../../index/segment/postings.ts";
import type { CodeRows } from "./entry_edits.ts";
import type { FileLines } from "./file_lines.ts";
import type { GroundPart } from "./ground.ts";
import type { FileState, Verdict } from "./judge_freshness.ts";
import { withoutBlanks } from "./normal_line.ts";

/** What is left of a ground in one file: the hashes of its lines. */
export interface ConfirmedPart {
  path: string;
  lines: string[];
}

export interface Confirmation {
  id: string;
  ts: string;
  ground: ConfirmedPart[];
}

const maxLines = 400;

/** The ground of today: lines that are there, and those that took the place of others. */
export function confirmedGround(
  ground: readonly GroundPart[],
  fileOf: (path: string) => FileState,
): ConfirmedPart[] {
  let room = maxLines;
  return ground.flatMap(({ path, added }) => {
    const file = fileOf(path);
    if (file === undefined || typeof file === "string") return [];
    const today = added.map((line) =>
      file.countWhole(line) > 0 ? line : file.words.findLike(line)?.line
    );
    const lines = [...new Set(today.flatMap((line) => line === undefined ? [] : hashOf(line)))]
      .slice(0, room);
    room -= lines.length;
    return lines.length === 0 ? [] : [{ path, lines }];
  });
}

/** Reads a row as a confirmation; undefined when it is none. */
export function parseConfirmation(entry: Entry): (Confirmation & { of: string }) | undefined {
  const of = entry.refs?.[0];
  if (entry.type !== confirmType || of === undefined) return undefined;
  const parts = Array.isArray(entry.ground) ? entry.ground : [];
  const ground = parts.flatMap((part): ConfirmedPart[] => {
    if (!isObject(part) || typeof part.path !== "string" || !Array.isArray(part.lines)) return [];
    return [{ path: part.path, lines: part.lines.filter((line) => typeof line === "string") }];
  });
  return { id: entry.id, ts: entry.ts, ground, of };
}

/** The last confirmation of each entry that has one. */
export function readConfirmations({ corpus, readEntry }: CodeRows): Map<string, Confirmation> {
  const found = new Map<string, Confirmation>();
  corpus.segments.forEach((segment, i) => {
    const postings = segment.findPostings(confirmTerm);
    if (postings === undefined) return;
    forEachRow(postings.bytes, (row) => {
      if (corpus.liveness.dead[i]?.has(row)) return;
      const confirmation = parseConfirmation(readEntry(corpus.bases[i] + row));
      const before = confirmation && found.get(confirmation.of);
      if (confirmation && (before === undefined || before.ts <= confirmation.ts)) {
        found.set(confirmation.of, confirmation);
      }
    });
  });
  return found;
}

/** Compares what was confirmed with the files of today; nothing left to compare is as it was. */
export function judgeConfirmed(
  ground: readonly ConfirmedPart[],
  fileOf: (path: string) => FileState,
): Verdict {
  const lost: Verdict["lost"] = [];
  let of = 0;
  let because: string | undefined;
  for (const { path, lines } of ground) {
    const file = fileOf(path);
    if (typeof file === "string") {
      because ??= file;
      continue;
    }
    const there = new Set(file === undefined ? [] : hashesOf(file));
    of += lines.length;
    lost.push(...lines.filter((line) => !there.has(line)).map((line) => ({ path, line })));
  }
  if (lost.length <= of * (1 - fresh)) {
    return { name: because === undefined ? "fresh" : "unknown", because, of, lost };
  }
  return { name: lost.length === of && because === undefined ? "gone" : "drifted", of, lost };
}

const fresh = 0.9;

/** The hash of a line in its normal form. */
export function hashOf(line: string): string {
  return hash64(withoutBlanks(line)).map((word) => (word >>> 0).toString(36)).join("-");
}

const known = new WeakMap<FileLines, string[]>();

function hashesOf(file: FileLines): string[] {
  let hashes = known.get(file);
  if (hashes === undefined) known.set(file, hashes = [...file.lines()].map(hashOf));
  return hashes;
}
