// OpenClaw, which runs Pi: the same lines under `~/.openclaw/agents/<agent>/sessions`. Its older names
// are Clawdbot and Moltbot. Sessions that newer versions keep in a database alone are not read.

import { findOpenclawWords, findWordsOfOthers } from "../../../core/voice/client_ranges.ts";
import { withoutBlocks } from "../without_blocks.ts";
import { makePiSource } from "./pi.ts";

export const openclaw = makePiSource({
  name: "openclaw",
  title: "OpenClaw",
  roots: ({ env, home }) =>
    env("OPENCLAW_STATE_DIR")
      ? [`${env("OPENCLAW_STATE_DIR")}/agents`]
      : ["openclaw", "clawdbot", "moltbot"].map((name) => `${home}/.${name}/agents`),
  typedIn: typedInOpenclaw,
});

/** The words in a message of the user's side; empty when OpenClaw wrote it by itself. */
export function typedInOpenclaw(text: string): string {
  const said = withoutBlocks(text, ["relevant-memories", "active_memory_plugin"]).trim();
  // The mark stays: it says that not the user wrote this.
  const others = findWordsOfOthers(said);
  if (others !== undefined) return others.words && `${others.mark} ${others.words}`;
  const words = findOpenclawWords(said);
  return words === undefined ? said : said.slice(words.from, words.to);
}
