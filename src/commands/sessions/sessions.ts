// `ctx sessions` (also `list`, `index`): sessions by what is known of them.

import { parseUntil, parseWhen } from "../../core/time.ts";
import { fitRows } from "../../table/budget.ts";
import { define } from "../../table/command.ts";
import * as s from "../../table/shape.ts";
import { countOf, toTable } from "../../table/view.ts";

/** Lists sessions, newest first. */
export const sessions = define({
  name: "sessions",
  aliases: ["list", "index", "session list"],
  group: "Sessions",
  summary: "List sessions, newest first.",
  input: {
    project: s.optionalText("Only projects whose path contains this."),
    source: s.optionalText("Only sessions of this agent."),
    branch: s.optionalText("Only sessions on this branch."),
    since: s.optionalText("Only sessions that went on after this time (date, timestamp or 7d)."),
    until: s.optionalText("Only sessions that began up to this time; a date includes its day."),
    limit: s.integer("Sessions to show.", { min: 1, max: 1000, default: 20 }),
    offset: s.integer("Sessions to pass over.", { min: 0, default: 0 }),
    max_tokens: s.optionalInteger("Show only the first sessions that fit.", { min: 50 }),
  },
  output: {
    total: s.number(),
    offset: s.number(),
    sessions: s.listOf(s.object({
      ...s.each(s.text(), "id", "title", "started", "ended", "first_user_line"),
      ...s.each(s.optional(s.text()), "project", "source", "branch"),
      open: s.boolean(),
      ...s.each(s.number(), "message_count", "estimated_tokens", "files_touched"),
    })),
    over_budget: s.number(),
    estimated_tokens: s.number(),
  },
  effect: "read",
  tool: "list",
  examples: [{ argv: ["sessions", "--limit", "2"], about: "The two newest sessions." }],
  async run(input, context) {
    const store = await context.openStore();
    const since = input.since && parseWhen(input.since, context.now());
    const until = input.until && parseUntil(input.until, context.now());
    // A server lists this command at every start and seldom runs it.
    const { readSessionList } = await import("../../browse/session_list.ts");
    const rows = readSessionList(store).filter((row) =>
      (input.project === undefined || (row.project ?? "").includes(input.project)) &&
      (input.source === undefined || row.source === input.source) &&
      (input.branch === undefined || row.branch === input.branch) &&
      (since === undefined || row.ended >= since) &&
      (until === undefined || row.started <= until)
    );
    const page = rows.slice(input.offset, input.offset + input.limit);
    const { rows: sessions, ...budget } = fitRows(page, input.max_tokens);
    return { total: rows.length, offset: input.offset, sessions, ...budget };
  },
  render(data, view) {
    if (data.sessions.length === 0) return "No sessions.\n";
    const rows = data.sessions.map((row) => [
      view.bold(row.id),
      view.dim(row.ended.slice(0, 16).replace("T", " ")),
      countOf(row.message_count, "entry", "entries"),
      row.source ?? "",
      row.title,
    ]);
    const last = data.offset + data.sessions.length;
    const more = last < data.total ? `; more with --offset ${last}` : "";
    return `${toTable(rows)}\n${view.dim(`${countOf(data.total, "session")}${more}`)}\n`;
  },
});
