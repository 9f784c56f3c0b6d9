// What agents' sessions cost, for people: a row for each value, the sum, and what is not in it.

import * as s from "../command/shape.ts";
import { countOf, toTable, type View } from "../command/view.ts";
import { costKeys } from "../read/cost/sum_charges.ts";

export const spent = s.each(s.number(), "calls", "input_tokens", "output_tokens", "total_tokens");
const sum = s.each(
  s.number(),
  "requests",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cache_write_1h_tokens",
  "total_tokens",
  "usd",
  "unpriced_tokens",
);

export const costShape = {
  ...sum,
  by: s.oneOf(costKeys),
  ...s.each(s.number(), "groups"),
  costs: s.listOf(s.object({ name: s.text(), title: s.optional(s.text()), ...sum })),
  prices: s.object({ date: s.text(), own: s.number() }),
  unpriced_models: s.listOf(s.text()),
  pr: s.optional(s.object({
    base: s.optional(s.text()),
    because: s.optional(s.text()),
    ...s.each(s.number(), "commits", "unattributed", "other_usd", "other_tokens"),
  })),
  own_calls: s.optional(s.object({
    ...spent,
    ...s.each(s.number(), "today_tokens", "daily_token_cap"),
    days: s.listOf(s.object({ ...s.each(s.text(), "day", "model", "provider"), ...spent })),
  })),
};
type CostData = s.ObjectOf<typeof costShape>;
export type OwnCalls = NonNullable<CostData["own_calls"]>;

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
