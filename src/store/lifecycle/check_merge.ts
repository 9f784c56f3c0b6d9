// Whether git may version the store, is told how to merge it, and what its merges left.

import { ownPools } from "../../core/entry.ts";
import { hasConflict } from "../../core/lines/conflict_marks.ts";
import { countConflicts } from "../../disk/conflicts.ts";
import { findGitGaps, mayVersion } from "../../disk/git_files.ts";
import { readText } from "../../disk/text_files.ts";
import type { Store } from "../store.ts";
import { type Check, check } from "./inspect.ts";
import { mergedLogs } from "./mend_merge.ts";
import { isMerged } from "../summary.ts";

/** The checks of a store that may be in git. */
export function checkMerge(store: Store): Check[] {
  return [checkConflicts(store), checkRules(store)];
}

/** Where git could not merge it left both sides between marks; readers take both. */
function checkConflicts({ files, layout }: Store): Check {
  const logs = [...ownPools.map((pool) => layout.history[pool]), ...mergedLogs(layout)]
    .filter((path) => countConflicts(files, path) > 0);
  const texts = [layout.pins, layout.config].filter((path) => hasConflict(readText(files, path)));
  const summary = isMerged(readText(files, layout.summary)) ? [layout.summary] : [];
  const marked = [...logs, ...texts, ...summary];
  if (marked.length === 0) return check("merge", "ok", "no merge conflict markers");
  const names = marked.map((path) => path.slice(layout.root.length + 1)).join(", ");
  const isConfig = marked.includes(layout.config);
  const yours = isConfig ? "; in config.jsonc, choose a side where they differ" : "";
  const detail = `git left a merge conflict in ${names}: --fix keeps both sides${yours}`;
  return check("merge", "failed", detail, undefined, !isConfig || marked.length > 1);
}

function checkRules({ files, layout }: Store): Check {
  if (files.findSize(layout.gitignore) === undefined) {
    return check("git", "warning", "no .gitignore: git could commit the store", undefined, true);
  }
  if (!mayVersion(files, layout)) return check("git", "ok", "the store has its own .gitignore");
  const gaps = findGitGaps(files, layout);
  if (gaps.length === 0) {
    return check("git", "ok", "the store is set up to be committed, and git can merge its logs");
  }
  const lacking = `${gaps.join(" and ")} ${gaps.length === 1 ? "lacks" : "lack"} rules for that`;
  const detail = `the store is set up to be committed, but ${lacking}: merges would conflict`;
  return check("git", "warning", detail, undefined, true);
}
