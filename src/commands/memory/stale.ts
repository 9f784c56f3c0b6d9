// `ctx stale`, `ctx confirm`: what is still believed though the code under it has moved, and the word
// that it holds nevertheless.

import { CtxError } from "../../core/errors.ts";
import { confirmType } from "../../core/entry.ts";
import { summaryOf } from "../../core/rows/entry_summary.ts";
import { toLine } from "../../core/text.ts";
import { parseRange } from "../../core/time/parse_when.ts";
import { type CodeChange, freshnessNames } from "../../code/fresh/freshness.ts";
import { define } from "../../command/command.ts";
import { recordAct } from "../../command/record_act.ts";
import { savedBy } from "../../core/rows/saved_by.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

export const stale = define({
  name: "stale",
  summary: "List pins and decisions whose code has changed.",
  description:
    "An entry is stale once the code it is based on has changed: edits made in its session, lines it quotes in a fenced block, more than a tenth of the lines of a committed file it was saved with (`ctx save --file`), or files it names that were removed. Each comes with what changed and two next steps: correct it (`ctx save --supersedes ID`) or confirm it (`ctx records --confirm ID`). --all includes outcomes and fixes, which describe what was done at the time.",
  input: {
    since: s.optionalText("Only entries after this time (2026-11-15, 7d, yesterday)."),
    limit: s.integer("Entries to show.", { min: 1, max: 200, default: 20 }),
    all: s.flag("Include outcomes and fixes."),
  },
  output: {
    ...s.each(s.number(), "hits", "looked_at"),
    more: s.boolean(),
    results: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts", "type", "summary", "because", "supersede", "confirm"),
      ...s.each(s.optional(s.text()), "title", "session_id"),
      pinned: s.optional(s.boolean()),
      freshness: s.oneOf(freshnessNames),
      changed: s.optional(s.objectLike<CodeChange>()),
    })),
  },
  list: { of: "results", columns: ["id", "ts", "type", "freshness", "because", "summary"] },
  effect: "read",
  unscoped: true,
  tool: "stale",
  examples: [{
    argv: ["records", "--type", "stale", "--limit", "5"],
    about: "List what may be out of date.",
  }],
  async run({ since, limit, all }, context) {
    const store = await context.openStore();
    const { findStale } = await import("../../code/fresh/find_stale.ts");
    const from = parseRange({ since }, context.now()).since;
    const sinceMs = from === undefined ? undefined : Date.parse(from);
    const found = await findStale(store, { limit, all, sinceMs, signal: context.signal });
    return {
      hits: found.found.length,
      looked_at: found.looked,
      more: found.more,
      results: found.found.map(({ entry, told, isPinned }) => ({
        id: entry.id,
        ts: entry.ts,
        type: entry.type,
        title: entry.title,
        session_id: entry.session_id,
        ...(isPinned ? { pinned: true } : {}),
        summary: summaryOf(entry),
        freshness: told.freshness,
        changed: told.changed,
        because: told.changed?.says ?? "",
        supersede: `ctx save --supersedes ${entry.id} "…"`,
        confirm: `ctx records --confirm ${entry.id}`,
      })),
    };
  },
  brief: ({ results, more }) => ({
    results: results.map(({ id, ts, type, title, summary, because }) => ({
      id,
      ts: ts.slice(0, 10),
      kind: type,
      because,
      text: toLine(title ?? summary, 160),
    })),
    ...(more ? { more } : {}),
  }),
  render(data, view) {
    if (data.results.length === 0) {
      return `Nothing is stale (${countOf(data.looked_at, "entry", "entries")} checked).\n`;
    }
    const rows = data.results.map((row) =>
      [
        `${view.bold(row.id)}  ${view.dim(`${row.ts.slice(0, 10)} · ${row.type}`)}${
          row.pinned ? view.dim(" · pinned") : ""
        }`,
        view.wrap(toLine(row.title ?? row.summary, 200), within),
        view.wrap(view.warning(row.because), within),
        view.wrap(view.dim(`${row.supersede}   or   ${row.confirm}`), within),
      ].join("\n")
    );
    const more = data.more ? "\nMore: --limit, --since\n" : "\n";
    return `${rows.join("\n\n")}${more}`;
  },
});

const within = { first: "  ", indent: "  " };

export const confirm = define({
  name: "confirm",
  summary: "Confirm that an entry still holds after its code changed.",
  description: "Earlier changes are no longer reported; later ones are. `ctx undo` reverts it.",
  input: { id: s.naming("H", s.text("The entry's id (H-…).", 1)) },
  output: {
    ...s.each(s.text(), "id", "confirms"),
    lines: s.number(),
  },
  positional: ["id"],
  effect: "write",
  tool: "confirm",
  examples: [{
    argv: ["records", "--confirm", "H-1m2ff20hgvzrprjcr"],
    about: "Mark a decision as still valid.",
  }],
  async run({ id }, context) {
    const store = await context.openStore();
    const hit = store.find([id]).get(id);
    if (!hit?.row || hit.forgotten || hit.row.entry.type === confirmType) {
      throw new CtxError("NOT_FOUND", `Cannot confirm "${id}": there is no such entry`, {
        hint: "ctx records --type stale lists candidates; ctx search QUERY finds ids",
      });
    }
    if (hit.superseded_by !== undefined) {
      throw new CtxError(
        "USAGE",
        `Cannot confirm "${id}": it was corrected by ${hit.superseded_by}`,
        {
          hint: `ctx records --confirm ${hit.superseded_by}`,
        },
      );
    }
    const { entry } = hit.row;
    const { readGround } = await import("../../code/fresh/tell_freshness.ts");
    const ground = await readGround(store, entry);
    const [made] = await store.write("confirm", (writer) =>
      writer.append([{
        role: "note",
        type: confirmType,
        text: `Confirmed: ${toLine(entry.title ?? entry.text, 120)}`,
        refs: [id],
        ground,
        ...savedBy(context),
      }]).entries);
    recordAct(store, context, { act: "save", command: "confirm", ids: [made.id] });
    const lines = ground.reduce((sum, part) => sum + part.lines.length, 0);
    return { id: made.id, confirms: id, lines };
  },
  render: ({ confirms, lines }) =>
    `Confirmed ${confirms} against ${countOf(lines, "line")} of current code\n`,
});
