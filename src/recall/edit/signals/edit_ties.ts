// Ties of the edit at hand in code: where the names it touches are defined, and who calls what it
// changes.

import { crowdFactor, leadOf, rarityOf } from "./calibration.ts";
import { type CodeGraph, nameOf } from "../graph/code_graph.ts";
import { findCallers } from "../graph/code_relations.ts";
import type { EditFacts } from "./edit_facts.ts";
import type { FileFacts } from "../graph/file_facts.ts";
import type { Subject } from "./suggestion.ts";
import { passingFactor } from "../graph/paired_test.ts";
import type { AddTie } from "./tie.ts";

/** Adds what the edit is tied to. */
export function addEdited({ path, facts, edit }: Subject, graph: CodeGraph, add: AddTie): void {
  if (edit === undefined || path === undefined) return;
  addDefiners(path, { edit, facts, graph }, add);
  if (facts !== undefined) addCallers(facts, edit, graph, add);
}

function addDefiners(
  path: string,
  { edit, facts, graph }: { edit: EditFacts; facts?: FileFacts; graph: CodeGraph },
  add: AddTie,
): void {
  // Who writes a new file knows what it imports.
  const news = facts === undefined ? 0.5 : 1;
  for (const link of new Set([...edit.imports, ...(facts?.links ?? [])])) {
    const linked = link.endsWith("/") || link === path ? undefined : graph.find(link);
    if (linked === undefined) continue;
    const defined = new Set(linked.symbols.map((symbol) => symbol.name));
    const names = [...defined].filter((name) => edit.touched.has(name)).map((name) => ({
      name,
      rarity: rarityOf(graph.countTerm(name), graph.count),
    })).filter(({ rarity }) => rarity > 0).sort((a, b) => b.rarity - a.rarity);
    if (names.length === 0) continue;
    const said = names.slice(0, 3).map(({ name }) => name).join(", ");
    const changes = names.some(({ name }) => edit.changed.has(name));
    const note = changes
      ? `the edit changes its use of ${said}`
      : `the lines that the edit changes use its ${said}`;
    add({ path: link, role: "Defines" }, leadOf("edit_uses", news * names[0].rarity, note));
  }
}

function addCallers(facts: FileFacts, edit: EditFacts, graph: CodeGraph, add: AddTie): void {
  for (const { name } of edit.symbols) {
    const callers = findCallers(graph, facts.path, name).filter((item) => item.path !== facts.path);
    const files = new Set(callers.map((item) => item.path)).size;
    for (const { path, line, symbol, tie } of callers) {
      const sure = tie === "unique_name" ? 0.7 : 1;
      const passing = passingFactor(path, facts.path);
      const strength = sure * passing * crowdFactor(files / 2);
      const note = `${symbol ?? nameOf(path)} uses ${name}, which the edit changes`;
      add({ path, line, symbol, role: "Caller" }, leadOf("edit_callers", strength, note));
    }
  }
}
