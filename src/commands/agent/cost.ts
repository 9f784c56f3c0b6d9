// `ctx cost`: the ledger of tokens, by day and model.

import { parseWhen } from "../../core/time/parse_when.ts";
import { readUsage, type UsageRow } from "../../store/logs/usage.ts";
import { define } from "../../command/command.ts";
import { openLedgerStores } from "../../ask/llm_settings.ts";
import * as s from "../../command/shape.ts";
import { toTable } from "../../command/view.ts";

const spent = s.each(s.number(), "calls", "input_tokens", "output_tokens", "total_tokens");

export const cost = define({
  name: "cost",
  summary: "Show model calls and tokens, by day and model.",
  description:
    "Each model call by ask, chat and eval is logged in your own store, across all workspaces; calls made by `ctx mcp` are logged in the workspace. llm.daily_token_cap counts both.",
  input: {
    since: s.optionalText("Only after this time (2026-11-15, 30d, last month)."),
  },
  output: {
    ...spent,
    ...s.each(s.number(), "today_tokens", "daily_token_cap"),
    days: s.listOf(s.object({ ...s.each(s.text(), "day", "model", "provider"), ...spent })),
  },
  effect: "read",
  local: true,
  examples: [{ argv: ["stats", "--cost"], about: "Show how many tokens were used." }],
  async run(input, context) {
    const since = input.since && parseWhen(input.since, context.now());
    const stores = await openLedgerStores(context, {});
    const today = new Date(context.now()).toISOString().slice(0, 10);
    const all = stores.flatMap(({ files, layout }) => [...readUsage(files, layout)]);
    const calls = all.filter((call) => !since || call.ts >= since);
    const byDay = Map.groupBy(
      calls,
      ({ ts, model, provider }) => `${ts.slice(0, 10)}\0${model}\0${provider}`,
    );
    const days = byDay.values().toArray().map((some) => {
      const { ts, model, provider } = some[0];
      return { day: ts.slice(0, 10), model, provider, ...sumUp(some) };
    });
    return {
      ...sumUp(calls),
      today_tokens: sumUp(all.filter(({ ts }) => ts.startsWith(today))).total_tokens,
      daily_token_cap: (await context.readConfig()).get("llm.daily_token_cap"),
      days: days.sort((a, b) => a.day < b.day ? 1 : a.day > b.day ? -1 : 0),
    };
  },
  render(data, view) {
    if (data.calls === 0) return "No model has been called yet.\n";
    const rows = data.days.map((row) => [
      row.day,
      view.bold(row.model),
      `${row.calls} calls`,
      `${view.count(row.input_tokens)} in`,
      `${view.count(row.output_tokens)} out`,
      view.dim(row.provider),
    ]);
    const cap = data.daily_token_cap > 0 ? ` of ${view.count(data.daily_token_cap)}` : "";
    return `${toTable(rows)}\n${view.count(data.calls)} calls, ${
      view.count(data.total_tokens)
    } tokens; today ${view.count(data.today_tokens)}${cap}\n`;
  },
});

function sumUp(calls: readonly UsageRow[]): s.ObjectOf<typeof spent> {
  const sum = (count: (call: UsageRow) => number): number =>
    calls.reduce((total, call) => total + count(call), 0);
  return {
    calls: calls.length,
    input_tokens: sum((call) => call.input_tokens),
    output_tokens: sum((call) => call.output_tokens),
    total_tokens: sum((call) => call.input_tokens + call.output_tokens),
  };
}
