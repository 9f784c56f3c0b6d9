// With an edit at hand, candidates are weighed against each other: how alike each is in words to the
// edit, what it is, where it stands, and how it compares to the best of the others.
// All of it becomes evidence that adds up as log odds; calibration.ts has the weights. What is one
// file, whether as code or as a change, is weighed once. Decisions and warnings keep their own rules.

import { editedBase, type EditedKind, editedOf } from "./calibration.ts";
import { classOf, type PathClass, sharedPathWords } from "./path_class.ts";
import { directoryOf } from "../graph/resolve_imports.ts";
import type { Candidate, Evidence, Sources, Subject } from "./suggestion.ts";
import { EditLikeness } from "./edit_likeness.ts";

/** One file, commit or section with everything that leads to it. */
interface Group {
  path?: string;
  isDoc: boolean;
  evidence: Map<string, { strength: number; note: string }>;
  /** How alike it is to the edit: mostly less than a third. */
  like: number;
}

/** Signals that are also compared to the strongest of their kind. */
const compared = ["edit_words", "edit_names", "co_changed", "edit_uses"] as const;

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
  { graph }: Sources,
): Candidate[] {
  const { path, edit } = subject;
  if (edit === undefined || path === undefined) return candidates;
  const groups = new Map<string, Group>();
  const likeness = graph && new EditLikeness(graph, edit.terms);
  for (const item of candidates) if (isWeighed(item)) addTo(groups, item, likeness);
  const all = [...groups.values()];
  const best = {
    like: Math.max(0, ...all.map((group) => group.like)),
    of: new Map(compared.map((kind) => [
      kind,
      Math.max(0, ...all.map((group) => group.evidence.get(kind)?.strength ?? 0)),
    ])),
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

function keyOf({ path, entity_id, key = entity_id }: Candidate): string {
  return path ?? key;
}

function addTo(groups: Map<string, Group>, item: Candidate, likeness?: EditLikeness): void {
  const group: Group = groups.get(keyOf(item)) ?? {
    path: item.path,
    isDoc: item.type === "doc",
    evidence: new Map(),
    like: (item.path !== undefined
      ? likeness?.toFile(item.path)
      : likeness?.toText(item.terms ?? [])) ?? 0,
  };
  for (const { kind, p, strength = p, note } of item.evidence) {
    const known = group.evidence.get(kind)?.strength ?? 0;
    if (strength > known) group.evidence.set(kind, { strength, note });
  }
  groups.set(keyOf(item), group);
}

interface Best {
  like: number;
  of: Map<typeof compared[number], number>;
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
  const near = best.like === 0 ? 0 : group.like / best.like;
  add("nearest_edit", near, `${nearness(near)} in words to the edit`);
  for (const [kind, most] of best.of) {
    const share = most === 0 ? 0 : (group.evidence.get(kind)?.strength ?? 0) / most;
    add(`most_${kind}`, share, `${percent(share)} of the strongest ${kind.replace("_", " ")}`);
  }
  if (group.path === undefined) {
    const kind = group.isDoc ? "section" : "commit";
    add(`is_${kind}`, 1, kind === "section" ? "a section of a document" : "an earlier commit");
    const like = `${percent(group.like)} alike in words with the edit`;
    if (kind === "section") add("section_like_edit", 3 * group.like, like);
    return found;
  }
  const [kind, own] = [classOf(group.path), classOf(path)];
  if (kind !== "code") add(`is_${kind}`, 1, nameOfClass[kind]);
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
