// What a session is given when it starts, and when its context was lost: after /clear, a compaction,
// a resume. Nothing when there is nothing: an empty frame would cost tokens and say nothing.

import type { Config } from "../../config/merged_config.ts";
import { type Pack, toPackLine } from "./make_pack.ts";
import type { PackItem } from "./pack_items.ts";
import { isUnwritable } from "../../core/errors.ts";
import { isoTime } from "../../core/iso_time.ts";
import { countTokens } from "../../core/tokens.ts";
import { appendInjection, type Injection } from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import type { HookCall } from "../hook/hook_call.ts";
import { makeStartPack } from "./start_pack.ts";

/** What a session that starts is given, without a note of it; no text when there is nothing to say. */
export interface StartBlock {
  text?: string;
  /** What it is of: recent turns alone are not given. */
  packed: PackItem[];
  made: Pack;
  budget: number;
}

/** The block for a session that starts, noted as given; undefined when there is nothing to say. */
export async function startContext(
  store: Store,
  call: HookCall,
  { config, nowMs }: { config: Config; nowMs: number },
): Promise<string | undefined> {
  const block = await makeStartBlock(store, { config, nowMs });
  if (block?.text === undefined) return undefined;
  const { text, packed, made } = block;
  noteGiven(store, {
    ts: isoTime(nowMs),
    agent: call.agent,
    ...(call.conversation === undefined ? {} : { conversation: call.conversation }),
    event: call.event,
    ...(call.reason === undefined ? {} : { reason: call.reason }),
    lines: packed.map((item) => ({
      id: item.id ?? (item.section === "pins" ? "pins.md" : "summary.md"),
      tokens: countTokens(toPackLine(item, nowMs)),
    })),
    tokens: made.estimated_tokens,
  });
  return text;
}

/** Where nothing can be written, a session is given what is known all the same. */
function noteGiven(store: Store, row: Injection): void {
  try {
    appendInjection(store, row);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
  }
}

/** Makes the block; undefined where sessions are given none. */
export async function makeStartBlock(
  store: Store,
  { config, nowMs }: { config: Config; nowMs: number },
): Promise<StartBlock | undefined> {
  if (!config.get("inject.start")) return undefined;
  const { made, budget } = await makeStartPack(store, { config, nowMs });
  const packed = made.packed.filter(({ section }) => section !== "recent");
  return { ...(packed.length > 0 ? { text: made.text } : {}), packed, made, budget };
}
