// Fits the weights of src/recall/edit/signals/calibration.ts on the labelled cases of this repository's history,
// and says how weights that were fitted on other commits do: the honest figure. Prints; the weights
// are copied by hand. Run: deno run -A bench/suggest_fit.ts [OTHER_REPOSITORY…]

import { HistoryReplay, historySets } from "./suggest_history.ts";
import { findAll, findLabelled, type FoundCase } from "./suggest_leads.ts";
import { repositoryCases } from "./suggest_repository.ts";
import {
  crossValidate,
  fit,
  fitted,
  judgeCase,
  least,
  mean,
  type Said,
  shift,
  sum,
  tally,
  toRows,
  type Way,
} from "./suggest_model.ts";

/** Operating points to look at: the probability from which on an item is said. */
const points = [-0.06, -0.04, -0.02, 0, 0.02, 0.04, 0.06];

async function main(): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "ctx-fit-" });
  const found = await findLabelled(`${root}/own`);
  for (const repository of Deno.args) {
    const replay = await HistoryReplay.open(`${root}/${ruleOf(repository)}`, repository);
    found.push(...await findRuled(replay, ruleOf(repository)));
  }
  await Deno.remove(root, { recursive: true });
  for (const way of ["edit", "file"] as const) printWay(found, way);
}

/** By the rule less is right than by labellers: a weight of its own takes that up. */
async function findRuled(replay: HistoryReplay, rule: string): Promise<FoundCase[]> {
  const found = await findAll(replay, await repositoryCases(replay), rule);
  for (const { items } of found) {
    for (const { evidence } of items) evidence.push({ kind: rule, p: 0, strength: 1 });
  }
  return found;
}

function ruleOf(repository: string): string {
  return `is_rule_${Deno.args.indexOf(repository)}`;
}

function printWay(all: FoundCase[], way: Way): void {
  const found = all.filter((item) => item.edit === (way === "edit"));
  const kinds = [...fitted[way], ...Deno.args.map(ruleOf)];
  const rows = found.flatMap((item) => toRows(item, way, kinds));
  const model = fit(rows, kinds);
  print(`\nAsked with the ${way}\nbase: ${shift(model.base, least[way]).toFixed(2)}\n`);
  for (const [i, kind] of kinds.entries()) {
    const having = rows.filter((row) => row.x[i] > 0);
    const judged = having.filter((row) => row.judged);
    const right = judged.filter((row) => row.y === 1).length;
    const weight = model.weights.get(kind)!.toFixed(2);
    print(`  ${kind}: ${weight}, // ${right} of ${judged.length}, ${having.length} in all\n`);
  }
  for (const set of historySets) {
    const some = found.filter((item) => item.set === set);
    print(
      `${set}, fitted on all: ${
        describe([sum(some.map((item) => judgeCase(item, model, { way })))])
      }\n`,
    );
  }
  const validated = crossValidate(all, way, kinds);
  for (const point of points) {
    const from = least[way] + point;
    for (const sets of [...historySets.map((set) => [set]), historySets]) {
      const said = tally(validated, { way, sets, from });
      print(`${sets.join(" and ")}, other commits, from ${from.toFixed(2)}: ${describe(said)}\n`);
    }
  }
}

function describe(totals: Said[]): string {
  const show = (value: (said: Said) => number): string => mean(totals, value).toFixed(3);
  return `said ${show((item) => item.said)}, right ${show((item) => item.right)}, not judged ${
    show((item) => item.unjudged)
  }; precision ${show((item) => item.right / item.said)}, of judged ${
    show((item) => item.right / (item.said - item.unjudged))
  }, recall ${show((item) => item.right / item.relevant)}, silence ${
    show((item) => item.kept / item.silent)
  }`;
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

await main();
