// `ctx redactions`: what was taken out of entries before they were written, by which rule, and where.

import { findRedactions } from "../../browse/overview/find_redactions.ts";
import { parseWhen } from "../../core/time/parse_when.ts";
import { define } from "../../table/command.ts";
import { anySession } from "../../table/inputs.ts";
import { resolveSession } from "../../table/session_scope.ts";
import * as s from "../../table/shape.ts";
import { countOf, toTable } from "../../table/view.ts";

/** Lists redactions. */
export const redactions = define({
  name: "redactions",
  group: "Memory",
  summary: "List what redaction replaced: by which rule, in which entry, where.",
  description:
    "The marks `[REDACTED:rule]` in stored entries, newest first, with the words around the first of each rule in a field; the secrets themselves were never written. `rules` sums up all that is looked at, whichever --rule is asked for. A text that speaks of such a mark counts too. `ctx forget ID` removes an entry altogether.",
  input: {
    rule: s.optionalText("Only what this rule replaced."),
    session: anySession,
    since: s.optionalText("Only from this time on (2026-11-15, 7d, yesterday)."),
    limit: s.integer("Rows to show.", { min: 1, max: 1000, default: 20 }),
    offset: s.integer("Rows to pass over.", { min: 0, max: 1_000_000, default: 0 }),
  },
  output: {
    ...s.each(s.number(), "total", "marks", "offset"),
    rules: s.listOf(
      s.object({ rule: s.text(), ...s.each(s.number(), "count", "entries") }),
    ),
    redactions: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts", "type", "rule", "where", "snippet"),
      ...s.each(s.optional(s.text()), "session_id", "source"),
      count: s.number(),
    })),
  },
  list: { of: "redactions", columns: ["id", "ts", "rule", "count", "where", "snippet"] },
  effect: "read",
  examples: [{ argv: ["redactions", "--since", "7d"], about: "What was taken out this week." }],
  async run({ rule, session, since, limit, offset }, context) {
    const store = await context.openStore();
    const found = await findRedactions(store, {
      rule,
      session: resolveSession(session, store, context),
      since: since && parseWhen(since, context.now()),
      limit,
      offset,
      signal: context.signal,
    });
    return { offset, ...found };
  },
  render(data, view) {
    if (data.rules.length === 0) return "Nothing was redacted.\n";
    const sums = data.rules.map(({ rule, count, entries }) => [
      view.bold(rule),
      String(count),
      view.dim(`in ${countOf(entries, "entry", "entries")}`),
    ]);
    const rows = data.redactions.map((row) =>
      [
        `${view.id(row.id)}  ${view.time(row.ts)}  ${view.bold(row.rule)}${
          row.count > 1 ? ` ×${row.count}` : ""
        }  ${view.dim([row.where, row.source].filter(Boolean).join(" · "))}`,
        `  ${view.cut(row.snippet, view.width - 2)}`,
      ].join("\n")
    );
    const last = data.offset + data.redactions.length;
    const more = last < data.total
      ? [view.dim(`${data.total} in all · more: --offset ${last}`)]
      : [];
    return `${[toTable(sums), ...rows, ...more].join("\n\n")}\n`;
  },
});
