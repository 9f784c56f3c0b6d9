// `ctx cost`: the ledger of tokens, by day and model.

import { parseWhen } from "../../core/time.ts";
import { readUsage } from "../../store/logs/usage.ts";
import { define } from "../../table/command.ts";
import { openLedgerStore } from "../../ask/llm_settings.ts";
import * as s from "../../table/shape.ts";
import { toTable } from "../../table/view.ts";

const spent = {
  ...s.each(s.number(), "calls", "input_tokens", "output_tokens", "total_tokens"),
};

const dayRow = s.object({
  ...s.each(s.text(), "day", "model", "provider"),
  ...spent,
});

/** Shows what models have cost in tokens. */
export const cost = define({
  name: "cost",
  group: "Agent",
  summary: "Show the ledger: calls and tokens of models, by day and model.",
  description:
    "Every call of a model by ask, chat and eval is a line in the ledger of your own store, across all workspaces; llm.daily_token_cap counts from it.",
  input: {
    since: s.optionalText("Only from this time on (date, timestamp or 30d)."),
  },
  output: {
    ...spent,
    today_tokens: s.number(),
    daily_token_cap: s.number(),
    days: s.listOf(dayRow),
  },
  effect: "read",
  local: true,
  examples: [{ argv: ["cost"], about: "How many tokens have been used?" }],
  async run(input, context) {
    const since = input.since && parseWhen(input.since, context.now());
    const store = await openLedgerStore(context, {});
    const today = new Date(context.now()).toISOString().slice(0, 10);
    const days = new Map<string, s.ValueOf<typeof dayRow>>();
    let today_tokens = 0;
    for (const row of readUsage(store.files, store.layout)) {
      const total = row.input_tokens + row.output_tokens;
      const day = row.ts.slice(0, 10);
      if (day === today) today_tokens += total;
      if (since !== undefined && row.ts < since) continue;
      const key = `${day}\0${row.model}\0${row.provider}`;
      const sum = days.get(key) ?? { day, model: row.model, provider: row.provider, ...nothing };
      days.set(key, {
        ...sum,
        calls: sum.calls + 1,
        input_tokens: sum.input_tokens + row.input_tokens,
        output_tokens: sum.output_tokens + row.output_tokens,
        total_tokens: sum.total_tokens + total,
      });
    }
    const rows = [...days.values()].sort((a, b) => a.day < b.day ? 1 : a.day > b.day ? -1 : 0);
    return {
      calls: rows.reduce((sum, row) => sum + row.calls, 0),
      input_tokens: rows.reduce((sum, row) => sum + row.input_tokens, 0),
      output_tokens: rows.reduce((sum, row) => sum + row.output_tokens, 0),
      total_tokens: rows.reduce((sum, row) => sum + row.total_tokens, 0),
      today_tokens,
      daily_token_cap: (await context.readConfig()).get("llm.daily_token_cap"),
      days: rows,
    };
  },
  render(data, view) {
    if (data.calls === 0) return "No model was called.\n";
    const rows = data.days.map((row) => [
      row.day,
      view.bold(row.model),
      `${row.calls} calls`,
      `${row.input_tokens} in`,
      `${row.output_tokens} out`,
      view.dim(row.provider),
    ]);
    const cap = data.daily_token_cap > 0 ? ` of ${data.daily_token_cap}` : "";
    return `${
      toTable(rows)
    }\n${data.calls} calls, ${data.total_tokens} tokens; today ${data.today_tokens}${cap}\n`;
  },
});

const nothing = { calls: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
