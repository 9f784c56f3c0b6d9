// Fits the weights of src/suggest/signals/calibration.ts on the labelled cases of this repository's history,
// and says how weights that were fitted on other commits do: the honest figure. Prints; the weights
// are copied by hand. Run: deno run -A bench/suggest_fit.ts

import { type HistorySet, historySets } from "./suggest_history.ts";
import { findAll, type FoundCase } from "./suggest_leads.ts";
import {
  crossValidate,
  fit,
  fitted,
  judge,
  least,
  type Said,
  sum,
  toRows,
  type Way,
} from "./suggest_model.ts";

/** Operating points to look at: the probability from which on an item is said. */
const points = [-0.06, -0.04, -0.02, 0, 0.02, 0.04, 0.06];

async function main(): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "ctx-fit-" });
  const found: FoundCase[] = [];
  for (const set of historySets) found.push(...await findAll(`${root}/${set}`, set));
  await Deno.remove(root, { recursive: true });
  for (const way of ["edit", "file"] as const) printWay(found, way);
}

function printWay(all: FoundCase[], way: Way): void {
  const found = all.filter((item) => item.edit === (way === "edit"));
  const rows = found.flatMap((item) => toRows(item, way));
  const model = fit(rows, way);
  print(`\nAsked with the ${way}\nbase: ${model.base.toFixed(2)}\n`);
  for (const [i, kind] of fitted[way].entries()) {
    const having = rows.filter((row) => row.x[i] > 0);
    const judged = having.filter((row) => row.judged);
    const right = judged.filter((row) => row.y === 1).length;
    const weight = model.weights.get(kind)!.toFixed(2);
    print(`  ${kind}: ${weight}, // ${right} of ${judged.length}, ${having.length} in all\n`);
  }
  for (const set of historySets) {
    const said = found.filter((item) => item.set === set).map((item) => judge(item, model, way));
    print(`${set}, fitted on all: ${describe([sum(said)])}\n`);
  }
  for (const point of points) {
    const from = least[way] + point;
    const totals = crossValidate(all, way, from);
    for (const set of historySets) printFold(set, from, totals[set]);
    printFold("both", from, totals.first.map((item, i) => sum([item, totals.second[i]])));
  }
}

function printFold(set: HistorySet | "both", from: number, totals: Said[]): void {
  print(`${set}, other commits, from ${from.toFixed(2)}: ${describe(totals)}\n`);
}

function describe(totals: Said[]): string {
  const mean = (value: (said: Said) => number): string =>
    (totals.reduce((sum, item) => sum + value(item), 0) / totals.length).toFixed(3);
  return `said ${mean((item) => item.said)}, right ${mean((item) => item.right)}, not judged ${
    mean((item) => item.unjudged)
  }; precision ${mean((item) => item.right / item.said)}, of judged ${
    mean((item) => item.right / (item.said - item.unjudged))
  }, recall ${mean((item) => item.right / item.relevant)}, silence ${
    mean((item) => item.kept / item.silent)
  }`;
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

await main();
