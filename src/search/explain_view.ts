// The parts of a score as a table for people.

import type { RowExplanation } from "./request.ts";
import { toTable, type View } from "../table/view.ts";

/** How a row came by its score, indented under it. */
export function explainTable(explain: RowExplanation, view: View): string {
  const head = ["term", "in", "entries", "idf", "adds"].map((name) => view.dim(name));
  const rows = explain.terms.map(({ term, kind, df, idf, tf, contribution }) => [
    kind === "whole" ? `${term} (whole)` : term,
    Object.entries(tf).map(([field, count]) => `${field}×${count}`).join(" "),
    String(df),
    idf.toFixed(3),
    contribution.toFixed(3),
  ]);
  const parts = [
    explain.context > 0 ? `context of neighbours +${explain.context.toFixed(3)}` : undefined,
    `of ${explain.ideal.toFixed(3)} possible`,
    `matches ${percent(explain.matched_share)} of the query (floor ${percent(explain.floor)})`,
    explain.vector
      ? `similarity ${explain.vector.similarity.toFixed(3)} × ${explain.vector.weight}`
      : undefined,
    ...Object.entries(explain.boosts).map(([name, factor]) => `${name} ×${factor.toFixed(3)}`),
    explain.later === undefined ? undefined : `later ×${explain.later.toFixed(3)}`,
    explain.lent > 0 ? `lent by rows around it +${explain.lent.toFixed(3)}` : undefined,
  ].filter((part) => part !== undefined);
  const table = rows.length === 0 ? [] : toTable([head, ...rows]).split("\n");
  return [...table, parts.join("; ")].map((line) => `     ${line}`).join("\n");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
