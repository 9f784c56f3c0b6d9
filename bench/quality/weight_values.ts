// Which values of a weight `tune` looks at: what ships, a half, four fifths, five quarters and twice that,
// and the value at which it does nothing.

import { shippedAt, weightPaths } from "./weight_paths.ts";

/** A value of a weight, and what it is called. */
export interface WeightValue {
  name: string;
  value: number;
}

/** Limits of work, floors (see `floor`) and what no set has rows for. */
const notTuned =
  /^floor\.|^(maxTerms|pool|pin|session|superseded)$|\.(reach|sources|prompts|words|rows)$/;

/** The weights that the sets can judge. */
export function tunedPaths(): string[] {
  return weightPaths().filter((path) => !notTuned.test(path));
}

/** Values to look at, what ships first; "off" is last where there is one. */
export function valuesAt(path: string): WeightValue[] {
  const shipped = shippedAt(path);
  const off = offAt(path);
  const tried = [0.5, 0.8, 1.25, 2].map((factor) => ({
    name: `×${factor}`,
    value: Number((shipped * factor).toPrecision(4)),
  })).filter(({ value }) => value !== shipped && value !== off);
  const values = [{ name: "shipped", value: shipped }, ...tried];
  if (off !== undefined && off !== shipped) values.push({ name: "off", value: off });
  return values;
}

/** The value at which a weight does nothing. */
function offAt(path: string): number | undefined {
  if (/^k1$|halfLife|^field\.text$/.test(path)) return undefined;
  if (path === "loosePivot") return 0;
  return factors.test(path) ? 1 : 0;
}

/** Weights that a score is multiplied by. */
const factors = /^(bare|record|saved|timed|times\.(inside|near))$|factor$/;
