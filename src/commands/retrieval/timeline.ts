// `ctx timeline`: what came before and after an entry. Layer 1 of retrieval.

import { CtxError } from "../../core/errors.ts";
import { withCaution } from "../../core/instruction_like.ts";
import { firstLine } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import { findEntries } from "../../browse/find_entries.ts";
import { readTimeline } from "../../browse/read_timeline.ts";
import { fitRows } from "../../table/budget.ts";
import { define } from "../../table/command.ts";
import * as s from "../../table/shape.ts";
import { resolveSession } from "../../table/session_scope.ts";
import { toTable } from "../../table/view.ts";

/** Walks the neighbours of an entry. */
export const timeline = define({
  name: "timeline",
  group: "Retrieval",
  summary: "Show what came before and after an entry.",
  description:
    "The window stays within the entry's own session; `--session all` widens it to everything, in order of time. It crosses the border between hot and archived history.",
  input: {
    id: s.text("The entry in the middle (H-…).", 1),
    before: s.integer("Entries before it.", { min: 0, max: 50, default: 3 }),
    after: s.integer("Entries after it.", { min: 0, max: 50, default: 3 }),
    session: s.withDefault(
      s.text("own stays in the entry's session; all, current or an id.", 1),
      "own",
    ),
    max_tokens: s.optionalInteger("Show only the nearest entries that fit.", { min: 50 }),
  },
  output: {
    layer: s.oneOf(["L1"]),
    anchor_id: s.text(),
    session_id: s.nullable(s.text()),
    total: s.number(),
    has_more_before: s.boolean(),
    has_more_after: s.boolean(),
    results: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts", "role", "type", "summary"),
      ...s.each(s.optional(s.text()), "session_id", "title", "caution", "superseded_by"),
      pool: s.oneOf(["hot", "archive"]),
      message_index: s.number(),
      anchor: s.boolean(),
      estimated_tokens: s.number(),
    })),
    over_budget: s.number(),
    estimated_tokens: s.number(),
  },
  positional: ["id"],
  short: { b: "before", a: "after" },
  effect: "read",
  quick: true,
  tool: "timeline",
  examples: [{
    argv: ["timeline", "H-1m2ff20hgvzrprjcr", "--before", "1", "--after", "1"],
    about: "See the turn before and the turn after.",
  }],
  async run(input, context) {
    using store = (await context.openStore()).openView();
    const hit = (await findEntries(store, [input.id])).get(input.id);
    const anchor = hit?.forgotten ? undefined : hit?.row?.entry;
    const session = input.session === "own"
      ? anchor?.session_id
      : resolveSession(input.session, store, context);
    const outside = input.session !== "own" && session !== undefined &&
      anchor?.session_id !== session;
    if (anchor === undefined || outside) {
      const where = outside && anchor ? ` in session "${session}"` : "";
      throw new CtxError(
        "NOT_FOUND",
        `Cannot show the timeline of "${input.id}": no such entry${where}`,
        {
          hint: "ctx search QUERY finds ids",
        },
      );
    }
    const { before, after } = input;
    const window = await readTimeline(store, anchor, {
      before,
      after,
      everySession: input.session === "all",
    });
    const found = await findEntries(store, window.rows.map(({ entry }) => entry.id));
    const rows = window.rows.map(({ entry, pool, position }) => ({
      id: entry.id,
      ts: entry.ts,
      role: entry.role,
      type: entry.type,
      session_id: entry.session_id,
      title: entry.title,
      summary: entry.summary ?? firstLine(entry.text, 160),
      ...withCaution(entry.summary ?? entry.text),
      pool,
      message_index: position,
      anchor: entry.id === anchor.id,
      superseded_by: found.get(entry.id)?.superseded_by,
      estimated_tokens: countTokens(entry.text),
    }));
    const at = rows.findIndex((row) => row.anchor);
    const nearest = rows.toSorted((a, b) =>
      Math.abs(rows.indexOf(a) - at) - Math.abs(rows.indexOf(b) - at)
    );
    const fitted = fitRows(nearest, input.max_tokens);
    const results = rows.filter((row) => fitted.rows.includes(row));
    return {
      layer: "L1" as const,
      anchor_id: anchor.id,
      session_id: input.session === "all" ? null : anchor.session_id ?? null,
      total: window.total,
      has_more_before: window.has_more_before || results[0] !== rows[0],
      has_more_after: window.has_more_after || results.at(-1) !== rows.at(-1),
      results,
      over_budget: fitted.over_budget,
      estimated_tokens: fitted.estimated_tokens,
    };
  },
  trace(input, data) {
    return {
      args: { ...input },
      inputs: [input.id],
      session: input.session,
      ranking: data?.results.map(({ id }) => ({ id })) ?? [],
      total: data?.total,
    };
  },
  render(data, view) {
    const rows = data.results.map((row) => [
      row.anchor ? "→" : " ",
      row.anchor ? view.bold(row.id) : row.id,
      view.dim(row.ts.slice(0, 16).replace("T", " ")),
      row.role,
      (row.title ?? row.summary) +
      (row.superseded_by ? view.dim(` (corrected by ${row.superseded_by})`) : ""),
    ]);
    const more = `${data.has_more_before ? "earlier entries above; " : ""}${
      data.has_more_after ? "later entries below; " : ""
    }`;
    const where = data.session_id ?? "no session";
    return `${toTable(rows)}\n${view.dim(`${more}${data.total} in ${where}`)}\n`;
  },
});
