// How a score came about, for people: what each term adds, then the steps from left to right. Fits
// into 80 columns.

import { applySteps } from "../search/rank/steps.ts";
import type { RowExplanation } from "../search/row_shape.ts";
import { toTable, type View } from "../command/view.ts";

const indent = "     ";
const lineChars = 80 - indent.length;
const mostTermChars = 26;

/** How a row came by its score, indented under it. */
export function explainTable(explain: RowExplanation, view: View): string {
  const head = ["term", "in", "entries", "idf", "adds"].map((name) => view.dim(name));
  const rows = explain.terms.map(({ term, kind, df, idf, tf, contribution }) => [
    kind === "whole" ? `${cut(term)} (whole)` : cut(term),
    Object.entries(tf).map(([field, count]) => `${field}×${count}`).join(" "),
    String(df),
    idf.toFixed(3),
    contribution.toFixed(3),
  ]);
  const table = rows.length === 0 ? [] : toTable([head, ...rows]).split("\n");
  const share = `matches ${percent(explain.matched_share)} of the query (floor ${
    percent(explain.floor)
  })`;
  const lines = explain.steps.some(({ name }) => name === "words") ? [...table, share] : [];
  return [...lines, ...stepLines(explain), ...idleLines(explain, view)]
    .map((line) => indent + line).join("\n");
}

/** The boosts that did not apply: `× 1: pin session …`. */
function idleLines({ boosts, steps }: RowExplanation, view: View): string[] {
  const applied = new Set(steps.map(({ name }) => name));
  const idle = Object.keys(boosts).filter((name) => !applied.has(name));
  const lines = fill(["× 1.000:", ...idle]);
  return idle.length === 0 ? [] : lines.map((line) => view.dim(line));
}

/** `words 2.134 ÷ ideal 7.021 × recency 1.050 … = 0.319`, over as many lines as it takes. */
function stepLines({ steps }: RowExplanation): string[] {
  const score = applySteps(steps).toFixed(3);
  const parts = steps.map(({ name, op, value }, i) =>
    `${i === 0 && op === "+" ? "" : `${op} `}${name} ${value.toFixed(3)}`
  );
  return fill([...parts, `= ${score}`]);
}

/** Parts on as few lines as they fit on. */
function fill(parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + part.length > lineChars) lines.push(part);
    else lines[lines.length - 1] = `${last} ${part}`;
  }
  return lines;
}

function cut(term: string): string {
  const chars = [...term];
  return chars.length > mostTermChars ? `${chars.slice(0, mostTermChars - 1).join("")}…` : term;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
