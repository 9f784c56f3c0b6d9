// Ties of the edit at hand: where the names it changes are defined, who calls what it changes, and who
// else uses what it takes away.

import { crowdFactor, evidenceWeights, hubFactor } from "./calibration.ts";
import { type CodeGraph, nameOf } from "./code_graph.ts";
import { findCallers } from "./code_relations.ts";
import type { EditFacts } from "./edit_facts.ts";
import type { FileFacts } from "./file_facts.ts";
import { isDistinctive } from "./find_mentions.ts";
import type { Subject } from "./suggestion.ts";
import type { AddTie } from "./tie.ts";

const maxSharers = 6;

/** Adds what the edit is tied to. */
export function addEdited({ path, facts, edit }: Subject, graph: CodeGraph, add: AddTie): void {
  if (edit === undefined) return;
  // Who writes a new file knows what it imports.
  if (facts !== undefined) {
    addDefiners(facts, edit, graph, add);
    addCallers(facts, edit, graph, add);
  }
  addSharers(path, edit, graph, add);
}

function addDefiners(facts: FileFacts, edit: EditFacts, graph: CodeGraph, add: AddTie): void {
  for (const link of new Set([...edit.imports, ...facts.links])) {
    const linked = link.endsWith("/") ? undefined : graph.find(link);
    if (linked === undefined || link === facts.path) continue;
    const defined = linked.symbols.map((symbol) => symbol.name);
    const names = [...new Set(defined)].filter((name) => edit.changed.has(name));
    if (names.length === 0 && !edit.imports.includes(link)) continue;
    const weight = names.length > 0 ? evidenceWeights.edit_uses : evidenceWeights.edit_imports;
    const p = weight * hubFactor(graph.findImporters(link, 200).length);
    const note = names.length > 0
      ? `the edit changes its use of ${names.slice(0, 3).join(", ")}`
      : "the edit changes its import";
    add({ path: link, role: "Defines" }, { kind: "edit_uses", p, note });
  }
}

function addCallers(facts: FileFacts, edit: EditFacts, graph: CodeGraph, add: AddTie): void {
  for (const { name } of edit.symbols) {
    const callers = findCallers(graph, facts.path, name).filter((item) => item.path !== facts.path);
    const files = new Set(callers.map((item) => item.path)).size;
    for (const { path, line, symbol, tie } of callers) {
      const sure = tie === "unique_name" ? 0.7 : 1;
      const p = evidenceWeights.edit_callers * sure * crowdFactor(files);
      const note = `${symbol ?? nameOf(path)} uses ${name}, which the edit changes`;
      add({ path, line, symbol, role: "Caller" }, { kind: "edit_callers", p, note });
    }
  }
}

function addSharers(
  path: string | undefined,
  edit: EditFacts,
  graph: CodeGraph,
  add: AddTie,
): void {
  for (const name of edit.dropped) {
    if (!isDistinctive(name) || graph.findDefinitions(name, 3).length !== 1) continue;
    const others = graph.findReferrers(name, maxSharers + 2).filter((item) => item.path !== path);
    if (others.length > maxSharers) continue;
    for (const other of others) {
      const p = evidenceWeights.edit_shares * (others.length <= 3 ? 1 : 0.7);
      const note = `it uses ${name} too, which the edit takes away`;
      add({ path: other.path, role: "Uses it too" }, { kind: "edit_shares", p, note });
    }
  }
}
