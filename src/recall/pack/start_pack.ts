// The pack of this store, as `ctx pack` shows it and as a session is given it when it starts.

import { type Block, emptyBlock } from "./block.ts";
import { makePack, type Pack, type PackOptions, toPackLine } from "./make_pack.ts";
import type { PackItem } from "./pack_item.ts";
import { readPackItems } from "./pack_items.ts";
import type { Config } from "../../config/merged_config.ts";
import { findBranch, findRepository } from "../../code/git/git_repository.ts";
import type { Store } from "../../store/store.ts";
import type { UnwrittenRecords } from "../distil/list_records.ts";
import { findStaleIds } from "./find_stale_ids.ts";
import { readStanding } from "./standing.ts";

/** What a pack is made with. */
export interface StartPackOptions {
  config: Config;
  nowMs: number;
  /** `inject.start_tokens` otherwise. */
  budgetTokens?: number;
  format?: PackOptions["format"];
  /** Only what belongs to this session. */
  session?: string;
  /** Records that are not written yet. */
  unwritten?: UnwrittenRecords;
}

/** Of recent turns this many are kept to choose from: no more could fit, about. */
const minTurns = 60;
const maxTurns = 2000;
const tokensPerTurn = 40;

/** Makes the pack; recent turns fill it only when more is asked for than a session's start is given. */
export async function makeStartPack(
  store: Store,
  options: StartPackOptions,
): Promise<{ budget: number; made: Pack }> {
  const { workspace } = store.layout;
  const usual = options.config.get("inject.start_tokens");
  const budget = options.budgetTokens ?? usual;
  const repository = findRepository(workspace);
  const wantsTurns = budget > usual || options.session !== undefined;
  const { items, olderTurns } = await readPackItems(store, {
    nowMs: options.nowMs,
    workspace,
    branch: repository && findBranch(repository),
    standing: readStanding(store),
    session: options.session,
    unwritten: options.unwritten,
    ...(wantsTurns
      ? { turns: Math.min(maxTurns, Math.max(minTurns, Math.ceil(budget / tokensPerTurn))) }
      : {}),
  });
  const make = (some: PackItem[]): Pack =>
    makePack(some, {
      budgetTokens: budget,
      olderTurns,
      format: options.format ?? "text",
      nowMs: options.nowMs,
      workspace: workspace.replace(/^.*\//, "") || "workspace",
    });
  const made = make(items);
  // Only of what is given it is asked whether its code is still so.
  const stale = await findStaleIds(store, made.packed.flatMap(({ id }) => id ?? []));
  if (stale.size === 0) return { budget, made };
  const marked = items.map((item) =>
    stale.has(item.id ?? "") ? { ...item, stale: true as const } : item
  );
  return { budget, made: make(marked) };
}

/**
 * What a session is given when it starts, and when its context was lost: after /clear, a compaction, a
 * resume. Recent turns alone are not given: an empty frame would cost tokens and say nothing.
 */
export async function makeStartBlock(
  store: Store,
  options: Pick<StartPackOptions, "config" | "nowMs" | "unwritten">,
): Promise<Block> {
  const { config, nowMs } = options;
  if (!config.get("inject.start")) {
    return emptyBlock(
      "context at session start is turned off; to turn it on: ctx config set inject.start true",
    );
  }
  const { made, budget } = await makeStartPack(store, options);
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
