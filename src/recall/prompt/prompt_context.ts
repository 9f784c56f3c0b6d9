// What a prompt is given: at most three lines that are strongly relevant, never one that this
// conversation was given or said before; mostly nothing. What chooses lines is loaded only where some
// may pass.

import { type Injection, readInjections, type Uptake } from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import { type Block, emptyBlock } from "../pack/block.ts";
import { standingIn } from "../pack/standing.ts";
import type { AskedPrompt } from "./asked_prompt.ts";
import { isTelling, mayBeSaid } from "./may_be_said.ts";

export async function makePromptBlock(store: Store, asked: AskedPrompt): Promise<Block> {
  const { prompt, conversation, leave } = asked;
  if (!isTelling(prompt)) {
    return emptyBlock("the prompt is too short to search for, or is a command of the agent");
  }
  let read: (Injection | Uptake)[] | undefined;
  const readLog = (): (Injection | Uptake)[] =>
    read ??= [...readInjections(store, { needles: [JSON.stringify(conversation), '"uptake"'] })];
  const hope = await mayBeSaid(store, prompt, () => standingIn(readLog()));
  // Whoever asks why nothing is said is told of the lines that came near.
  if (!hope.isPossible && leave === undefined) return nothingFits();
  const { choosePromptLines } = await import("./choose_prompt_lines.ts");
  return await choosePromptLines(store, asked, { log: readLog(), hope }) ?? nothingFits();
}

function nothingFits(): Block {
  return emptyBlock("nothing is relevant enough to send");
}
