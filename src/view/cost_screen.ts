// What agents' sessions cost, for people: a row for each value, the sum, and what is not in it.

import { countOf, toTable, type View } from "../command/view.ts";
import type { CostSum } from "../read/cost/sum_charges.ts";

interface OwnDay {
  day: string;
  model: string;
  provider: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
}

interface CostData extends CostSum {
  by: string;
  groups: number;
  costs: readonly ({ name: string; title?: string } & CostSum)[];
  prices: { date: string; own: number };
  unpriced_models: readonly string[];
  pr?: {
    base?: string;
    because?: string;
    commits: number;
    unattributed: number;
    other_usd: number;
    other_tokens: number;
  };
  own_calls?: {
    calls: number;
    total_tokens: number;
    today_tokens: number;
    daily_token_cap: number;
    days: readonly OwnDay[];
  };
}

/** The screen of `ctx stats --cost`. */
export function toCostScreen(data: CostData, view: View): string {
  const own = data.own_calls && data.own_calls.calls > 0 ? `\n${toOwn(data.own_calls, view)}` : "";
  if (data.pr?.because) return `Nothing to add up: ${data.pr.because}\n${own}`;
  if (data.requests === 0) return `No tokens recorded in these sessions.\n${own}`;
  const rows = data.costs.map((row) => [
    view.bold(row.title ?? row.name),
    row.unpriced_tokens === row.total_tokens ? "unpriced" : toUsd(row.usd),
    `${view.count(row.total_tokens)} tokens`,
    view.dim(`${view.count(row.output_tokens)} out`),
    view.dim(`${view.count(row.cache_read_tokens)} from cache`),
    view.dim(countOf(row.requests, "request")),
  ]);
  const hidden = data.groups - data.costs.length;
  const lines = [
    toTable(rows).trimEnd(),
    ...(hidden > 0 ? [view.dim(`and ${view.count(hidden)} more (--limit)`)] : []),
    "",
    `Total: ${toUsd(data.usd)}, ${view.count(data.total_tokens)} tokens, ${
      countOf(data.requests, "request")
    }`,
    ...(data.unpriced_tokens > 0
      ? [
        `Unpriced: ${view.count(data.unpriced_tokens)} tokens of ${
          data.unpriced_models.join(", ")
        } (add prices to prices.jsonc)`,
      ]
      : []),
    ...(data.pr ? toPrLines(data.pr, view) : []),
    view.dim(
      `List prices of ${data.prices.date}${
        data.prices.own > 0 ? `, ${countOf(data.prices.own, "price")} of your own` : ""
      }`,
    ),
  ];
  return `${lines.join("\n")}\n${own}`;
}

/** An amount as people write it. */
export function toUsd(usd: number): string {
  return `$${usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

function toPrLines(
  { base, commits, unattributed, other_usd, other_tokens }: NonNullable<CostData["pr"]>,
  view: View,
): string[] {
  const share = commits === 0 ? 0 : Math.round(100 * unattributed / commits);
  return [
    `${countOf(commits, "commit")}${base ? ` since ${base}` : ""}: ${
      unattributed === 0
        ? `${commits === 1 ? "" : "all "}with a known session`
        : `${unattributed} (${share} %) without a known session, so their cost is missing`
    }`,
    ...(other_tokens > 0
      ? [
        `Other work in the same sessions, not included: ${toUsd(other_usd)}, ${
          view.count(other_tokens)
        } tokens`,
      ]
      : []),
  ];
}

function toOwn(own: NonNullable<CostData["own_calls"]>, view: View): string {
  const rows = own.days.map((row) => [
    row.day,
    view.bold(row.model),
    `${row.calls} calls`,
    `${view.count(row.input_tokens)} in`,
    `${view.count(row.output_tokens)} out`,
    view.dim(row.provider),
  ]);
  const cap = own.daily_token_cap > 0 ? ` of ${view.count(own.daily_token_cap)}` : "";
  return `Models that ctx itself called:\n${toTable(rows)}\n${view.count(own.calls)} calls, ${
    view.count(own.total_tokens)
  } tokens; today ${view.count(own.today_tokens)}${cap}\n`;
}
