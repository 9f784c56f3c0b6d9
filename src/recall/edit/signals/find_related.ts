// The related-code and change signals: files tied to the one at hand by calls, imports and tests. One
// set of ties feeds both, so that they cannot disagree.

import { hashHex } from "../../../core/hash.ts";
import { toLine } from "../../../core/text.ts";
import { ageOf } from "../../../core/time/age_of.ts";
import type { CodeGraph } from "../graph/code_graph.ts";
import { findCallees, findCallers, importersThroughBarrels } from "../graph/code_relations.ts";
import { type FileFacts, nameOf, symbolEntity, type SymbolFact } from "../graph/file_facts.ts";
import { isNamedAfter, isTestOf } from "../graph/is_test_of.ts";
import { combine, type Evidence, toEvidence } from "./calibration.ts";
import type { Candidate, Sources, Subject } from "./suggestion.ts";

const dayMs = 86_400_000;
/** Weaker ties are not looked up in the history. */
const leastTied = 0.3;
/** More imports and importers than these say little about each. */
const few = 3;

/** A file that is tied to the subject. */
export interface Tie {
  path: string;
  line?: number;
  symbol?: string;
  /** What it does with the subject, where that can be said in a word or two. */
  does?: string;
  role: "Caller" | "Callee" | "Importer" | "Imported" | "Test" | "Tested";
  evidence: Evidence[];
  /** The symbol as it is shown: a method with its class. */
  shown?: string;
}

/** Adds a reason for a tie; each kind of reason counts once for a file. */
type AddTie = (tie: Omit<Tie, "evidence">, evidence: Evidence) => void;

/** The files tied to the subject; files at hand already are left out. */
export function findTies(subject: Subject, { graph }: Sources): Tie[] {
  const { facts, focus } = subject;
  if (graph === undefined || facts === undefined) return [];
  const ties = new Map<string, Tie>();
  const add: AddTie = (tie, evidence) => {
    const known = ties.get(tie.path);
    if (known === undefined) ties.set(tie.path, { ...tie, evidence: [evidence] });
    else if (!known.evidence.some((item) => item.kind === evidence.kind)) {
      known.evidence.push(evidence);
    }
  };
  if (focus !== undefined) addFocus({ facts, focus }, graph, add);
  addImports({ facts, focus }, graph, add);
  for (const at of [facts.path, ...subject.recent]) ties.delete(at);
  return [...ties.values()];
}

/** Callers and callees, and those importers and tests that their names do not tell of anyway. */
export function toRelatedCode(ties: Tie[], subject: Subject): Candidate[] {
  const isObvious = ({ path, line }: Tie): boolean =>
    line === undefined && subject.path !== undefined && isNamedAfter(path, subject.path);
  return ties.filter((tie) => !isObvious(tie)).map((
    { path, line, symbol, shown, role, does, evidence },
  ) => ({
    type: "related_code",
    title: `${role}: ${shown === undefined ? path : `${shown} in ${path}`}`,
    summary: does ?? evidence.map((item) => item.note).join("; "),
    entity_id: symbolEntity(path, symbol),
    evidence,
    fingerprint: hashHex(`${subject.path}#${subject.symbol ?? ""}:${path}`),
    action: line === undefined ? `read ${path}` : `read ${path}:${line}`,
    path,
  }));
}

/** Recent commits to tied files that did not change this one. */
export function toChanges(ties: Tie[], subject: Subject, { history }: Sources): Candidate[] {
  const { path: without, now: until } = subject;
  const since = until - subject.recentChangeDays * dayMs;
  return ties.flatMap(({ path, evidence }): Candidate[] => {
    const commit = combine(evidence) < leastTied
      ? undefined
      : history?.findCommit(path, { since, until, without });
    if (commit === undefined) return [];
    const age = ageOf(new Date(commit.ts).toISOString(), until);
    const id = commit.oid.slice(0, 10);
    const note = `changed ${age}, but this file did not`;
    return [{
      type: "change",
      title: `Recent change: ${path}`,
      summary: `Modified ${age}: ${toLine(commit.subject, 120)} (${id})`,
      entity_id: `commit:${commit.oid.slice(0, 12)}:${path}`,
      evidence: [...evidence, toEvidence("changed_recently", note)],
      fingerprint: commit.oid,
      action: `git show ${id} -- ${path}`,
      path,
    }];
  });
}

function addImports(
  { facts, focus }: { facts: FileFacts; focus?: SymbolFact },
  graph: CodeGraph,
  add: AddTie,
): void {
  const importers = importersThroughBarrels(graph, facts.path);
  const defined = new Set(facts.symbols.map(({ name }) => name));
  for (const { path, refs } of importers) {
    const names = new Set(refs.map(([name]) => name)).intersection(defined);
    const note = names.size > 0
      ? `${nameOf(path)} uses ${[...names].slice(0, 3).join(", ")}`
      : `${nameOf(path)} imports this file`;
    // Where the symbol is known, its callers say more; elsewhere are tests, benches and examples.
    const isOnly = importers.length === 1 && focus === undefined &&
      topOf(path) === topOf(facts.path);
    const evidence = isTestOf(path, facts.path)
      ? toEvidence("test_of", note)
      : isOnly
      ? toEvidence("only_importer", note)
      : toEvidence("imported_by", note, 1 / Math.ceil(importers.length / 3));
    add({ path, role: evidence.kind === "test_of" ? "Test" : "Importer" }, evidence);
  }
  const linked = facts.links.filter((link) => !link.endsWith("/"));
  for (const path of linked) {
    const name = nameOf(path);
    if (isTestOf(facts.path, path)) {
      add({ path, role: "Tested" }, toEvidence("test_of", `this file tests ${name}`));
    } else if (focus === undefined) {
      // What many import, and one of many imports, says little.
      const most = graph.findImporters(path, few + 1).length > few ? 0.7 : 1;
      const factor = Math.min(most, few / linked.length);
      add({ path, role: "Imported" }, toEvidence("imports", `this file imports ${name}`, factor));
    }
  }
}

function topOf(path: string): string {
  return path.slice(0, path.indexOf("/") + 1);
}

function addFocus(
  { facts, focus }: { facts: FileFacts; focus: SymbolFact },
  graph: CodeGraph,
  add: AddTie,
): void {
  for (
    const { path, line, symbol, owner, name, tie } of findCallers(graph, facts.path, focus.name)
  ) {
    const shown = owner === undefined ? symbol : `${owner}.${symbol}`;
    const note = `${shown ?? nameOf(path)} uses ${name} (line ${line}): changes here may affect it`;
    const evidence = toEvidence("calls_focus", note, tie === "unique_name" ? 0.8 : 1);
    add({ path, line, symbol, shown, role: "Caller", does: `Calls ${name}` }, evidence);
  }
  for (const { path, line, symbol, name } of findCallees(graph, facts, focus)) {
    const evidence = toEvidence("called_by_focus", `${focus.name} uses ${name}`);
    add({ path, line, symbol, shown: symbol, role: "Callee" }, evidence);
  }
}
