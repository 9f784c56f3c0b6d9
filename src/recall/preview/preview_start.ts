// What a session that starts now would be given.

import { toPackLine } from "../pack/make_pack.ts";
import type { Config } from "../../config/merged_config.ts";
import { makeStartBlock } from "../pack/start_context.ts";
import type { Store } from "../../store/store.ts";
import { describeLines, type Preview } from "./describe_lines.ts";

/** Makes the preview. */
export async function previewStart(
  store: Store,
  { config, nowMs }: { config: Config; nowMs: number },
): Promise<Preview> {
  const block = await makeStartBlock(store, { config, nowMs });
  if (block === undefined) {
    const notes = ["sessions are given nothing: ctx config set inject.start true"];
    return { text: "", lines: [], left_out: [], notes };
  }
  const { text = "", packed, made, budget } = block;
  const drafts = packed.map((item) => ({
    ...(item.id === undefined
      ? { subject: item.section === "pins" ? "pins.md" : "summary.md" }
      : { id: item.id }),
    kind: item.label,
    text: toPackLine(item, nowMs),
  }));
  const notes = text === "" ? ["nothing is pinned, saved or derived yet"] : [];
  return {
    text,
    budget,
    lines: await describeLines(store, drafts, nowMs),
    left_out: made.left.filter(({ item }) => item.section !== "recent").map(({ item, why }) => ({
      ...(item.id === undefined ? {} : { id: item.id }),
      kind: item.label,
      text: item.text,
      why,
      count: 1,
    })),
    notes,
  };
}
