// Ties by name alone: many tests import nothing of what they test, and some files have no imports.

import { leadOf } from "./calibration.ts";
import type { CodeGraph } from "../graph/code_graph.ts";
import { directoryOf } from "../graph/resolve_imports.ts";
import type { Subject } from "./suggestion.ts";
import { choosePair, isTest, sharePlace, stemOf } from "../graph/paired_test.ts";
import type { AddTie } from "./tie.ts";
import { stemWords } from "../graph/word_facts.ts";

/** Files of the same name: the test of a file, what a test tests, the bench that wrote a result. */
export function addNamesakes({ path, focus }: Subject, graph: CodeGraph, add: AddTie): void {
  if (path === undefined) return;
  const others = graph.findByStem(stemOf(path)).map((facts) => facts.path)
    .filter((other) => other !== path);
  const tests = others.filter((other) => isTest(other) !== isTest(path));
  const other = choosePair(path, tests);
  if (other !== undefined) {
    const rivals = [path, ...others].filter((rival) => isTest(rival) === isTest(path));
    // gc_test.ts may be the test of another gc.ts.
    const alone = rivals.length === 1 && tests.length === 1;
    const mutual = alone || (choosePair(other, rivals) === path && sharePlace(path, other));
    const [role, note] = isTest(path)
      ? ["Tested" as const, "by its name this tests it"]
      : ["Test" as const, "by its name it tests this"];
    add({ path: other, role }, leadOf("test_of", mutual ? 1 : 0.5, note));
  }
  // A namesake is one of the file, not of a symbol in it.
  if (focus !== undefined || stemWords(path).length === 0) return;
  for (const same of others.filter((item) => !tests.includes(item))) {
    const near = directoryOf(path).startsWith(directoryOf(same)) ||
      directoryOf(same).startsWith(directoryOf(path));
    const lead = leadOf("same_stem", near ? 1 : 0.5, "it has the same name");
    add({ path: same, role: "Namesake" }, lead);
  }
}
