// `ctx records`: what was derived from sessions, and what was saved as the same kinds of knowledge.

import { recordTypes } from "../../core/rows/record.ts";
import { toLine } from "../../core/text.ts";
import { ageOf } from "../../core/time/age_of.ts";
import { parseRange } from "../../core/time/parse_when.ts";
import { define } from "../../command/command.ts";
import { anySession, pageInputs } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";
import { fitRows } from "../../command/budget.ts";
import { countOf } from "../../command/view.ts";

export const records = define({
  name: "records",
  summary: "List decisions, fixes and open points from your sessions.",
  description:
    "A record quotes its source and gives its id: `ctx get ID` shows the source, `ctx timeline ID` what was around it. Entries you saved with one of these types are listed too, as `saved`. Only records that are `certain` or `derived` are sent to agents; a `candidate` is a guess that only searches find. Superseded records are left out unless you pass --superseded. Correct a record with `ctx save TEXT --type TYPE --supersedes ID`, or remove it with `ctx forget ID`; the old version does not come back. `--type rule` lists standing instructions, `--type stale` pins and decisions whose code has changed.",
  input: {
    types: s.list(`Only these types: ${recordTypes.join(", ")}; or one of rule and stale.`),
    session: anySession,
    project: s.optionalText("Only projects whose path contains this."),
    file: s.optionalText("Only files whose path contains this."),
    since: s.optionalText("Only after this time (2026-11-15, 7d, yesterday)."),
    until: s.optionalText("Only up to this time; a date includes the whole day."),
    superseded: s.flag("Include superseded records."),
    ...pageInputs("Records", 30),
    max_tokens: s.optionalInteger("Only the first records that fit this limit.", { min: 50 }),
  },
  output: {
    ...s.each(s.number(), "total", "offset"),
    records: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts", "type", "by", "grade", "title", "text"),
      refs: s.listOf(s.text()),
      files: s.optional(s.listOf(s.text())),
      ...s.each(s.optional(s.text()), "session_id", "project", "superseded_by", "saved_by"),
    })),
    ...s.each(s.number(), "over_budget", "estimated_tokens"),
  },
  flags: { types: "type" },
  list: { of: "records", columns: ["id", "ts", "type", "session_id", "title", "text"] },
  effect: "read",
  examples: [
    { argv: ["records", "--type", "decision", "--limit", "5"], about: "Show recent decisions." },
    {
      argv: ["records", "--file", "auth", "--since", "30d"],
      about: "Show records about some files.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const { listRecords } = await import("../../recall/distil/list_records.ts");
    const now = context.now();
    const session = resolveSession(input.session, store, context);
    const rows = listRecords(store, {
      types: input.types.flatMap((word) => word.split(",")),
      session,
      project: input.project,
      file: input.file,
      ...parseRange(input, now),
      withSuperseded: input.superseded,
    });
    if (rows.length === 0 && session !== undefined) {
      await context.wholeIds("S", [input.session]);
    }
    const page = rows.slice(input.offset, input.offset + input.limit);
    const { rows: shown, ...budget } = fitRows(page, input.max_tokens);
    return { total: rows.length, offset: input.offset, records: shown, ...budget };
  },
  render(data, view) {
    if (data.records.length === 0) {
      return "No matching records. ctx import and ctx records --derive create them from sessions.\n";
    }
    const now = Date.now();
    const lines = data.records.map((row) => {
      const replaced = row.superseded_by === undefined ? "" : ` superseded by ${row.superseded_by}`;
      const head = `${view.bold(row.id)}  ${row.type}  ${toLine(row.title, 100)}`;
      const of = row.refs.length === 0 ? "" : `, of ${row.refs.join(" ")}`;
      const facts = `${ageOf(row.ts, now)}, ${row.by}${gradeOf(row)}${of}${replaced}`;
      const text = row.text === row.title ? "" : `${indent(row.text)}\n`;
      return `${head}\n${text}  ${view.dim(facts)}\n`;
    });
    const last = data.offset + data.records.length;
    const more = last < data.total ? `; more: --offset ${last}` : "";
    return `${lines.join("\n")}\n${view.dim(`${countOf(data.total, "record")}${more}`)}\n`;
  },
});

/** What was saved needs no grade. */
function gradeOf({ by, grade }: { by: string; grade: string }): string {
  return by === "saved" ? "" : `, ${grade}`;
}

function indent(text: string): string {
  return text.split("\n").map((line) => `  ${line}`).join("\n");
}
