// Fits the weights of src/suggest/calibration.ts on the labelled cases of this repository's history,
// and says how weights that were fitted on other commits do: the honest figure. Prints; the weights
// are copied by hand. Run: deno run -A bench/suggest_fit.ts

import { historyCases } from "./suggest_history_cases.ts";
import { findAll, type FoundCase } from "./suggest_leads.ts";
import { crossValidate, fit, fitted, judge, type Said, sum, toRows } from "./suggest_model.ts";

async function main(): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "ctx-fit-" });
  const found = await findAll(root, historyCases("first"));
  await Deno.remove(root, { recursive: true });
  printCounts(found);
  const model = fit(found.flatMap(toRows));
  print(`leadBase: ${model.base.toFixed(2)}\n`);
  for (const [kind, weight] of model.weights) print(`  ${kind}: ${weight.toFixed(2)},\n`);
  for (const edit of [true, false]) {
    const said = found.filter((item) => item.edit === edit).map((item) => judge(item, model));
    print(`\n${edit ? "file and edit" : "file"}\n  fitted on all: ${describe([sum(said)])}\n`);
    print(`  on commits that were not fitted: ${describe(crossValidate(found, edit))}\n`);
  }
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

/** How often files with each signal were right. */
function printCounts(found: FoundCase[]): void {
  for (const kind of fitted) {
    const counts = [true, false].map((edit) => {
      const rows = found.filter((item) => item.edit === edit).flatMap(toRows)
        .filter((row) => row.x[fitted.indexOf(kind)] > 0);
      const judged = rows.filter((row) => row.judged);
      return `${judged.filter((row) => row.y === 1).length} of ${judged.length} (${rows.length})`;
    });
    print(`  ${kind.padEnd(14)} with the edit ${counts[0]}, file ${counts[1]}\n`);
  }
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

await main();
