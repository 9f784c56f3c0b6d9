// Leave one set out: which value of a weight the other sets would choose, and what it gives on the set
// that had no say. Sets count the same, whatever their size. Questions about one thing (a session, a
// conversation) stay together when a set is cut into five parts.

/** A question's measure, by set. */
export type Judged = Record<string, { fold: string; value: number }[]>;

/** Says whether a question has a say: its set, and its place there. */
type HasSay = (set: string, at: number) => boolean;

/** The place of the candidate that is best where there is a say; of equal ones the first. */
export function choose(candidates: readonly Judged[], hasSay: HasSay): number {
  let [best, most] = [0, -Infinity];
  candidates.forEach((judged, place) => {
    const worth = worthOf(judged, hasSay);
    if (worth > most + 1e-9) [best, most] = [place, worth];
  });
  return best;
}

/** The mean of the sets' means. */
function worthOf(judged: Judged, hasSay: HasSay): number {
  let [sum, sets] = [0, 0];
  for (const [set, questions] of Object.entries(judged)) {
    const values = questions.filter((_, at) => hasSay(set, at)).map(({ value }) => value);
    if (values.length === 0) continue;
    sum += values.reduce((all, value) => all + value, 0) / values.length;
    sets++;
  }
  return sets === 0 ? 0 : sum / sets;
}

/** The measures of a set with what all other sets choose, and the place of that candidate. */
export function leaveOut(
  candidates: readonly Judged[],
  set: string,
): { chosen: number; values: number[] } {
  const chosen = choose(candidates, (other) => other !== set);
  return { chosen, values: candidates[chosen][set].map(({ value }) => value) };
}

/** The measures of a set, each part with what the other sets and its other parts choose. */
export function leavePartsOut(candidates: readonly Judged[], set: string): number[] {
  const parts = partsOf(candidates[0][set].map(({ fold }) => fold));
  const chosen = [...new Set(parts)].map((part) => ({
    part,
    place: choose(candidates, (other, at) => other !== set || parts[at] !== part),
  }));
  return parts.map((part, at) => {
    const place = chosen.find((one) => one.part === part)?.place ?? 0;
    return candidates[place][set][at].value;
  });
}

/** For each fold, one of five parts of about the same size. */
export function partsOf(folds: readonly string[]): number[] {
  const sizes = [0, 0, 0, 0, 0];
  const parts = new Map<string, number>();
  const groups = Map.groupBy(folds, (fold) => fold);
  for (const [fold, { length }] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    const least = sizes.indexOf(Math.min(...sizes));
    parts.set(fold, least);
    sizes[least] += length;
  }
  return folds.map((fold) => parts.get(fold) ?? 0);
}
