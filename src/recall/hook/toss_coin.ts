// Whether a session of the trial (`inject.trial`) gets no context. The coin is tossed once, when ctx
// would send the session something for the first time: what was sent before cannot be withheld.

import type { Context } from "../../command/command.ts";
import { readInjections } from "../../store/logs/injection_log.ts";
import { appendTrial, readTrial } from "../../store/logs/trial_log.ts";
import type { HookCall } from "./hook_call.ts";

/** Whether a conversation gets nothing; `every` of them are needed for one without. */
export async function isWithheld(
  { agent, conversation }: HookCall,
  context: Context,
  { every, tosses = true }: { every: number; tosses?: boolean },
): Promise<boolean> {
  if (conversation === undefined) return false;
  const store = await context.openStore();
  const rows = readTrial(store, conversation);
  const verdict = rows.findLast((row) => row.event === "look")?.verdict;
  if (verdict !== undefined) return verdict === "hurts";
  // Before an edit the agent is not known; ids of conversations are unique.
  const coin = rows.find((row) => row.event === "coin");
  if (coin !== undefined) return coin.withheld;
  const needles = [JSON.stringify(conversation)];
  const [earlier] = readInjections(store, { needles });
  if (!tosses || earlier !== undefined) return false;
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  const withheld = drawn < 2 ** 32 / Math.max(2, every);
  await appendTrial(store, {
    ts: new Date(context.now()).toISOString(),
    agent,
    conversation,
    event: "coin",
    withheld,
  });
  return withheld;
}
