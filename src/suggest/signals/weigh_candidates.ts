// With an edit at hand, candidates are weighed against each other: how alike each is in words to the
// edit and to the file, what it is, where it stands, and how it compares to the best of the others.
// All of it becomes evidence that adds up as log odds; calibration.ts has the weights. What is one
// file, whether as code or as a change, is weighed once. Decisions and warnings keep their own rules.

import { editedBase, type EditedKind, editedOf } from "./calibration.ts";
import { classOf, type PathClass, sharedPathWords } from "./path_class.ts";
import { directoryOf } from "../graph/resolve_imports.ts";
import type { Candidate, Evidence, Sources, Subject } from "./suggestion.ts";
import { WordLikeness } from "../words/word_likeness.ts";
import type { WordTable } from "../words/word_table.ts";

/** One file, commit or section with everything that leads to it. */
interface Group {
  path?: string;
  isDoc: boolean;
  evidence: Map<string, { strength: number; note: string }>;
  likeEdit: number;
  likeFile: number;
}

/** Signals that are also compared to the strongest of their kind. */
const compared = ["edit_words", "edit_names", "co_changed", "edit_uses"] as const;

/** Texts are mostly less than a third alike. */
const likeScale = 3;

const nameOfClass: Record<PathClass, string> = {
  test: "a test",
  document: "a document",
  tool: "a bench, example or script",
  code: "code",
  data: "data or configuration",
};

/** Weighs candidates for an edit; without one they stay as they are. */
export function weighCandidates(
  candidates: Candidate[],
  subject: Subject,
  { words }: Sources,
): Candidate[] {
  const { path, edit } = subject;
  if (edit === undefined || path === undefined) return candidates;
  const groups = new Map<string, Group>();
  for (const item of candidates) if (isWeighed(item)) addTo(groups, item);
  if (words !== undefined) compareWords(groups, candidates, { path, edit: edit.terms, words });
  const all = [...groups.values()];
  const best = {
    likeEdit: Math.max(0, ...all.map((group) => group.likeEdit)),
    likeFile: Math.max(0, ...all.map((group) => group.likeFile)),
    of: new Map(compared.map((kind) => [
      kind,
      Math.max(0, ...all.map((group) => group.evidence.get(kind)?.strength ?? 0)),
    ])),
    count: all.length,
  };
  const weighed = new Map(
    [...groups].map(([key, group]) => [key, weigh(group, { path, best })]),
  );
  return candidates.map(({ terms: _, ...item }) =>
    isWeighed(item) ? { ...item, evidence: weighed.get(keyOf(item))!, base: editedBase } : item
  );
}

function isWeighed({ type }: Candidate): boolean {
  return type === "related_code" || type === "change" || type === "doc";
}

function keyOf({ path, entity_id }: Candidate): string {
  return path ?? entity_id;
}

function addTo(groups: Map<string, Group>, item: Candidate): void {
  const group: Group = groups.get(keyOf(item)) ?? {
    path: item.path,
    isDoc: item.type === "doc",
    evidence: new Map(),
    likeEdit: 0,
    likeFile: 0,
  };
  for (const { kind, p, strength = p, note } of item.evidence) {
    const known = group.evidence.get(kind)?.strength ?? 0;
    if (strength > known) group.evidence.set(kind, { strength, note });
  }
  groups.set(keyOf(item), group);
}

function compareWords(
  groups: Map<string, Group>,
  candidates: Candidate[],
  { path, edit, words }: { path: string; edit: ReadonlyMap<string, number>; words: WordTable },
): void {
  const toEdit = new WordLikeness(words, edit);
  const id = words.findId(path);
  const profile = id === undefined ? undefined : words.profileOf(id);
  // A file that is new is what the edit says.
  const toFile = profile === undefined || profile.norm === 0
    ? toEdit
    : new WordLikeness(words, Object.entries(profile.telling), profile.norm);
  for (const item of candidates) {
    const group = groups.get(keyOf(item));
    if (group === undefined || group.likeEdit + group.likeFile > 0) continue;
    if (item.path !== undefined) {
      const known = {};
      group.likeEdit = toEdit.toFile(item.path, known);
      group.likeFile = toFile.toFile(item.path, known);
    } else if (item.terms !== undefined) {
      const terms = Object.entries(item.terms);
      group.likeEdit = toEdit.toText(terms);
      group.likeFile = toFile.toText(terms);
    }
  }
}

interface Best {
  likeEdit: number;
  likeFile: number;
  of: Map<typeof compared[number], number>;
  count: number;
}

/** All evidence of one group. */
function weigh(group: Group, { path, best }: { path: string; best: Best }): Evidence[] {
  const found: Evidence[] = [];
  const add = (kind: EditedKind, strength: number, note: string): void => {
    if (strength > 0) found.push(editedOf(kind, strength, note));
  };
  for (const [kind, { strength, note }] of group.evidence) {
    add(kind as EditedKind, strength, note);
  }
  const { likeEdit, likeFile } = group;
  const ofEdit = `${percent(likeEdit)} alike in words with the edit`;
  const ofFile = `${percent(likeFile)} alike in words with the file`;
  add("like_edit", likeScale * likeEdit, ofEdit);
  add("like_file", likeScale * likeFile, ofFile);
  const nearEdit = best.likeEdit === 0 ? 0 : likeEdit / best.likeEdit;
  const nearFile = best.likeFile === 0 ? 0 : likeFile / best.likeFile;
  add("nearest_edit", nearEdit, `${nearness(nearEdit)} in words to the edit`);
  add("nearest_file", nearFile, `${nearness(nearFile)} in words to the file`);
  for (const [kind, most] of best.of) {
    const share = most === 0 ? 0 : (group.evidence.get(kind)?.strength ?? 0) / most;
    add(`most_${kind}`, share, `${percent(share)} of the strongest ${kind.replace("_", " ")}`);
  }
  add("crowd", Math.log(1 + best.count), `one of ${best.count} that something leads to`);
  add("signals", group.evidence.size, `signals that lead to it: ${group.evidence.size}`);
  const own = classOf(path);
  add(`for_${own}`, 1, `this file is ${nameOfClass[own]}`);
  if (!path.includes("/")) add("for_root", 1, "this file is at the root");
  if (group.path === undefined) {
    const kind = group.isDoc ? "section" : "commit";
    add(`is_${kind}`, 1, kind === "section" ? "a section of a document" : "an earlier commit");
    // A short text is alike in another measure than a file.
    add(`${kind}_like_edit`, likeScale * likeEdit, ofEdit);
    add(`${kind}_like_file`, likeScale * likeFile, ofFile);
    return found;
  }
  const kind = classOf(group.path);
  add(`is_${kind}`, 1, nameOfClass[kind]);
  if (kind === own) add("same_class", 1, `${nameOfClass[kind]}, as this file is`);
  if (directoryOf(group.path) === directoryOf(path)) add("same_directory", 1, "same directory");
  add("path_words", sharedPathWords(group.path, path), "its path has words of this file's path");
  return found;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function nearness(share: number): string {
  return share === 1 ? "closest" : `${percent(share)} as close as the closest`;
}
