// Gives a block to the agent that called: noted in the log of what was given, in the agent's form.

import { isUnwritable } from "../../core/errors.ts";
import { countTokens } from "../../core/tokens.ts";
import { appendInjection } from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import type { Block } from "../pack/block.ts";
import { toHookAnswer } from "./hook_answer.ts";
import type { HookCall } from "./hook_call.ts";

/** What to print; undefined where the agent's model could not read it. */
export async function giveBlock(
  store: Store,
  call: HookCall,
  { block: { text, lines }, nowMs }: { block: Block; nowMs: number },
): Promise<string | undefined> {
  const { agent, moment, event, conversation, reason } = call;
  try {
    await appendInjection(store, {
      ts: new Date(nowMs).toISOString(),
      agent,
      ...(conversation === undefined ? {} : { conversation }),
      event,
      ...(reason === undefined || moment !== "start" ? {} : { reason }),
      lines: lines.map(({ id, subject = "", text }) => ({
        id: id ?? subject,
        tokens: countTokens(text),
      })),
      tokens: countTokens(text),
    });
  } catch (error) {
    // Where nothing can be written, a session is given what is known all the same.
    if (!isUnwritable(error)) throw error;
  }
  return toHookAnswer(call, text);
}
