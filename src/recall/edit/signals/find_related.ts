// The related-code and change signals: files tied to the one at hand by calls, imports, tests and
// shared history. One set of ties feeds both, so that they cannot disagree.

import { hashHex } from "../../../core/hash.ts";
import { toLine } from "../../../core/text.ts";
import { ageOf } from "../../../core/time/age_of.ts";
import {
  coChangeStrength,
  combine,
  crowdFactor,
  evidenceWeights,
  importerStrength,
  leadOf,
  ownHistoryProbability,
} from "./calibration.ts";
import { type CodeGraph, nameOf } from "../graph/code_graph.ts";
import { findCallees, findCallers, importersThroughBarrels } from "../graph/code_relations.ts";
import { addEdited } from "./edit_ties.ts";
import { type FileFacts, symbolEntity } from "../graph/file_facts.ts";
import type { CommitFacts } from "../../../code/git/git_history.ts";
import { findLanguage } from "../graph/languages.ts";
import { addNamesakes } from "./namesake_ties.ts";
import type { Candidate, Evidence, Sources, Subject } from "./suggestion.ts";
import { isTest, isTestOf, passingFactor, stemOf } from "../graph/paired_test.ts";
import type { AddTie, NewTie, Tie } from "./tie.ts";
import { isWorded } from "../../../code/git/is_worded.ts";
import { stemWords } from "../graph/word_facts.ts";
import { addWorded } from "./word_ties.ts";

const dayMs = 86_400_000;
const maxCommitFiles = 30;
const maxOwnChanges = 4;
const maxOwnCommits = 30;
/** How much less each older commit says. */
const agingFactor = 0.8;
/** So many commits say little about how often a file, or anything, changes. */
const fewCommits = 10;

/** The files tied to the subject; files at hand already are left out. */
export function findTies(subject: Subject, sources: Sources): Tie[] {
  const ties = new Map<string, Tie>();
  const add = ({ only, ...tie }: NewTie, evidence: Evidence): void => {
    const known = ties.get(tie.path);
    if (known === undefined) {
      if (only === undefined) ties.set(tie.path, { ...tie, evidence: [evidence] });
    } else if (!known.evidence.some((item) => item.kind === evidence.kind)) {
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
  if (sources.graph !== undefined) addWorded(subject, sources.graph, add);
  for (const path of [subject.path, ...subject.recent]) if (path) ties.delete(path);
  addRecent(subject, sources, ties);
  return [...ties.values()];
}

/** Callers, callees, importers and files that change together. */
export function toRelatedCode(ties: Tie[], subject: Subject): Candidate[] {
  return ties.map(({ path, line, symbol, owner, role, does, evidence }) => ({
    type: "related_code",
    title: `${role}: ${symbol === undefined ? path : `${within(owner, symbol)} in ${path}`}`,
    summary: does ?? evidence.map((item) => item.note).join("; "),
    entity_id: symbolEntity(path, symbol),
    evidence,
    fingerprint: hashHex(`${subject.path}#${subject.symbol ?? ""}:${path}`),
    action: line === undefined ? `read ${path}` : `read ${path}:${line}`,
    path,
  }));
}

/** A method is named with its class. */
function within(owner: string | undefined, symbol: string): string {
  return owner === undefined ? symbol : `${owner}.${symbol}`;
}

/** Recent commits to tied files. */
export function toChanges(ties: Tie[], subject: Subject, { commits }: Sources): Candidate[] {
  if (commits === undefined) return [];
  const since = subject.now - subject.recentChangeDays * dayMs;
  // Where all that is known changed in these days, that this did says nothing; a handful of commits
  // does not tell that.
  const rarity = 1 - commits.countSince(since) / (commits.count + fewCommits);
  return ties.flatMap(({ path, evidence }): Candidate[] => {
    const recent = commits.findByFile(path, 5).filter((commit) =>
      commit.ts >= since && commit.ts <= subject.now
    );
    const other = recent.filter((commit) => !commit.files.includes(subject.path ?? ""));
    const commit = other[0];
    if (commit === undefined || combine({ type: "change", evidence }) < 0.3) return [];
    const age = ageOf(new Date(commit.ts).toISOString(), subject.now);
    return [{
      type: "change",
      title: `Recent change: ${path}`,
      summary: `Modified ${age}: ${toLine(commit.subject, 120)} (${commit.oid.slice(0, 10)})`,
      entity_id: `commit:${commit.oid.slice(0, 12)}:${path}`,
      evidence: [
        ...evidence,
        leadOf("changed_recently", rarity, `it changed ${age} without this file`),
      ],
      fingerprint: commit.oid,
      action: `git show ${commit.oid.slice(0, 10)} -- ${path}`,
      path,
    }];
  });
}

/** What was done to the file itself: who wrote the lines at hand, and the newest focused commits. */
export function findOwnChanges(subject: Subject, { commits }: Sources): Candidate[] {
  if (commits === undefined || subject.path === undefined) return [];
  const own = commits.findByFile(subject.path, maxOwnCommits)
    .filter((commit) => isFocused(commit) && commit.ts <= subject.now);
  const wrote = findWriters(own, subject);
  const newest = own.slice(0, maxOwnChanges);
  return own.filter((commit) => newest.includes(commit) || wrote.has(commit.oid))
    .map((commit): Candidate => {
      const age = ageOf(new Date(commit.ts).toISOString(), subject.now);
      const id = commit.oid.slice(0, 10);
      const { length: files } = commit.files;
      const lines = wrote.get(commit.oid);
      // One of the two: who wrote the lines has changed the file.
      const evidence = lines !== undefined
        ? {
          kind: "wrote_lines",
          p: evidenceWeights.wrote_lines,
          note: `it wrote ${lines} of the lines that the edit changes`,
        }
        : {
          kind: "own_history",
          p: ownHistoryProbability({ rank: own.indexOf(commit), files }),
          note: `it changed this file ${age}`,
        };
      return {
        type: "change",
        title: `Changed before: ${toLine(commit.subject, 120)}`,
        summary: `${countFiles(commit)} (${id}, ${age})`,
        entity_id: `commit:${commit.oid.slice(0, 12)}`,
        evidence: [evidence],
        fingerprint: commit.oid,
        action: `git show ${id}`,
      };
    });
}

/**
 * The commits that wrote the lines which the edit takes away, with how many lines. Only where
 * several had a hand in it: lines of one commit are mostly those the file began with.
 */
function findWriters(own: CommitFacts[], { path, edit }: Subject): Map<string, number> {
  const wrote = new Map<string, number>();
  for (const mark of edit?.removed ?? []) {
    const writer = own.find(({ lines = {} }) =>
      Object.hasOwn(lines, path!) && lines[path!].includes(mark)
    );
    // What no known commit wrote is older, or of a commit over many files: it counts as another.
    const oid = writer?.oid ?? "";
    wrote.set(oid, (wrote.get(oid) ?? 0) + 1);
  }
  if (wrote.size < 2) return new Map();
  wrote.delete("");
  return wrote;
}

function countFiles({ files }: CommitFacts): string {
  return files.length === 1 ? "this file alone" : `this file and ${files.length - 1} more`;
}

function addCode(subject: Subject, graph: CodeGraph, add: AddTie): void {
  const facts = subject.facts!;
  if (subject.focus !== undefined) addFocus(subject, graph, add);
  const importers = importersThroughBarrels(graph, facts.path);
  // Where the symbol or the edit is known, its callers say more than importers of the file.
  const known = subject.focus !== undefined || (subject.edit?.symbols.length ?? 0) > 0;
  for (const importer of importers) {
    const names = usedNames(importer, facts);
    const note = names.length > 0
      ? `${nameOf(importer.path)} uses ${names.slice(0, 3).join(", ")}`
      : `${nameOf(importer.path)} imports this file`;
    if (isTestOf(importer.path, facts.path)) {
      add({ path: importer.path, role: "Test" }, leadOf("test_of", 1, note));
    } else {
      const strength = importerStrength(importers.length) * (known ? 0.4 : 1) *
        passingFactor(importer.path, facts.path);
      add({ path: importer.path, role: "Importer" }, leadOf("imported_by", strength, note));
    }
  }
  const linked = facts.links.filter((link) => !link.endsWith("/"));
  for (const path of linked) {
    if (isTestOf(facts.path, path)) {
      const note = `this file tests ${nameOf(path)}`;
      add({ path, role: "Tested" }, leadOf("test_of", 1, note));
    } else if (subject.focus === undefined) {
      const note = `this file imports ${nameOf(path)}`;
      add({ path, role: "Imported" }, leadOf("imports", crowdFactor(linked.length), note));
    }
  }
}

function addFocus(subject: Subject, graph: CodeGraph, add: AddTie): void {
  const { facts, focus } = subject;
  const callers = findCallers(graph, facts!.path, focus!.name)
    .filter((item) => item.path !== facts!.path);
  const files = new Set(callers.map((item) => item.path)).size;
  for (const { path, line, symbol, owner, name, tie } of callers) {
    const strength = (tie === "unique_name" ? 0.7 : 1) * (files > 8 ? 0.75 : 1);
    const who = symbol === undefined ? nameOf(path) : within(owner, symbol);
    const note = `${who} uses ${name} (line ${line}): changes here may affect it`;
    const tied = { path, line, symbol, owner, role: "Caller" as const, does: `Calls ${name}` };
    add(tied, leadOf("calls_focus", strength, note));
  }
  for (const { path, line, symbol, name } of findCallees(graph, facts!, focus)) {
    const note = `${focus!.name} uses ${name}`;
    add({ path, line, symbol, role: "Callee" }, leadOf("called_by_focus", 1, note));
  }
}

function addHistory(subject: Subject, { commits, graph }: Sources, add: AddTie): void {
  if (commits === undefined || subject.path === undefined) return;
  const own = commits.findByFile(subject.path).filter(isFocused);
  const together = new Map<string, { count: number; weight: number }>();
  let all = 0;
  for (const [i, { files }] of own.entries()) {
    const newness = agingFactor ** i;
    all += newness;
    for (const path of files) {
      const known = together.get(path) ?? { count: 0, weight: 0 };
      known.count += files.length <= 10 ? 1 : 0.5;
      known.weight += newness / Math.sqrt(Math.max(1, files.length - 1));
      together.set(path, known);
    }
  }
  for (const [path, { count, weight }] of together) {
    if (path === subject.path || !isWorded(path)) continue;
    // The history remembers sources that are gone; the graph knows those that are there.
    const gone = graph !== undefined && findLanguage(path) !== undefined &&
      graph.find(path) === undefined;
    if (gone) continue;
    const alike = stemOf(path) === stemOf(subject.path) && isTest(path) === isTest(subject.path) &&
      stemWords(path).length > 0;
    if (alike && subject.focus === undefined) {
      const note = "it has the same name and changed with this file";
      add({ path, role: "Namesake" }, leadOf("same_stem", 1, note));
    }
    const alone = Math.max(0, commits.countByFile(path) - count);
    const rate = alone / (commits.count - own.length + fewCommits);
    const pair = { share: weight / all, together: count, own: own.length, rate };
    const strength = coChangeStrength(pair);
    if (strength < 0.1) continue;
    const times = Math.max(1, Math.round(count));
    const note = `changed together in ${times} of ${own.length} commits`;
    add({ path, role: "Changes together" }, leadOf("co_changed", strength, note));
  }
}

/** A commit over half the project says nothing about pairs. */
function isFocused(commit: CommitFacts): boolean {
  return commit.large !== true && commit.files.length <= maxCommitFiles;
}

/** Files that are also linked to another open file gain a little. */
function addRecent(subject: Subject, { graph }: Sources, ties: Map<string, Tie>): void {
  if (graph === undefined) return;
  for (const recent of subject.recent) {
    const facts = graph.find(recent);
    for (const tie of ties.values()) {
      const tied = facts?.links.includes(tie.path) || graph.find(tie.path)?.links.includes(recent);
      if (!tied || tie.evidence.some((item) => item.kind === "near_recent")) continue;
      const note = `also tied to ${nameOf(recent)}`;
      tie.evidence.push(leadOf("near_recent", 1, note));
    }
  }
}

function usedNames(importer: FileFacts, facts: FileFacts): string[] {
  const defined = new Set(facts.symbols.map((symbol) => symbol.name));
  return [...new Set(importer.refs.map(([name]) => name))].filter((name) => defined.has(name));
}
