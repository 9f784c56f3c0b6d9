// Requests added up, by what people ask for. Pure.

import { toLocalDay } from "../../core/time/local_day.ts";
import type { ModelPrices } from "./model_prices.ts";
import { type Charge, type ChargedTokens, priceOf } from "./read_charges.ts";

export const costKeys = ["agent", "model", "project", "branch", "day", "week", "session"] as const;
/** One of `costKeys`. */
export type CostKey = typeof costKeys[number];

export interface CostSum extends ChargedTokens {
  requests: number;
  total_tokens: number;
  usd: number;
  /** Tokens of models without a price: they are not in `usd`. */
  unpriced_tokens: number;
}

export function sumCharges(charges: readonly Charge[], prices: ModelPrices): CostSum {
  const sum: CostSum = {
    requests: charges.length,
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    total_tokens: 0,
    usd: 0,
    unpriced_tokens: 0,
  };
  for (const charge of charges) {
    for (const name of counted) sum[name] += charge[name];
    const total = charge.input_tokens + charge.output_tokens + charge.cache_read_tokens +
      charge.cache_write_tokens;
    sum.total_tokens += total;
    const usd = priceOf(charge, prices);
    if (usd === undefined) sum.unpriced_tokens += total;
    else sum.usd += usd;
  }
  return { ...sum, usd: Math.round(sum.usd * 1e6) / 1e6 };
}

const counted = [
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cache_write_1h_tokens",
] as const;

/** The sums of each value: times newest first, anything else the dearest first. */
export function sumBy(
  charges: readonly Charge[],
  by: CostKey,
  prices: ModelPrices,
): ({ name: string } & CostSum)[] {
  const rows = [...Map.groupBy(charges, (charge) => nameOf(charge, by))]
    .map(([name, some]) => ({ name, ...sumCharges(some, prices) }));
  return rows.sort((a, b) =>
    by === "day" || by === "week"
      ? (a.name < b.name ? 1 : -1)
      : b.usd - a.usd || b.total_tokens - a.total_tokens || (a.name < b.name ? -1 : 1)
  );
}

function nameOf(charge: Charge, by: CostKey): string {
  if (by === "day") return dayOf(charge);
  if (by === "week") return mondayOf(dayOf(charge));
  // What a sub-agent used is its starter's.
  if (by === "session") return charge.parent ?? charge.session;
  return charge[by] || "unknown";
}

function dayOf({ ts }: Charge): string {
  return toLocalDay(Date.parse(ts));
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - (date.getUTCDay() + 6) % 7);
  return date.toISOString().slice(0, 10);
}
