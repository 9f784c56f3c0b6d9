// The figures of the sets, and of all of them, side by side.

import type { BenchTable } from "../support/table.ts";
import { addShares, type Score, type Share } from "./score.ts";

const asRatio = ({ right, of }: Share): string =>
  of === 0 ? "" : `${(right / of).toFixed(2)} (${right} of ${of})`;
const asCount = ({ right, of }: Share): string => of === 0 ? "" : `${right} of ${of}`;

const measures: [string, keyof Score, (share: Share) => string][] = [
  ["derived lines right", "derived", asRatio],
  ["facts they tell", "derivedFacts", asCount],
  ["facts of strength 3", "derivedStrong", asCount],
  ["candidates right", "candidates", asRatio],
  ["facts told with candidates", "allFacts", asCount],
  ["of strength 3 with candidates", "allStrong", asCount],
  ["review: first 30 right", "reviewFirst", asRatio],
  ["strength 3 told, or in the first 30 to review", "reviewFirstStrong", asCount],
  ["review: strength 3 in all lines", "reviewStrong", asCount],
  ["pack lines right", "packs", asRatio],
  ["of what packs should tell", "packFacts", asCount],
  ["superseded facts in packs", "superseded", asCount],
  ["prompts: said where needed", "spoken", asCount],
  ["prompts: silent elsewhere", "silent", asCount],
  ["titles right", "titles", asCount],
];

/** One table, without the measures that nothing was measured of. */
export function toTable(
  measured: readonly { name: string; score: Score; unmatched: readonly unknown[] }[],
  { isWithGit }: { isWithGit: boolean },
): BenchTable {
  const withAll = <T>(cells: T[], all: T): T[] => cells.length > 1 ? [...cells, all] : cells;
  const hasCandidates = measured.some(({ score }) => score.candidates.of > 0);
  const rows = measures.filter(([, name]) => hasCandidates || !name.startsWith("all"))
    .map(([title, name, print]) => {
      const shares = measured.map(({ score }) => score[name]);
      return [title, ...withAll(shares, addShares(shares)).map(print)];
    })
    .filter(([, ...cells]) => cells.some((cell) => cell !== ""));
  const unread = measured.map(({ unmatched }) => unmatched.length);
  const sum = unread.reduce((all, count) => all + count, 0);
  return {
    title: `What is told, ${isWithGit ? "with" : "without"} git history`,
    head: ["measure", ...withAll(measured.map(({ name }) => name), "all")],
    rows: [...rows, ["lines without a verdict", ...withAll(unread, sum)]],
  };
}
