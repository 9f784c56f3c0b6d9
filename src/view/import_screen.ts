// `ctx import` on a terminal: what was read of each agent, what of it is kept, and what is not, and why.

import { besideMessages, type Receipt, receiptSchema } from "../intake/import/receipt.ts";
import * as s from "../command/shape.ts";
import { countOf, type View } from "../command/view.ts";
import { toFacts } from "./lists.ts";

/** What came out of an import. */
export const importShape = {
  workspace: s.text(),
  dry_run: s.boolean(),
  ...s.each(s.number(), "entries", "sessions", "records"),
  sources: s.listOf(receiptSchema),
};
/** One of them. */
export type ShownImport = s.ObjectOf<typeof importShape>;

/** A part for each agent, and the sum. */
export function toImportScreen(data: ShownImport, view: View): string {
  if (data.sources.length === 0) return "No agent's history was found on this machine.\n";
  const verb = data.dry_run ? "Would import" : "Imported";
  const records = data.records > 0 ? `; ${countOf(data.records, "record")} derived` : "";
  const parts = data.sources.map((receipt) => toPart(receipt, view));
  return `${parts.join("\n\n")}\n\n${verb} ${countOf(data.entries, "entry", "entries")} of ${
    countOf(data.sessions, "session")
  }${records}.\n`;
}

function toPart(receipt: Receipt, view: View): string {
  const { entries_known: known, sessions_imported: taken } = receipt;
  const isRead = receipt.messages > 0;
  const facts = [
    known > 0 && `${view.count(known)} known already`,
    receipt.superseded > 0 && `${view.count(receipt.superseded)} replaced an older version`,
    receipt.forgotten > 0 && `${view.count(receipt.forgotten)} stay forgotten`,
    receipt.redactions > 0 && `${countOf(receipt.redactions, "secret")} redacted`,
  ].filter((fact) => fact !== false).join(", ");
  const skipped = Object.values(receipt.sessions_skipped).reduce((sum, n) => sum + n, 0);
  const left = receipt.messages - receipt.messages_kept;
  const rows: [string, string | false][] = [
    [
      "read",
      isRead && `${countOf(receipt.messages, "message")}, ${view.size(receipt.bytes)}`,
    ],
    ["kept", isRead && `${countOf(receipt.messages_kept, "message")}${facts && `; ${facts}`}`],
    [
      "left out",
      left > 0 && `${countOf(left, "message")}: ${listReasons(receipt.messages_skipped, view)}`,
    ],
    ["beside", listReasons(besideMessages(receipt), view)],
    [
      "skipped",
      skipped > 0 &&
      `${countOf(skipped, "session")}: ${listReasons(receipt.sessions_skipped, view)}`,
    ],
    [
      "damaged",
      receipt.bad_lines > 0 &&
      `${countOf(receipt.bad_lines, "line")}, ${countOf(receipt.salvaged, "record")} saved`,
    ],
    [
      "refused",
      receipt.clashes > 0 &&
      `${countOf(receipt.clashes, "entry", "entries")} not taken, another entry has the id: ${
        receipt.clash_ids.slice(0, shown).join(", ")
      }${receipt.clashes > shown ? ", …" : ""}`,
    ],
    ...receipt.problems.slice(0, shown).map(({ path, reason }): [string, string] => [
      "unread",
      view.warning(`cannot read ${view.path(path)}: ${reason}`),
    ]),
    [
      "unread",
      receipt.problem_count > shown && `and ${view.count(receipt.problem_count - shown)} more`,
    ],
  ];
  const head = `${view.title(receipt.source)}${view.terminal ? " " : ":"} ${
    view.good(countOf(receipt.entries, "new entry", "new entries"))
  } in ${countOf(taken, "session")} of ${view.count(receipt.sessions_seen)}`;
  const lines = rows.map(([name, value]): [string, string | false] => [`  ${name}`, value]);
  return [head, ...toFacts(lines, { view, left: 12 })].join("\n");
}

const shown = 5;

/** Why something is not taken, in words; what is not here is said as it is counted. */
const words: Record<string, string> = {
  unchanged: "read before, unchanged",
  nothing_new: "with nothing new",
  other_project: "of other projects (--all-projects)",
  no_project: "of no project (--all-projects)",
  before_since: "before --since",
  empty_message: "empty",
  harness_text: "of the agent's own machinery",
  partial_message: "in parts that came whole later",
  restored_by_ctx: "that ctx itself wrote",
  unreadable: "that could not be read",
  other_records: "records that are no messages",
  empty_file: "empty files",
  notice: "notices of the agent",
};

function listReasons(counts: Record<string, number>, view: View): string {
  return Object.entries(counts).sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => {
      const said = words[reason] ?? reason.replace(/^message:/, "").replaceAll("_", " ");
      return `${view.count(count)} ${said}`;
    }).join(", ");
}
