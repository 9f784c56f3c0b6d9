// `ctx compact`: old entries leave the hot log for the archive, with a summary of what they say.

import { digestArchive } from "../../store/lifecycle/digest.ts";
import { compactStore, planCompact } from "../../store/lifecycle/compact_store.ts";
import type { Store } from "../../store/store.ts";
import { isSummaryStale, type Summary } from "../../store/summary.ts";
import { writeSummary } from "../../store/write_summary.ts";
import { type Context, define } from "../../command/command.ts";
import { summarizeWithModel } from "../../ask/model_summary.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

const dayMs = 86_400_000;

export const compact = define({
  name: "compact",
  summary: "Move old entries to the archive and summarize them.",
  description:
    "An entry moves when it is older than --older-than days and not among the newest --keep. Archived entries are searched and read like all others. summary.md gets their summary; text you write outside ctx's marks is kept. Safe to interrupt at any time.",
  input: {
    keep: s.integer("Newest entries to keep out of the archive.", { min: 0, default: 200 }),
    older_than: s.integer("Archive only entries older than this, in days.", { min: 0, default: 7 }),
    dry_run: s.flag("Show what would move; change nothing."),
  },
  output: {
    ...s.each(s.number(), "moved", "kept"),
    summary: s.oneOf(["unchanged", "extractive", "model"]),
    dry_run: s.boolean(),
  },
  effect: "write",
  access: "provider",
  examples: [{
    argv: ["compact", "--keep", "200", "--older-than", "30", "--dry-run"],
    about: "Show what would move.",
  }],
  async run(input, context) {
    const store = await context.openStore();
    const options = { keep: input.keep, beforeMs: context.now() - input.older_than * dayMs };
    if (input.dry_run) {
      const { moved, kept } = planCompact(store, options);
      return { moved, kept, summary: "unchanged" as const, dry_run: true };
    }
    const { moved, kept } = await compactStore(store, options);
    const summary = isSummaryStale(store) ? await summarise(store, context) : "unchanged" as const;
    return { moved, kept, summary, dry_run: false };
  },
  trace: (input) => ({
    args: { ...input },
    budgets: { keep: input.keep, older_than_days: input.older_than },
  }),
  render(data) {
    const what = countOf(data.moved, "entry", "entries");
    if (data.dry_run) return `Would move ${what} to the archive and keep ${data.kept} out of it.\n`;
    const summary = data.summary === "unchanged" ? "" : " summary.md was updated.";
    if (data.moved === 0) return `Nothing to compact.${summary}\n`;
    return `Moved ${what} to the archive; ${data.kept} stay out of it.${summary}\n`;
  },
});

/** The digest is made and a model is asked without the lock; only the result is written under it. */
async function summarise(store: Store, context: Context): Promise<Summary["kind"]> {
  const digest = digestArchive(store);
  const summary = await askModel(digest, context) ?? digest;
  const keptEdit = await store.write("compact", (writer) => writeSummary(writer, summary));
  if (keptEdit) {
    context.warn(
      "summary.md was edited between ctx's marks; your text was kept above them",
    );
  }
  return summary.kind;
}

async function askModel(digest: Summary, context: Context): Promise<Summary | undefined> {
  try {
    const text = context.summarize
      ? await context.summarize(digest.text, context.signal)
      : await summarizeWithModel(digest.text, context);
    return text === undefined || text.trim() === ""
      ? undefined
      : { ...digest, kind: "model", text };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.warn(`the model returned no summary (${reason}); wrote an extractive one instead`);
    return undefined;
  }
}
