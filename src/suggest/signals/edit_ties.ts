// Ties of the edit at hand in code: where the names it touches are defined, and who calls what it
// changes.

import { crowdFactor, leadOf, rarityOf } from "./calibration.ts";
import { type CodeGraph, nameOf } from "../graph/code_graph.ts";
import { findCallers } from "../graph/code_relations.ts";
import type { EditFacts } from "./edit_facts.ts";
import type { FileFacts } from "../graph/file_facts.ts";
import { isDistinctive } from "./find_mentions.ts";
import type { Subject } from "./suggestion.ts";
import { passingFactor } from "../graph/paired_test.ts";
import type { AddTie } from "./tie.ts";
import type { WordTable } from "../words/word_table.ts";

/** A name that more files define is a convention, not a copy. */
const maxTwins = 8;
const maxSharers = 6;

/** What edits are tied with. */
export interface EditWorld {
  graph: CodeGraph;
  words?: WordTable;
}

/** Adds what the edit is tied to. */
export function addEdited({ path, facts, edit }: Subject, world: EditWorld, add: AddTie): void {
  if (edit === undefined || path === undefined) return;
  addDefiners(path, { edit, facts }, world, add);
  addSharers(path, edit, world.graph, add);
  if (facts === undefined) return;
  addCallers(facts, edit, world.graph, add);
  addTwins(facts, edit, world, add);
}

/** Who else uses what the edit takes away. */
function addSharers(path: string, edit: EditFacts, graph: CodeGraph, add: AddTie): void {
  for (const name of edit.dropped) {
    if (!isDistinctive(name) || graph.findDefinitions(name, 3).length !== 1) continue;
    const others = graph.findReferrers(name, maxSharers + 2).filter((item) => item.path !== path);
    if (others.length > maxSharers) continue;
    for (const other of others) {
      const lead = leadOf("edit_shares", others.length <= 3 ? 1 : 0.3, sharesNote(name));
      add({ path: other.path, role: "Uses it too" }, lead);
    }
  }
}

function sharesNote(name: string): string {
  return `it uses ${name} too, which the edit takes away`;
}

/** Who else defines what the edit takes away or rewrites: a helper that was copied. */
function addTwins(facts: FileFacts, edit: EditFacts, world: EditWorld, add: AddTie): void {
  const { graph, words } = world;
  for (const name of edit.undefines) {
    const others = graph.findDefinitions(name, maxTwins + 2)
      .filter((other) => other.path !== facts.path && other.language === facts.language);
    if (others.length === 0 || others.length > maxTwins) continue;
    const rarity = rarityOf(words?.countOf(name) ?? others.length, words?.count ?? 0);
    for (const { path } of others) {
      const lead = leadOf("edit_twins", rarity, `it defines ${name} too, as the edit does`);
      add({ path, role: "Defines it too" }, lead);
    }
  }
}

function addDefiners(
  path: string,
  { edit, facts }: { edit: EditFacts; facts?: FileFacts },
  { graph, words }: EditWorld,
  add: AddTie,
): void {
  const files = words?.count ?? graph.table.count;
  // Who writes a new file knows what it imports.
  const news = facts === undefined ? 0.5 : 1;
  for (const link of new Set([...edit.imports, ...(facts?.links ?? [])])) {
    const linked = link.endsWith("/") || link === path ? undefined : graph.find(link);
    if (linked === undefined) continue;
    const defined = new Set(linked.symbols.map((symbol) => symbol.name));
    const names = [...defined].filter((name) => edit.touched.has(name)).map((name) => ({
      name,
      rarity: rarityOf(words?.countOf(name) ?? graph.table.countOf(`r:${name}`), files),
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
