// The related-code and change signals: files tied to the one at hand by calls, imports and tests. One
// set of ties feeds both, so that they cannot disagree.

import { hashHex } from "../../../core/hash.ts";
import { toLine } from "../../../core/text.ts";
import { ageOf } from "../../../core/time/age_of.ts";
import type { CodeGraph } from "../graph/code_graph.ts";
import { findCallees, findCallers, importersThroughBarrels } from "../graph/code_relations.ts";
import { type FileFacts, nameOf, symbolEntity } from "../graph/file_facts.ts";
import { isTestOf, passingFactor } from "../graph/paired_test.ts";
import {
  combine,
  crowdFactor,
  importerStrength,
  importStrength,
  leadOf,
  rarityOf,
} from "./calibration.ts";
import type { EditFacts } from "./edit_facts.ts";
import type { Candidate, Evidence, Sources, Subject } from "./suggestion.ts";

const dayMs = 86_400_000;
/** Weaker ties are not looked up in the history. */
const leastTied = 0.3;

/** A file that is tied to the subject. */
export interface Tie {
  path: string;
  line?: number;
  symbol?: string;
  /** The class that the symbol stands in. */
  owner?: string;
  /** What it does with the subject, where that can be said in a word or two. */
  does?: string;
  role: "Caller" | "Callee" | "Importer" | "Imported" | "Test" | "Tested" | "Defines";
  evidence: Evidence[];
}

/** Adds a reason for a tie; each kind of reason counts once for a file. */
type AddTie = (tie: Omit<Tie, "evidence">, evidence: Evidence) => void;

/** The files tied to the subject; files at hand already are left out. */
export function findTies(subject: Subject, { graph }: Sources): Tie[] {
  const ties = new Map<string, Tie>();
  const add: AddTie = (tie, evidence) => {
    const known = ties.get(tie.path);
    if (known === undefined) ties.set(tie.path, { ...tie, evidence: [evidence] });
    else if (!known.evidence.some((item) => item.kind === evidence.kind)) {
      known.evidence.push(evidence);
    }
  };
  const { path, facts, edit, focus } = subject;
  if (graph === undefined) return [];
  if (facts !== undefined && focus !== undefined) addFocus(subject, graph, add);
  if (facts !== undefined) addImports(subject, { facts, graph }, add);
  if (path !== undefined && edit !== undefined) {
    addUsed({ path, edit, facts }, graph, add);
    if (facts !== undefined) addEditCallers(facts, { edit, graph }, add);
  }
  for (const at of [path, ...subject.recent]) if (at !== undefined) ties.delete(at);
  return [...ties.values()];
}

/** Callers, callees, importers and tests. */
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

/** Recent commits to tied files that did not change this one. */
export function toChanges(ties: Tie[], subject: Subject, { history }: Sources): Candidate[] {
  const { path: without, now: until } = subject;
  const since = until - subject.recentChangeDays * dayMs;
  const near = ties.filter(({ evidence }) => combine({ type: "change", evidence }) >= leastTied);
  const changed = near.flatMap((tie) => {
    const commit = history?.findCommit(tie.path, { since, until, without });
    return commit === undefined ? [] : [{ ...tie, commit }];
  });
  // Where everything around changed lately, that this did says nothing.
  const rarity = 1 - (changed.length - 1) / Math.max(1, near.length - 1);
  return changed.map(({ path, evidence, commit: { oid, ts, subject: said } }) => {
    const age = ageOf(new Date(ts).toISOString(), until);
    const id = oid.slice(0, 10);
    const note = `changed ${age}, but this file did not`;
    return {
      type: "change",
      title: `Recent change: ${path}`,
      summary: `Modified ${age}: ${toLine(said, 120)} (${id})`,
      entity_id: `commit:${oid.slice(0, 12)}:${path}`,
      evidence: [...evidence, leadOf("changed_recently", rarity, note)],
      fingerprint: oid,
      action: `git show ${id} -- ${path}`,
      path,
    };
  });
}

/** A method is named with its class. */
function within(owner: string | undefined, symbol: string): string {
  return owner === undefined ? symbol : `${owner}.${symbol}`;
}

function addImports(
  { focus, edit }: Subject,
  { facts, graph }: { facts: FileFacts; graph: CodeGraph },
  add: AddTie,
): void {
  const importers = importersThroughBarrels(graph, facts.path);
  // Where the symbol or the edit is known, its callers say more than importers of the file.
  const known = focus !== undefined || (edit?.symbols.length ?? 0) > 0;
  for (const { path, refs } of importers) {
    const names = usedNames(refs, facts);
    const note = names.length > 0
      ? `${nameOf(path)} uses ${names.slice(0, 3).join(", ")}`
      : `${nameOf(path)} imports this file`;
    if (isTestOf(path, facts.path)) add({ path, role: "Test" }, leadOf("test_of", 1, note));
    else {
      const strength = importerStrength(importers.length) * (known ? 0.4 : 1) *
        passingFactor(path, facts.path);
      add({ path, role: "Importer" }, leadOf("imported_by", strength, note));
    }
  }
  const linked = facts.links.filter((link) => !link.endsWith("/"));
  for (const path of linked) {
    if (isTestOf(facts.path, path)) {
      add({ path, role: "Tested" }, leadOf("test_of", 1, `this file tests ${nameOf(path)}`));
    } else if (focus === undefined) {
      const strength = importStrength(linked.length, graph.countImporters(path));
      const note = `this file imports ${nameOf(path)}`;
      add({ path, role: "Imported" }, leadOf("imports", strength, note));
    }
  }
}

function addFocus({ facts, focus }: Subject, graph: CodeGraph, add: AddTie): void {
  const callers = callersElsewhere(graph, facts!.path, focus!.name);
  for (const { path, line, symbol, owner, name, tie } of callers.found) {
    const strength = (tie === "unique_name" ? 0.7 : 1) * (callers.files > 8 ? 0.75 : 1);
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

/** Where the names that the edit touches are defined. */
function addUsed(
  { path, edit, facts }: { path: string; edit: EditFacts; facts?: FileFacts },
  graph: CodeGraph,
  add: AddTie,
): void {
  // Who writes a new file knows what it imports.
  const news = facts === undefined ? 0.5 : 1;
  for (const link of new Set([...edit.imports, ...(facts?.links ?? [])])) {
    const linked = link === path ? undefined : graph.find(link);
    const defined = new Set(linked?.symbols.map((symbol) => symbol.name));
    const names = [...defined].filter((name) => edit.touched.has(name)).map((name) => ({
      name,
      rarity: rarityOf(graph.countReferrers(name), graph.count),
    })).filter(({ rarity }) => rarity > 0).sort((a, b) => b.rarity - a.rarity);
    if (names.length === 0) continue;
    const said = names.slice(0, 3).map(({ name }) => name).join(", ");
    const note = names.some(({ name }) => edit.changed.has(name))
      ? `the edit changes how it uses ${said}`
      : `the edited lines use its ${said}`;
    add({ path: link, role: "Defines" }, leadOf("edit_uses", news * names[0].rarity, note));
  }
}

/** Who calls what the edit changes. */
function addEditCallers(
  facts: FileFacts,
  { edit, graph }: { edit: EditFacts; graph: CodeGraph },
  add: AddTie,
): void {
  for (const { name } of edit.symbols) {
    const callers = callersElsewhere(graph, facts.path, name);
    for (const { path, line, symbol, tie } of callers.found) {
      const strength = (tie === "unique_name" ? 0.7 : 1) * passingFactor(path, facts.path) *
        crowdFactor(callers.files / 2);
      const note = `${symbol ?? nameOf(path)} uses ${name}, which the edit changes`;
      add({ path, line, symbol, role: "Caller" }, leadOf("edit_callers", strength, note));
    }
  }
}

function callersElsewhere(
  graph: CodeGraph,
  path: string,
  name: string,
): { found: ReturnType<typeof findCallers>; files: number } {
  const found = findCallers(graph, path, name).filter((item) => item.path !== path);
  return { found, files: new Set(found.map((item) => item.path)).size };
}

function usedNames(refs: FileFacts["refs"], facts: FileFacts): string[] {
  const defined = new Set(facts.symbols.map((symbol) => symbol.name));
  return [...new Set(refs.map(([name]) => name))].filter((name) => defined.has(name));
}
