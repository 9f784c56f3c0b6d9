// Ties in words: files that hold the rare names of the edit, files that the edit speaks of, files that
// name the one at hand. Works for files of any kind, not only code.

import { crowdFactor, leadOf } from "./calibration.ts";
import { type CodeGraph, nameOf } from "../graph/code_graph.ts";
import type { EditFacts } from "./edit_facts.ts";
import { findLanguage } from "../graph/languages.ts";
import type { Subject } from "./suggestion.ts";
import type { AddTie } from "./tie.ts";
import { isWorded } from "../../../code/git/is_worded.ts";
import { stemWords } from "../graph/word_facts.ts";

const maxNames = 80;
const maxFiles = 20;
const maxParts = 160;
/** Files that an edit leads to by its names alone. */
const maxLed = 12;
/** Files that are looked at in case something else leads to them. */
const maxKnown = 40;
const leastShare = 0.1;
/** A word in more file names than this is no name. */
const maxCalled = 12;

/** Adds what the words of the file and of the edit lead to. */
export function addWorded(subject: Subject, graph: CodeGraph, add: AddTie): void {
  const { path, edit, focus } = subject;
  if (path === undefined) return;
  // Words are about the file or the edit; of a symbol the graph knows more.
  if (focus === undefined) addNaming(path, graph, add);
  if (edit === undefined) return;
  addHolders(path, edit, graph, add);
  addSpokenOf(path, edit, graph, add);
}

/** Programs that name the file: they make it, read it or test it. */
function addNaming(path: string, graph: CodeGraph, add: AddTie): void {
  // Code that names another program's file is weak evidence.
  if (findLanguage(path) !== undefined) return;
  const namers = [...graph.findNaming(path)].map((id) => graph.pathOf(id))
    .filter((other) => other !== path && findLanguage(other) !== undefined);
  for (const other of namers) {
    const lead = leadOf("names_data", crowdFactor(namers.length), `it names ${nameOf(path)}`);
    add({ path: other, role: "Names it" }, lead);
  }
}

/** Files that hold a good share of the rare names in the lines that the edit touches. */
function addHolders(path: string, edit: EditFacts, graph: CodeGraph, add: AddTie): void {
  const files = graph.count;
  const most = Math.max(8, files * 0.06);
  const shares = new Map<number, { weight: number; names: string[] }>();
  let [total, rare] = [0, 0];
  const names = [...edit.touched].filter((name) => name.length > 2).slice(0, maxNames);
  for (const name of [...names, ...edit.files.slice(0, maxFiles)]) {
    const isName = edit.touched.has(name);
    if (isName && graph.countTerm(name) > most) continue;
    const holders = isName ? graph.findHolders(name) : graph.findNamingSo(name);
    const count = holders.length;
    if (count === 0 || count > most) continue;
    const weight = Math.log(files / (1 + count)) *
      (isName && !edit.changed.has(name) ? 0.5 : 1);
    if (weight <= 0) continue;
    total += weight;
    rare++;
    for (const id of holders) {
      const share = shares.get(id) ?? { weight: 0, names: [] };
      share.weight += weight;
      share.names.push(name);
      shares.set(id, share);
    }
  }
  if (rare === 0) return;
  // One or two names are a coincidence.
  const sure = Math.min(1, rare / 5);
  const [self] = graph.findIds(`f:${path}`);
  const led = [...shares].filter(([id]) => id !== self)
    .sort((a, b) => b[1].weight - a[1].weight || a[0] - b[0]);
  for (const [i, [id, { weight, names }]] of led.entries()) {
    const strength = sure * weight / total;
    const other = graph.pathOf(id);
    const lead = leadOf("edit_words", strength, `it has ${sample(names)} too, as the edit has`);
    if (i < maxLed && strength >= leastShare) add({ path: other, role: "Same words" }, lead);
    else add({ path: other, role: "Same words", only: "known" }, lead);
    if (i >= maxKnown) break;
  }
}

/** Files all words of whose name the edit has. */
function addSpokenOf(path: string, edit: EditFacts, graph: CodeGraph, add: AddTie): void {
  const parts = [...edit.parts].slice(0, maxParts);
  const said = edit.parts;
  const least = 0.5 * Math.log(Math.max(3, graph.count));
  const seen = new Set<number>();
  for (const part of parts) {
    const called = graph.findCalled(part);
    if (called.length > maxCalled) continue;
    for (const id of called) {
      if (seen.has(id)) continue;
      seen.add(id);
      const other = graph.pathOf(id);
      const its = stemWords(other).filter((word) => word !== "test");
      if (other === path || !isWorded(other) || !its.every((word) => said.has(word))) continue;
      let rarity = 0;
      for (const word of its) {
        rarity += Math.log(graph.count / Math.max(1, graph.countTerm(word)));
      }
      const strength = Math.min(1, rarity / least);
      if (strength < 0.4) continue;
      const note = `the edit speaks of ${its.join(" ")}`;
      add({ path: other, role: "Spoken of" }, leadOf("edit_names", strength, note));
    }
  }
}

function sample(names: string[]): string {
  const longest = [...new Set(names)].sort((a, b) => b.length - a.length);
  return longest.slice(0, 3).join(", ");
}
