// `ctx purge`: everything that matches a pattern leaves the store, and a scan proves it.

import { findDerived } from "../../store/lifecycle/derived.ts";
import {
  findMatchingIds,
  purge as purgeLines,
  scanForPattern,
} from "../../store/lifecycle/purge_store.ts";
import { findRevived } from "../../store/lifecycle/revived.ts";
import { define } from "../../command/command.ts";
import { recordAct } from "../../command/record_act.ts";
import { describeDerived, renderInSpace, renderRevived } from "./forget.ts";
import { findPushed } from "../../store/team/pushed_log.ts";
import { type Example, example, findExamples, renderExamples } from "../../view/shown_entries.ts";
import * as s from "../../command/shape.ts";
import { isPinOf } from "../../store/logs/pins.ts";
import { refuseUsersPins } from "../../store/logs/users_pins.ts";
import { countOf, toTable } from "../../command/view.ts";

const hit = s.object({ path: s.text(), lines: s.number(), ours: s.boolean() });

const modes = ["purge", "verify", "dry_run"] as const;

export const purge = define({
  name: "purge",
  summary: "Delete everything that matches a regular expression.",
  description:
    "Deletes matching entries at once, with everything made from them (as `forget` does), from history, archive, index, vectors, traces, pins, summary, quarantine and chats. The receipt lists what was deleted and what a scan of every file still found. --verify only scans, and exits with 5 if something in ctx's own files still matches. Lookarounds and backreferences are not supported. config.jsonc and files of other programs are reported, never changed. Entries of other team members are deleted from this disk, not from theirs, and are not pulled again. Files you exported are not searched. An entry that only a purged entry had corrected counts again (`revived`). The pattern itself is never stored.",
  input: {
    pattern: s.text("A regular expression, matched against every text.", 1),
    ignore_case: s.flag("Ignore upper and lower case."),
    verify: s.flag("Only scan the store's files for matches."),
    dry_run: s.flag("Show what would be deleted; change nothing."),
  },
  output: {
    entries: s.number(),
    ids: s.listOf(s.text()),
    /** Those of them that do not match: other revisions, and an agent's later summaries. */
    ...s.each(s.listOf(s.text()), "derived", "revived"),
    ...s.each(s.number(), "other_lines", "scanned_files", "scanned_bytes"),
    /** How many of them the team has: with the next sync they go there too. */
    in_space: s.optional(s.number()),
    mode: s.oneOf(modes),
    verified: s.boolean(),
    remaining: s.listOf(hit),
    ts: s.text(),
    /** Of a dry run: some of what would go, without the words that match. */
    examples: s.optional(s.listOf(example)),
  },
  short: { i: "ignore_case" },
  positional: ["pattern"],
  effect: "destroy",
  destroys: ({ verify }) => !verify,
  question(_input, planned) {
    if (planned === undefined || planned.verified) return undefined;
    const lines = planned.remaining.reduce((sum, { lines, ours }) => sum + (ours ? lines : 0), 0);
    const entries = countOf(planned.entries, "entry", "entries");
    return `Purge ${entries} and ${countOf(lines, "matching line")} for good?`;
  },
  examples: [
    {
      argv: ["forget", "--purge", "internal-[0-9]+", "--dry-run"],
      about: "Show what would be deleted.",
    },
    { argv: ["forget", "--purge", "internal-[0-9]+", "--verify"], about: "Check that it is gone." },
  ],
  async run(input, context) {
    const { compilePattern } = await import("../../core/pattern.ts");
    const store = await context.openStore();
    const pattern = compilePattern(input.pattern, { ignoreCase: input.ignore_case });
    const matches = (value: string): boolean => pattern.test(value);
    const before = scanForPattern(store, matches);
    const act = !input.verify && !input.dry_run && before.hits.some((item) => item.ours);
    const find = (): { ids: string[]; derived: string[] } => {
      const matching = findMatchingIds(store, matches);
      const derived = findDerived(store, new Set(matching));
      return { ids: [...matching, ...derived], derived };
    };
    let { ids, derived } = input.verify ? { ids: [], derived: [] } : find();
    if (act) {
      const isPinned = isPinOf(ids);
      refuseUsersPins(store, context, {
        action: "purge",
        isMeant: (pin) => isPinned(pin) || matches(pin.text),
      });
    }
    let revived = findRevived(store, new Set(ids));
    let lines = 0;
    let inSpace = findPushed(store, new Set(ids)).size;
    if (act) {
      await store.write("purge", (writer) => {
        ({ ids, derived } = find());
        revived = findRevived(store, new Set(ids));
        inSpace = findPushed(store, new Set(ids)).size;
        lines = purgeLines(writer, ids, matches);
      });
      recordAct(store, context, { act: "erase", count: ids.length, command: "purge" });
    }
    const after = act ? scanForPattern(store, matches) : before;
    return {
      entries: ids.length,
      ids: ids.slice(0, 1000),
      derived: derived.slice(0, 1000),
      revived: revived.slice(0, 1000),
      other_lines: lines,
      ...(inSpace > 0 ? { in_space: inSpace } : {}),
      mode: modeOf(input),
      verified: !after.hits.some((item) => item.ours),
      remaining: after.hits,
      scanned_files: after.files,
      scanned_bytes: after.bytes,
      ts: new Date(context.now()).toISOString(),
      ...(input.dry_run && !input.verify
        ? { examples: findExamples(store, ids).map((row) => withoutMatch(row, matches)) }
        : {}),
    };
  },
  render(data, view) {
    const entries = countOf(data.entries, "entry", "entries") +
      describeDerived(data.derived.length);
    const what = `${entries}, ${countOf(data.other_lines, "other line")}`;
    const done = data.mode === "purge"
      ? `Purged ${what}.\n${renderInSpace(data.in_space)}${renderRevived(data.revived, false)}`
      : data.mode === "dry_run"
      ? `Would purge ${entries}${data.examples?.length ? ":" : "."}\n` +
        renderExamples({ examples: data.examples ?? [], count: data.entries }, view) +
        renderInSpace(data.in_space) + renderRevived(data.revived, true)
      : "";
    const scan = `Scanned ${countOf(data.scanned_files, "file")}, ${
      view.size(data.scanned_bytes)
    }: `;
    if (data.remaining.length === 0) return `${done}${scan}no match.\n`;
    const rows = data.remaining.map((item) => [
      view.bold(item.path),
      countOf(item.lines, "matching line"),
      item.ours ? "" : "not changed by purge",
    ]);
    return `${done}${scan}matches in\n${toTable(rows)}\n`;
  },
  failure: (data) => data.verified || data.mode === "dry_run" ? undefined : "STORE_CORRUPT",
});

/** What is purged is often a secret: it is not repeated where others may read along. */
function withoutMatch(row: Example, matches: (text: string) => boolean): Example {
  return row.title !== undefined && matches(row.title) ? { ...row, title: "(it matches)" } : row;
}

function modeOf({ verify, dry_run }: { verify: boolean; dry_run: boolean }): typeof modes[number] {
  if (verify) return "verify";
  return dry_run ? "dry_run" : "purge";
}
