// How telling a term is in a text of the workspace: rarer in files and more frequent in the text is
// more. Pure.

/** How rare a term is that stands in so many of all files. */
export function rarityOfTerm(holders: number, files: number): number {
  return Math.log((files + 1) / (Math.min(holders, files) + 0.5));
}

/** The weight of a term in a text in which it stands `count` times. */
export function termWeight(count: number, rarity: number): number {
  return (1 + Math.log(count)) * rarity;
}

/** What a file is kept with, so that its likeness to others can be told without reading it. */
export interface TermProfile {
  /** The length of the vector of all its terms. */
  norm: number;
  /** Its most telling terms that other files have too, and how often each stands in it. */
  telling: Record<string, number>;
}

/** How many telling terms a file is kept with. */
export const maxTelling = 40;

/** The profile of a text, given in how many of all files a term stands, that text included. */
export function profileOf(
  terms: ReadonlyMap<string, number>,
  { holdersOf, files }: { holdersOf: (term: string) => number; files: number },
): TermProfile {
  let square = 0;
  const shared: { term: string; count: number; weight: number }[] = [];
  for (const [term, count] of terms) {
    const holders = holdersOf(term);
    const weight = termWeight(count, rarityOfTerm(holders, files));
    square += weight ** 2;
    if (holders > 1) shared.push({ term, count, weight });
  }
  shared.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  return {
    norm: Math.round(Math.sqrt(square) * 1000) / 1000,
    telling: Object.fromEntries(
      shared.slice(0, maxTelling).map(({ term, count }) => [term, count]),
    ),
  };
}
