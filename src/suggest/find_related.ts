// The related-code and change signals: files tied to the one at hand by calls, imports, tests and
// shared history. One set of ties feeds both, so that they cannot disagree.

import { hashHex } from "../core/hash.ts";
import { toLine } from "../core/text.ts";
import { ageOf } from "../core/time.ts";
import {
  coChangeProbability,
  combine,
  crowdFactor,
  evidenceWeights,
  importerFactor,
  ownHistoryProbability,
} from "./calibration.ts";
import { type CodeGraph, nameOf } from "./code_graph.ts";
import { findCallees, findCallers, importersThroughBarrels } from "./code_relations.ts";
import { addEdited } from "./edit_ties.ts";
import { type FileFacts, symbolEntity } from "./file_facts.ts";
import type { CommitFacts } from "./git_history.ts";
import { findLanguage } from "./languages.ts";
import { addNamesakes } from "./namesake_ties.ts";
import type { Candidate, Evidence, Sources, Subject } from "./suggestion.ts";
import { isTest, isTestOf, stemOf } from "./test_pair.ts";
import type { AddTie, Tie } from "./tie.ts";

const dayMs = 86_400_000;
const maxCommitFiles = 30;
const maxOwnChanges = 4;

/** The files tied to the subject; files at hand already are left out. */
export function findTies(subject: Subject, sources: Sources): Tie[] {
  const ties = new Map<string, Tie>();
  const add = (tie: Omit<Tie, "evidence">, evidence: Evidence): void => {
    const known = ties.get(tie.path);
    if (known === undefined) ties.set(tie.path, { ...tie, evidence: [evidence] });
    else if (!known.evidence.some((item) => item.kind === evidence.kind)) {
      known.evidence.push(evidence);
    }
  };
  if (sources.graph !== undefined && subject.facts !== undefined) {
    addCode(subject, sources.graph, add);
  }
  if (sources.graph !== undefined) {
    addNamesakes(subject, sources.graph, add);
    addEdited(subject, sources.graph, add);
  }
  addHistory(subject, sources, add);
  for (const path of [subject.path, ...subject.recent]) if (path) ties.delete(path);
  addRecent(subject, sources, ties);
  return [...ties.values()];
}

/** Callers, callees, importers and files that change together. */
export function toRelatedCode(ties: Tie[], subject: Subject): Candidate[] {
  return ties.map(({ path, line, symbol, role, evidence }) => ({
    type: "related_code",
    title: `${role}: ${symbol === undefined ? path : `${symbol} in ${path}`}`,
    summary: evidence.map((item) => item.note).join("; "),
    entity_id: symbolEntity(path, symbol),
    evidence,
    fingerprint: hashHex(`${subject.path}#${subject.symbol ?? ""}:${path}`),
    action: line === undefined ? `read ${path}` : `read ${path}:${line}`,
    path,
  }));
}

/** Recent commits to tied files. */
export function toChanges(ties: Tie[], subject: Subject, { commits }: Sources): Candidate[] {
  if (commits === undefined) return [];
  const since = subject.now - subject.recentChangeDays * dayMs;
  return ties.flatMap(({ path, evidence }): Candidate[] => {
    const recent = commits.findByFile(path, 5).filter((commit) =>
      commit.ts >= since && commit.ts <= subject.now
    );
    const other = recent.filter((commit) => !commit.files.includes(subject.path ?? ""));
    const commit = other[0];
    if (commit === undefined || combine(evidence.map((item) => item.p)) < 0.3) return [];
    const age = ageOf(new Date(commit.ts).toISOString(), subject.now);
    return [{
      type: "change",
      title: `Recent change: ${path}`,
      summary: `${toLine(commit.subject, 120)} (${commit.oid.slice(0, 10)}, ${age})`,
      entity_id: `commit:${commit.oid.slice(0, 12)}:${path}`,
      evidence: [...evidence, {
        kind: "changed_recently",
        p: evidenceWeights.changed_recently,
        note: `it changed ${age} without this file`,
      }],
      fingerprint: commit.oid,
      action: `git show ${commit.oid.slice(0, 10)} -- ${path}`,
      path,
    }];
  });
}

/** What was done to the file itself: the newest commits that were about a few files. */
export function findOwnChanges(subject: Subject, { commits }: Sources): Candidate[] {
  if (commits === undefined || subject.path === undefined) return [];
  const own = commits.findByFile(subject.path, maxOwnChanges * 2)
    .filter((commit) => isFocused(commit) && commit.ts <= subject.now);
  return own.slice(0, maxOwnChanges).map((commit, i): Candidate => {
    const age = ageOf(new Date(commit.ts).toISOString(), subject.now);
    const id = commit.oid.slice(0, 10);
    return {
      type: "change",
      title: `Changed before: ${toLine(commit.subject, 120)}`,
      summary: `${countFiles(commit)} (${id}, ${age})`,
      entity_id: `commit:${commit.oid.slice(0, 12)}`,
      evidence: [{
        kind: "own_history",
        p: ownHistoryProbability({ rank: i, files: commit.files.length }),
        note: `it changed this file ${age}`,
      }],
      fingerprint: commit.oid,
      action: `git show ${id}`,
    };
  });
}

function countFiles({ files }: CommitFacts): string {
  return files.length === 1 ? "this file alone" : `this file and ${files.length - 1} more`;
}

function addCode(subject: Subject, graph: CodeGraph, add: AddTie): void {
  const facts = subject.facts!;
  if (subject.focus !== undefined) addFocus(subject, graph, add);
  const importers = importersThroughBarrels(graph, facts.path);
  for (const importer of importers) {
    const test = isTestOf(importer.path, facts.path);
    const kind = test ? "test_of" : "imported_by";
    // Where the symbol or the edit is known, its callers say more than importers of the file.
    const known = subject.focus !== undefined || (subject.edit?.symbols.length ?? 0) > 0;
    const factor = test ? 1 : importerFactor(importers.length) * (known ? 0.4 : 1);
    const names = usedNames(importer, facts);
    const note = names.length > 0
      ? `${nameOf(importer.path)} uses ${names.slice(0, 3).join(", ")}`
      : `${nameOf(importer.path)} imports this file`;
    const p = evidenceWeights[kind] * factor;
    add({ path: importer.path, role: test ? "Test" : "Importer" }, { kind, p, note });
  }
  const linked = facts.links.filter((link) => !link.endsWith("/"));
  for (const path of linked) {
    const tested = isTestOf(facts.path, path);
    const p = tested
      ? evidenceWeights.test_of
      : evidenceWeights.imports * crowdFactor(linked.length) * (subject.focus ? 0.6 : 1);
    const note = tested ? `this file tests ${nameOf(path)}` : `this file imports ${nameOf(path)}`;
    const kind = tested ? "test_of" : "imports";
    add({ path, role: tested ? "Tested" : "Imported" }, { kind, p, note });
  }
}

function addFocus(subject: Subject, graph: CodeGraph, add: AddTie): void {
  const { facts, focus } = subject;
  const callers = findCallers(graph, facts!.path, focus!.name)
    .filter((item) => item.path !== facts!.path);
  const files = new Set(callers.map((item) => item.path)).size;
  for (const { path, line, symbol, name, tie } of callers) {
    const sure = tie === "unique_name" ? 0.7 : 1;
    const p = evidenceWeights.calls_focus * sure * (files > 8 ? 0.75 : 1);
    const note = `${symbol ?? nameOf(path)} uses ${name} (line ${line})`;
    add({ path, line, symbol, role: "Caller" }, { kind: "calls_focus", p, note });
  }
  for (const { path, line, symbol, name } of findCallees(graph, facts!, focus)) {
    const p = evidenceWeights.called_by_focus;
    const note = `${focus!.name} uses ${name}`;
    add({ path, line, symbol, role: "Callee" }, { kind: "called_by_focus", p, note });
  }
}

function addHistory(subject: Subject, { commits, graph }: Sources, add: AddTie): void {
  if (commits === undefined || subject.path === undefined) return;
  const own = commits.findByFile(subject.path).filter(isFocused);
  const together = new Map<string, number>();
  for (const commit of own) {
    const weight = commit.files.length <= 10 ? 1 : 0.5;
    for (const path of commit.files) together.set(path, (together.get(path) ?? 0) + weight);
  }
  for (const [path, count] of together) {
    if (path === subject.path) continue;
    // The history remembers sources that are gone; the graph knows those that are there.
    const gone = graph !== undefined && findLanguage(path) !== undefined &&
      graph.find(path) === undefined;
    if (gone) continue;
    const alike = stemOf(path) === stemOf(subject.path) && isTest(path) === isTest(subject.path);
    if (alike && subject.focus === undefined) {
      const p = evidenceWeights.same_stem;
      const note = "it has the same name and changed with this file";
      add({ path, role: "Namesake" }, { kind: "same_stem", p, note });
    }
    const p = coChangeProbability(count, own.length);
    if (p === 0) continue;
    const note = `changed together in ${Math.round(count)} of ${own.length} commits`;
    add({ path, role: "Changes together" }, { kind: "co_changed", p, note });
  }
}

/** A commit over half the project says nothing about pairs. */
function isFocused(commit: CommitFacts): boolean {
  return commit.large !== true && commit.files.length <= maxCommitFiles;
}

/** What is tied to another file at hand too gains a little. */
function addRecent(subject: Subject, { graph }: Sources, ties: Map<string, Tie>): void {
  if (graph === undefined) return;
  for (const recent of subject.recent) {
    const facts = graph.find(recent);
    for (const tie of ties.values()) {
      const tied = facts?.links.includes(tie.path) || graph.find(tie.path)?.links.includes(recent);
      if (!tied || tie.evidence.some((item) => item.kind === "near_recent")) continue;
      const note = `also tied to ${nameOf(recent)}`;
      tie.evidence.push({ kind: "near_recent", p: evidenceWeights.near_recent, note });
    }
  }
}

function usedNames(importer: FileFacts, facts: FileFacts): string[] {
  const defined = new Set(facts.symbols.map((symbol) => symbol.name));
  return [...new Set(importer.refs.map(([name]) => name))].filter((name) => defined.has(name));
}
