// Which weights of the ranking earn their place, and what choosing them on other data would give: every
// weight is tried at several values on four sets, one at a time, and chosen leave-one-set-out.
// Run: deno task bench tune [--weights PREFIX,PREFIX]; with CTX_BENCH_EVERY=3 only every third question
// of sets with more than 200.

import type { BenchTable } from "../support/table.ts";
import { bootstrap, signed, toDifference } from "./bootstrap.ts";
import { choose, type Judged, leaveOut, leavePartsOut } from "./choose.ts";
import { Measurer } from "./measurer.ts";
import type { Measured } from "./measure_setting.ts";
import { meanOf } from "./measures.ts";
import type { Setting } from "./weight_paths.ts";
import { tunedPaths, valuesAt, type WeightValue } from "./weight_values.ts";

/** The tables for `deno task bench tune`. */
export async function run(): Promise<BenchTable[]> {
  using measurer = await Measurer.open();
  const shipped = toJudged(await measurer.measure({ setting: {} }));
  const sets = Object.keys(shipped);
  if (sets.length === 0) return [{ title: "Tune: skipped, no sets", head: ["weight"], rows: [] }];
  const wanted = Deno.env.get("CTX_BENCH_WEIGHTS")?.split(",") ?? [""];
  const paths = tunedPaths().filter((path) => wanted.some((prefix) => path.startsWith(prefix)));
  const trials: Trial[] = [];
  for (const path of paths) {
    const trial = await tryWeight(path, { measurer, shipped });
    trials.push(trial);
    tell([...worthRow(trial, sets), ...choiceRow(trial, sets).slice(1)].join(" | "));
  }
  const combined = await measureCombined(trials, { measurer, shipped });
  const looked = `${measurer.settings} settings looked at`;
  return [
    {
      title: `nDCG@10 that each weight is worth: as shipped minus off, 95 % (${looked})`,
      head: ["weight", "shipped", "off", ...sets],
      rows: trials.map((trial) => worthRow(trial, sets)),
    },
    {
      title: "Chosen on the other sets, minus off (in brackets: chosen on its other parts too)",
      head: ["weight", "chosen for each", ...sets, "verdict"],
      rows: trials.map((trial) => choiceRow(trial, sets)),
    },
    combined,
  ];
}

/** It takes an hour: what is known so far goes to standard error. */
function tell(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** A weight with its values, and what each gives; those that do nothing on a set are as shipped there. */
interface Trial {
  path: string;
  values: WeightValue[];
  judged: Judged[];
  /** The sets on which some value changes something. */
  moved: string[];
}

interface Context {
  measurer: Measurer;
  shipped: Judged;
}

/** The extremes first: a set that they leave as it is needs no other value. */
async function tryWeight(path: string, { measurer, shipped }: Context): Promise<Trial> {
  const values = valuesAt(path);
  const settings = values.map(({ value }): Setting => ({ [path]: value }));
  const extremes = [...new Set([settings.length - 1, values.findIndex((v) => v.name === "×2")])]
    .filter((place) => place > 0);
  const judged: Judged[] = settings.map(() => shipped);
  await Promise.all(extremes.map(async (place) => {
    judged[place] = toJudged(await measurer.measure({ setting: settings[place] }));
  }));
  const moved = Object.keys(shipped).filter((set) =>
    extremes.some((place) => judged[place][set].some((q, i) => q.value !== shipped[set][i].value))
  );
  const others = settings.keys().filter((place) => place > 0 && !extremes.includes(place));
  if (moved.length > 0) {
    await Promise.all([...others].map(async (place) => {
      const setting = settings[place];
      const measured = await measurer.measure({ setting, sets: moved });
      judged[place] = { ...shipped, ...toJudged(measured) };
    }));
  }
  return { path, values, judged, moved };
}

function toJudged(measured: Measured): Judged {
  return Object.fromEntries(
    Object.entries(measured).map(([set, asked]) => [
      set,
      asked.filter(({ isAnswerable }) => isAnswerable)
        .map(({ fold, scores }) => ({ fold, value: scores.ndcg })),
    ]),
  );
}

/** What a weight is held against: off, or as shipped where it cannot be off. */
function baseOf({ values, judged }: Trial): Judged {
  const off = values.findIndex(({ name }) => name === "off");
  return judged[off < 0 ? 0 : off];
}

function worthRow(trial: Trial, sets: readonly string[]): (string | number)[] {
  const { path, values, judged, moved } = trial;
  const off = values.find(({ name }) => name === "off");
  const base = baseOf(trial);
  return [
    path,
    values[0].value,
    off?.value ?? "–",
    ...sets.map((set) => {
      if (!moved.includes(set)) return "0";
      if (off === undefined) return "–";
      return toDifference(bootstrap(differences(judged[0][set].map((q) => q.value), base[set])));
    }),
  ];
}

function choiceRow(trial: Trial, sets: readonly string[]): (string | number)[] {
  const { path, values, judged, moved } = trial;
  const base = baseOf(trial);
  const gains = sets.map((set) => {
    const { chosen, values: left } = leaveOut(judged, set);
    const parts = leavePartsOut(judged, set);
    return {
      set,
      chosen: values[chosen].value,
      isMoved: moved.includes(set),
      // With no other set that knows the weight, only its own other parts can choose it.
      isInformed: moved.some((other) => other !== set),
      left: bootstrap(differences(left, base[set])),
      parts: bootstrap(differences(parts, base[set])),
    };
  });
  return [
    path,
    gains.map(({ chosen }) => chosen).join(" / "),
    ...gains.map(({ isMoved, isInformed, left, parts }) => {
      if (!isMoved) return "0";
      return `${isInformed ? toDifference(left) : "–"} (${signed(parts.mean)})`;
    }),
    verdictOf(gains.filter(({ isMoved }) => isMoved)),
  ];
}

/** Whether a weight earns its place: chosen elsewhere it must hurt nowhere, and help in sum. */
export function verdictOf(
  gains: {
    set: string;
    isInformed: boolean;
    left: { mean: number; high: number };
    parts: { mean: number; high: number };
  }[],
): string {
  if (gains.length === 0) return "no set judges it";
  const counted = gains.map(({ set, isInformed, left, parts }) => ({
    set,
    gain: isInformed ? left : parts,
  }));
  const hurt = counted.filter(({ gain }) => gain.high < 0).map(({ set }) => set);
  if (hurt.length > 0) return `hurts ${hurt.join(", ")}`;
  const sum = counted.reduce((all, { gain }) => all + gain.mean, 0);
  return sum > 0.0005 ? "survives" : "no gain";
}

function differences(values: readonly number[], base: readonly { value: number }[]): number[] {
  return values.map((value, i) => value - base[i].value);
}

/** For each set, all weights at once as the other sets choose them. */
async function measureCombined(
  trials: readonly Trial[],
  { measurer, shipped }: Context,
): Promise<BenchTable> {
  const rows = await Promise.all(
    Object.keys(shipped).map(async (set) => {
      const setting: Setting = {};
      for (const { path, values, judged } of trials) {
        const chosen = choose(judged, (other) => other !== set);
        if (chosen !== 0) setting[path] = values[chosen].value;
      }
      const judged = toJudged(await measurer.measure({ setting, sets: [set] }));
      const before = shipped[set];
      const after = judged[set].map(({ value }) => value);
      return [
        set,
        meanOf(before.map(({ value }) => value)).toFixed(4),
        meanOf(after).toFixed(4),
        toDifference(bootstrap(differences(after, before))),
        Object.keys(setting).length,
      ];
    }),
  );
  return {
    title: "All weights at once, each as the other sets choose it",
    head: ["left-out set", "as shipped", "chosen elsewhere", "difference", "weights changed"],
    rows,
  };
}
