// What an agent would be given at a moment, as the hook would say it, with what the store knows of its
// lines. Notes nothing, and counts nothing as told.

import type { Config } from "../../config/merged_config.ts";
import type { Entry } from "../../core/entry.ts";
import { isRecordType, recordOf } from "../../core/rows/record.ts";
import { verdictOf } from "../../core/rows/verdict.ts";
import { firstLine } from "../../core/text.ts";
import { ageOf } from "../../core/time/age_of.ts";
import { countTokens } from "../../core/tokens.ts";
import { readEntries } from "../../read/find_entries.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import { type Block, emptyBlock } from "../pack/block.ts";
import { findStaleNames } from "../pack/find_stale_ids.ts";
import type { PreviewLine } from "./preview_shapes.ts";

export interface Preview extends Block {
  lines: PreviewLine[];
}

export async function previewBlock(store: Store, block: Block, nowMs: number): Promise<Preview> {
  const ids = block.lines.flatMap(({ id }) => id ?? []);
  const entries = await readEntries(store, ids);
  const stale = await findStaleNames(store, ids);
  const pinned = new Set(parsePins(readPinsText(store)).flatMap(({ id }) => id ?? []));
  const lines = block.lines.map((line): PreviewLine => {
    const { id = "", subject } = line;
    const entry = entries.get(id);
    const freshness = stale.get(id);
    const isPinned = line.kind === "pin" || subject === "pins.md" || pinned.has(id);
    const because = isPinned
      ? "you pinned it"
      : subject === "summary.md"
      ? "from summary.md, which every session gets"
      : entry && sayOrigin(entry);
    return {
      ...line,
      tokens: countTokens(line.text),
      // A pin may stand for what was corrected since.
      pinned: isPinned,
      ...(because === undefined ? {} : { because }),
      ...(entry !== undefined && recordOf(entry) !== undefined ? { derived: true } : {}),
      ...(entry === undefined ? {} : { ts: entry.ts, age: ageOf(entry.ts, nowMs) }),
      ...(freshness === undefined ? {} : { freshness }),
    };
  });
  return { ...block, lines };
}

/** How an entry came to be known. */
function sayOrigin(entry: Entry): string | undefined {
  const { type, saved_by } = entry;
  if (verdictOf(entry)?.said === "accept") return "you accepted it in review";
  if (recordOf(entry) !== undefined) {
    if (type === "digest") return "your last session here";
    return type === "preference" ? "you asked for it in a session" : "found in a session";
  }
  if (!isRecordType(type)) return undefined;
  return saved_by === undefined ? "saved" : `saved by ${saved_by}`;
}

/** The block of a prompt, in a conversation or in one that was told nothing, with what it leaves out. */
export async function explainPrompt(
  store: Store,
  { config, ...asked }: { prompt: string; conversation: string; config: Config; nowMs: number },
): Promise<Block> {
  if (!config.get("inject.prompt")) {
    return emptyBlock(
      "context at prompts is turned off; to turn it on: ctx config set inject.prompt true",
    );
  }
  const left = new Map<string, string>();
  const leave = (id: string, why: string): void => void left.set(id, why);
  const { makePromptBlock } = await import("../prompt/prompt_context.ts");
  const block = await makePromptBlock(store, { ...asked, leave });
  const entries = await readEntries(store, left.keys());
  const left_out = [...left].map(([id, why]) => {
    const entry = entries.get(id);
    const said = entry && { kind: entry.type, text: entry.title ?? firstLine(entry.text, 120) };
    return { id, ...said, why, count: 1 };
  });
  return { ...block, left_out };
}
