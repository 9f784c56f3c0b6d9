// What a session is given when it starts, and when its context was lost: after /clear, a compaction,
// a resume. Nothing when there is nothing: an empty frame would cost tokens and say nothing.

import type { Config } from "../../config/merged_config.ts";
import type { Store } from "../../store/store.ts";
import { type Block, emptyBlock } from "./block.ts";
import { toPackLine } from "./make_pack.ts";
import { makeStartPack } from "./start_pack.ts";

/** Makes the block. Recent turns alone are not given. */
export async function makeStartBlock(
  store: Store,
  { config, nowMs }: { config: Config; nowMs: number },
): Promise<Block> {
  if (!config.get("inject.start")) {
    return emptyBlock("sessions are given nothing: ctx config set inject.start true");
  }
  const { made, budget } = await makeStartPack(store, { config, nowMs });
  const packed = made.packed.filter(({ section }) => section !== "recent");
  return {
    text: packed.length > 0 ? made.text : "",
    budget,
    lines: packed.map((item) => ({
      ...(item.id === undefined
        ? { subject: item.section === "pins" ? "pins.md" : "summary.md" }
        : { id: item.id }),
      kind: item.label,
      text: toPackLine(item, nowMs),
    })),
    left_out: made.left.filter(({ item }) => item.section !== "recent").map(({ item, why }) => ({
      ...(item.id === undefined ? {} : { id: item.id }),
      kind: item.label,
      text: item.text,
      why,
      count: 1,
    })),
    notes: packed.length > 0 ? [] : ["nothing is pinned, saved or derived yet"],
  };
}
