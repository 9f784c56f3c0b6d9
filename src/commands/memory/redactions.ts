// `ctx redactions`: what was taken out of entries before they were written, by which rule, and where.

import { findRedactions, redactionList } from "../../read/overview/find_redactions.ts";
import { parseWhen } from "../../core/time/parse_when.ts";
import { define } from "../../command/command.ts";
import { anySession, sinceTime } from "../../command/inputs.ts";
import { resolveSession } from "../../command/session_scope.ts";
import * as s from "../../command/shape.ts";
import { countOf, toTable, type View } from "../../command/view.ts";

export const redactions = define({
  name: "redactions",
  summary: "List redacted secrets by rule, entry and place.",
  description:
    "Lists the `[REDACTED:rule]` marks in stored entries, newest first, with the words around the first mark of each rule; the secrets themselves were never written. `rules` has the totals, whatever --rule is. Entries store how many secrets were replaced, so marks that a text only quotes are not counted (`quoted`). Older entries, and long imported ones, have no such number: there, every mark of a known rule counts, and `unsure` says how many. `ctx forget ID` removes an entry altogether.",
  input: {
    rule: s.optionalText("Only this rule."),
    session: anySession,
    since: sinceTime,
    limit: s.integer("Rows to show.", { min: 1, max: 1000, default: 20 }),
    offset: s.integer("Rows to skip.", { min: 0, max: 1_000_000, default: 0 }),
  },
  output: { offset: s.number(), ...redactionList },
  list: { of: "redactions", columns: ["id", "ts", "rule", "count", "where", "snippet"] },
  effect: "read",
  examples: [{ argv: ["redactions", "--since", "7d"], about: "List this week's redactions." }],
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
    if (data.rules.length === 0) return `Nothing redacted.${saidQuoted(data, view)}\n`;
    const sums = data.rules.map(({ rule, count, entries }) => [
      view.bold(rule),
      view.count(count),
      view.dim(`in ${countOf(entries, "entry", "entries")}`),
    ]);
    const rows = data.redactions.map((row) =>
      [
        `${view.id(row.id)}  ${view.time(row.ts)}  ${view.bold(row.rule)}${
          row.count > 1 ? ` ×${view.count(row.count)}` : ""
        }${row.unsure ? " (may be quoted)" : ""}  ${
          view.dim([row.where, row.source].filter(Boolean).join(" · "))
        }`,
        `  ${view.cut(row.snippet, view.width - 2)}`,
      ].join("\n")
    );
    const last = data.offset + data.redactions.length;
    const more = last < data.total
      ? [view.dim(`${view.count(data.total)} in all · more: --offset ${last}`)]
      : [];
    const unsure = data.unsure > 0
      ? [view.dim(
        view.wrap(
          `${
            view.count(data.unsure)
          } of these are in entries that do not record how many secrets were ` +
            "replaced; some may only quote such a mark.",
        ),
      )]
      : [];
    const quoted = saidQuoted(data, view).trim();
    const notes = [...unsure, ...(quoted === "" ? [] : [view.dim(quoted)])].join("\n");
    const parts = [toTable(sums), ...rows, ...more, ...(notes === "" ? [] : [notes])];
    return `${parts.join("\n\n")}\n`;
  },
});

/** How many marks count nowhere, because texts only quote them. */
function saidQuoted({ quoted }: { quoted: number }, view: View): string {
  if (quoted === 0) return "";
  return ` ${view.count(quoted)} ${quoted === 1 ? "mark is" : "marks are"} only quoted in texts.`;
}
