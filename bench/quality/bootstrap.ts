// How sure a mean is: percentiles of resampled means, with numbers that are the same every time.
// Of the differences of two engines on the same questions it is the paired bootstrap.

import { seededRandom } from "../support/seeded_random.ts";
import { meanOf } from "./measures.ts";

/** A mean, and the bounds that hold 95 % of the resampled means. */
export interface Interval {
  mean: number;
  low: number;
  high: number;
}

/** Resamples some values; paired ones are given as their differences. */
export function bootstrap(values: readonly number[], times = 2000): Interval {
  const random = seededRandom(7);
  const count = values.length;
  const means = new Float64Array(times);
  for (let time = 0; time < times; time++) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += values[Math.floor(random() * count)];
    means[time] = count === 0 ? 0 : sum / count;
  }
  means.sort();
  const [low, high] = [means[Math.floor(0.025 * times)], means[Math.floor(0.975 * times) - 1]];
  return { mean: meanOf(values), low, high };
}

/** A mean and its bounds, for a table. */
export function toCell({ mean, low, high }: Interval): string {
  return `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** A difference and its bounds, for a table; `*` when the bounds leave zero out. */
export function toDifference({ mean, low, high }: Interval): string {
  const mark = low > 0 || high < 0 ? "*" : "";
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]${mark}`;
}

/** A number with its sign and three digits. */
export function signed(value: number): string {
  const text = value.toFixed(3);
  return value > 0 ? `+${text}` : text;
}
