// Tries settings of the weights on all sets, with the product's own engine:
//   deno run -A bench/quality/try_weights.ts k1=0.9 "b.text=0.5 loosePivot=20"
// Each argument is a setting; a line for what ships comes first. Differences are paired, with 95 % bounds.

import { type BenchTable, round, toMarkdown } from "../support/table.ts";
import { bootstrap, toDifference } from "./bootstrap.ts";
import { Measurer } from "./measurer.ts";
import { type Measured, valuesOf } from "./measure_setting.ts";
import { meanOf } from "./measures.ts";
import type { Setting } from "./weight_paths.ts";

if (import.meta.main) {
  using measurer = await Measurer.open();
  const settings = ["", ...Deno.args].map(parseSetting);
  const [shipped, ...others] = settings.map((setting) => measurer.measure({ setting }));
  const table = tabulate(["as shipped", ...Deno.args], await Promise.all([shipped, ...others]));
  Deno.stdout.writeSync(new TextEncoder().encode(`${toMarkdown(table)}\n`));
}

/** Reads `path=value path=value`. */
export function parseSetting(text: string): Setting {
  return Object.fromEntries(
    text.split(/[\s,]+/).filter(Boolean).map((pair) => {
      const [path, value] = pair.split("=");
      if (!Number.isFinite(Number(value ?? NaN))) {
        throw new Error(`Cannot read "${pair}": write path=number`);
      }
      return [path, Number(value)];
    }),
  );
}

function tabulate(names: string[], [shipped, ...others]: Measured[]): BenchTable {
  const sets = Object.keys(shipped);
  const recall = ["recall success@1", "success@5", "silent of unanswerable", "lost"];
  return {
    title: "nDCG@10 (difference from what ships)",
    head: ["setting", ...sets, ...recall],
    rows: [shipped, ...others].map((measured, i) => [
      names[i],
      ...sets.map((set) => {
        const values = valuesOf(measured[set], "ndcg");
        const before = valuesOf(shipped[set], "ndcg");
        const difference = bootstrap(values.map((value, at) => value - before[at]));
        const mean = meanOf(values).toFixed(4);
        return i === 0 ? mean : `${mean} (${toDifference(difference)})`;
      }),
      ...recallCells(measured),
    ]),
  };
}

function recallCells({ "recall-dev": asked = [] }: Measured): number[] {
  const unanswerable = asked.filter(({ isAnswerable }) => !isAnswerable);
  return [
    meanOf(valuesOf(asked, "first")),
    meanOf(valuesOf(asked, "five")),
    meanOf(unanswerable.map(({ scores }) => scores.empty)),
    meanOf(valuesOf(asked, "empty")),
  ].map((value) => round(value, 3));
}
