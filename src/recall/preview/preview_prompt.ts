// What a prompt would be given: in a conversation, or in one that was told nothing yet.

import { findEntries } from "../../read/find_entries.ts";
import type { Config } from "../../config/merged_config.ts";
import { firstLine } from "../../core/text.ts";
import { makePromptBlock } from "../prompt/prompt_context.ts";
import { isTelling } from "../prompt/prompt_lines.ts";
import type { Store } from "../../store/store.ts";
import { describeLines, type Preview } from "./describe_lines.ts";

/** The prompt, and whose it is. */
export interface PromptQuestion {
  prompt: string;
  conversation: string;
  config: Config;
  nowMs: number;
}

/** Makes the preview. */
export async function previewPrompt(
  store: Store,
  { prompt, conversation, config, nowMs }: PromptQuestion,
): Promise<Preview> {
  const nothing = { text: "", lines: [], left_out: [] };
  if (!config.get("inject.prompt")) {
    return { ...nothing, notes: ["prompts are given nothing: ctx config set inject.prompt true"] };
  }
  const left = new Map<string, string>();
  const leave = (id: string, why: string): void => void left.set(id, why);
  const block = await makePromptBlock(store, { prompt, conversation, nowMs, leave });
  const entries = await findEntries(store, [...left.keys()]);
  const left_out = [...left].map(([id, why]) => {
    const entry = entries.get(id)?.row?.entry;
    const said = entry && { kind: entry.type, text: entry.title ?? firstLine(entry.text, 120) };
    return { id, ...said, why, count: 1 };
  });
  if (block === undefined) {
    const notes = [
      isTelling(prompt)
        ? "no line is relevant enough to be said unasked"
        : "it has too few words to look anything up, or is a command of the agent",
    ];
    return { ...nothing, left_out, notes };
  }
  const drafts = block.lines.map(({ id, label, said }) => ({ id, kind: label, text: said }));
  return {
    text: block.text,
    lines: await describeLines(store, drafts, nowMs),
    left_out,
    notes: [],
  };
}
