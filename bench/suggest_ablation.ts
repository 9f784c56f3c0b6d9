// What each group of weights is worth: precision and recall without it, with weights that were fitted
// on other commits. What earns nothing on this repository and on another goes.

import { crossValidate, fitted, mean, precisionAt, tally } from "./suggest_model.ts";
import type { FoundCase } from "./suggest_leads.ts";
import { type BenchTable, round } from "./table.ts";

const groups: Record<string, RegExp> = {
  "nothing": /^$/,
  "all words": /words|edit_names|names_data|like|nearest/,
  "likeness": /like|nearest/,
  "names of files": /edit_names|names_data/,
  "words of the edit": /edit_words/,
  "compared to the best": /^most_/,
  "callers": /edit_callers|imported_by/,
  "what the edit uses": /edit_uses/,
  "tests and namesakes": /test_of|same_stem/,
  "history": /co_changed|wrote_lines/,
  "documents": /^doc_|section/,
  "class of file": /^is_(?!section|commit)|same_class/,
  "place": /same_directory|path_words/,
};

/** Asks every case without each group in turn. */
export function ablationTable(
  found: FoundCase[],
  { name, from }: { name: string; from?: number },
): BenchTable {
  return {
    title: `Without a group of weights, with the edit: ${name}`,
    head: ["without", "precision", "recall", "at recall 0.3", "at recall 0.4", "at recall 0.5"],
    rows: Object.entries(groups).map(([group, pattern]) => {
      const kinds = fitted.edit.filter((kind) => !pattern.test(kind));
      const validated = crossValidate(found, "edit", kinds);
      const said = tally(validated, { way: "edit", from });
      return [
        group,
        round(mean(said, (item) => item.right / item.said), 3),
        round(mean(said, (item) => item.right / item.relevant), 3),
        ...[0.3, 0.4, 0.5].map((recall) => cell(precisionAt(recall, validated, "edit"))),
      ];
    }),
  };
}

function cell(value: number): string | number {
  return Number.isNaN(value) ? "not reached" : round(value, 3);
}
