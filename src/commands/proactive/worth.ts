// `ctx worth`: what giving agents memory cost, and what of it they used.

import { parseWhen } from "../../core/time.ts";
import { findUse, useKey } from "../../recall/inject/uptake.ts";
import { type Injection, readGiven } from "../../store/logs/injection_log.ts";
import { define } from "../../table/command.ts";
import * as s from "../../table/shape.ts";
import { countOf, toTable } from "../../table/view.ts";

const sums = s.each(s.number(), "times", "lines", "followed", "used", "tokens");

/** Sums injections up. */
export const worth = define({
  name: "worth",
  group: "Proactive",
  summary: "Sum up what agents were given: lines, how many they used, tokens spent.",
  description:
    "By agent and event: how often something was given, how many lines, how many of them were followed by anything the agent said or did, how many of those it used, and the tokens that all of it cost. A line counts as used when the agent later names its id or touches its files, or when names or several longer words of it come back that the user had not said. Events without lines asked the agent to save what it learnt. Lines that are used rise in the next pack, lines that never are sink.",
  input: { since: s.optionalText("Only from this time on (date, timestamp or 7d).") },
  output: {
    total: s.object(sums),
    by: s.listOf(s.object({ ...s.each(s.text(), "agent", "event"), ...sums })),
  },
  effect: "read",
  examples: [{ argv: ["worth", "--since", "7d"], about: "Was the last week's memory of use?" }],
  async run({ since }, context) {
    const store = await context.openStore();
    const from = since && parseWhen(since, context.now());
    const rows = readGiven(store).filter(({ ts }) => !from || ts >= from);
    const uses = await findUse(store, rows);
    const by = new Map<string, Sums & { agent: string; event: string }>();
    const total: Sums = { ...nothing };
    for (const row of rows) {
      const { agent, event } = row;
      const key = `${agent}\0${event}`;
      const sum = by.get(key) ?? { agent, event, ...nothing };
      by.set(key, sum);
      for (const counts of [sum, total]) add(counts, row, uses.get(useKey(row))?.used);
    }
    return { total, by: [...by.values()].sort((a, b) => b.tokens - a.tokens) };
  },
  render({ total, by }) {
    if (by.length === 0) return "Nothing was given to an agent yet: ctx setup connects one.\n";
    const head = ["agent", "event", "times", "lines", "followed", "used", "tokens"];
    const cells = by.map((row) => [
      row.agent,
      row.event,
      ...[row.times, row.lines, row.followed, row.used, row.tokens].map(String),
    ]);
    const share = total.followed === 0 ? 0 : Math.round(100 * total.used / total.followed);
    return `${toTable([head, ...cells])}\n\n${countOf(total.lines, "line")} for ${
      countOf(total.tokens, "token")
    }; of ${total.followed} that anything followed, ${total.used} used (${share} %)\n`;
  },
});

type Sums = { times: number; lines: number; followed: number; used: number; tokens: number };
const nothing: Sums = { times: 0, lines: 0, followed: 0, used: 0, tokens: 0 };

function add(sum: Sums, { lines, tokens }: Injection, used: ReadonlySet<string> | undefined): void {
  sum.times++;
  sum.lines += lines.length;
  sum.tokens += tokens;
  if (used === undefined) return;
  sum.followed += lines.length;
  sum.used += lines.filter(({ id }) => used.has(id)).length;
}
