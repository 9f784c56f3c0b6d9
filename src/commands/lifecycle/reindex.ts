// `ctx reindex`: brings the index up to the logs, whatever it takes.

import { isProviderError } from "../../core/errors.ts";
import { reindex as reindexStore } from "../../index/reindex_store.ts";
import { define } from "../../command/command.ts";
import { openEmbedder } from "../../command/open_embedder.ts";
import * as s from "../../command/shape.ts";
import { counterOf } from "../../command/view.ts";

export const reindex = define({
  name: "reindex",
  summary: "Update or rebuild the search index.",
  description:
    "Commands that write keep the index up to date, and search works without it, only slower. Run this after another program has written to the store, or when doctor or search suggests it. The index is derived, so deleting it loses nothing.",
  input: {
    full: s.flag("Rebuild the index from the logs."),
    vectors: s.flag(
      "Also request missing vectors from a remote embedder.",
    ),
  },
  output: {
    ...s.each(s.number(), "indexed_rows", "rows", "segments"),
    vectors: s.nullable(s.text()),
    model: s.nullable(s.text()),
    dim: s.nullable(s.number()),
  },
  effect: "write",
  access: "provider",
  examples: [
    { argv: ["reindex"], about: "Index new entries." },
    { argv: ["reindex", "--full", "--vectors"], about: "Rebuild everything." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const config = await context.readConfig();
    const model = config.get("embedder.model");
    const options = {
      warn: context.warn,
      signal: context.signal,
      progress: (done: number, total: number) => context.progress("indexing", done, total),
    };
    if (context.surface === "cli") {
      const { syncRuleFiles } = await import("../../intake/documents/sync_rule_files.ts");
      await syncRuleFiles(store, context);
    }
    const build = async () => {
      const embedder = await openEmbedder(context, { remote: input.vectors });
      const dropVectors = config.get("embedder.kind") === "none";
      const report = await reindexStore(store, {
        ...options,
        full: input.full,
        embedder,
        dropVectors,
      });
      return { embedder, report };
    };
    const { embedder, report } = await build().catch(async (error) => {
      // Words need no provider. Vectors that are there are kept: they may take long to make again.
      if (isProviderError(error)) await reindexStore(store, options);
      throw error;
    });
    const { refreshHistory } = await import("../../code/why/kept_history.ts");
    await refreshHistory(store, context);
    return {
      indexed_rows: report.sealed_rows,
      rows: report.rows,
      segments: report.segments,
      vectors: embedder?.name ?? null,
      model: embedder === undefined ? null : embedder.isLocal ? embedder.name : model,
      dim: embedder?.dimensions ?? null,
    };
  },
  trace: (input, data) => ({
    args: { ...input },
    // By what a search of it goes.
    ...(data ? { branch: data.vectors === null ? "lexical" as const : "hybrid" as const } : {}),
  }),
  render(data, view) {
    const countOf = counterOf(view);
    const rows = countOf(data.rows, "row");
    const vectors = data.vectors === null ? "no vectors" : `vectors by ${data.vectors}`;
    return `Indexed ${view.count(data.indexed_rows)} new; ${rows} in ${
      countOf(data.segments, "segment")
    }, ${vectors}.\n`;
  },
});
