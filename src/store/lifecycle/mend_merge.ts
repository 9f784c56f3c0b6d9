// Mends what merges leave: marks of conflicts, events that are there twice, a summary of two parts,
// rules for git that are missing. Both sides stay; what is taken out of a log is put aside.

import { digestArchive } from "./digest.ts";
import { ownPools } from "../../core/entry.ts";
import { decodeLossy } from "../../core/utf8.ts";
import { findBase, isMarkLine, isVersioned } from "../../disk/conflicts.ts";
import { mayVersion, unversionStore, versionStore } from "../../disk/git_files.ts";
import type { Layout } from "../../disk/layout.ts";
import { readText, replaceText } from "../../disk/text_files.ts";
import { mendPins, parsePins } from "../logs/pins.ts";
import { rewriteFile } from "../rewrite.ts";
import type { Writer } from "../writer.ts";
import { isMerged } from "../summary.ts";
import { writeSummary } from "../write_summary.ts";

/** The logs beside history that git may merge. */
export function mergedLogs({ sessions, collections, quarantine }: Layout): string[] {
  return [sessions, collections, quarantine];
}

/** Takes marks and repeats out of the logs; before their rows are judged. Returns what was done. */
export function mendMergedLogs(writer: Writer): string[] {
  const { layout } = writer;
  const logs = [...ownPools.map((pool) => layout.history[pool]), ...mergedLogs(layout)];
  return logs.flatMap((path) => {
    const dropped = dropMarks(writer, path);
    const name = path.slice(layout.root.length + 1);
    return dropped === 0 ? [] : [`${dropped} merge conflict lines were removed from ${name}`];
  });
}

/** Marks, what both sides had before, and events that are there twice: rows are told by their ids. */
function dropMarks(writer: Writer, path: string): number {
  const { files, layout } = writer;
  const isBase = findBase(files, path);
  const isEvents = mergedLogs(layout).includes(path) && isVersioned(files, layout);
  const seen = new Set<string>();
  return rewriteFile(writer, path, ({ bytes, offset }) => {
    if (isMarkLine(bytes) || isBase(offset)) {
      const file = path.slice(layout.root.length + 1);
      const reason = isMarkLine(bytes) ? "conflict_mark" : "conflict_base";
      // The quarantine holds its own: it cannot be appended to while it is rewritten.
      if (path === layout.quarantine) return reason === "conflict_mark" ? "drop" : "keep";
      writer.quarantine(bytes, { file, offset, reason });
      return "drop";
    }
    if (!isEvents) return "keep";
    const line = decodeLossy(bytes);
    if (seen.has(line)) return "drop";
    seen.add(line);
    return "keep";
  });
}

/** Joins the sides of the files for people; returns what was done. */
export function mendMergedTexts(writer: Writer): string[] {
  const { files, layout } = writer;
  const done: string[] = [];
  const pins = readText(files, layout.pins);
  if (mendPins(pins) !== pins) {
    replaceText(files, layout.pins, mendPins(pins));
    done.push(`pins.md now has the ${parsePins(pins).length} pins of both sides`);
  }
  const summary = readText(files, layout.summary);
  if (isMerged(summary)) {
    const bytes = new TextEncoder().encode(summary);
    writer.quarantine(bytes, { file: "summary.md", offset: 0, reason: "merged_summary" });
    writeSummary(writer, digestArchive(writer));
    done.push("summary.md was rebuilt");
  }
  return done;
}

/** Writes the rules for git that are missing; returns what was done. */
export function mendGitRules({ files, layout }: Writer): string[] {
  if (mayVersion(files, layout)) {
    const names = versionStore(files, layout);
    return names.length === 0 ? [] : [`${names.join(", ")} were set up for merges`];
  }
  if (files.findSize(layout.gitignore) !== undefined) return [];
  unversionStore(files, layout);
  return ["a .gitignore was written"];
}
