// Asks the configured model to turn the digest of the archive into prose. Called without the
// store's lock; every call is in the ledger and counts against the daily cap.

import { redactText } from "../core/redact/redact.ts";
import { openClient } from "./llm/client.ts";
import { fence, makeMark } from "./llm/model_fence.ts";
import type { Context } from "../command/command.ts";
import { findLlmSettings, isBarred, openLedger } from "./llm_settings.ts";

const task =
  "You keep the memory of a software project. Rewrite the digest below as a short summary in " +
  "Markdown: decisions with their reasons, corrections, errors that were fixed, files, commits. " +
  "Keep every id in square brackets as it stands. Add nothing that is not in the digest.";

/** The model's summary, or undefined when none is configured, reachable or allowed by the cap. */
export async function summarizeWithModel(
  digest: string,
  context: Context,
): Promise<string | undefined> {
  const config = await context.readConfig();
  const settings = findLlmSettings(config);
  if (settings === undefined || isBarred(settings.provider)) return undefined;
  const ledger = await openLedger(context);
  const cap = config.get("llm.daily_token_cap");
  if (cap > 0 && ledger.spentToday() >= cap) {
    context.warn("the daily token limit is used up; the summary is made without a model");
    return undefined;
  }
  const { text, usage } = await openClient(settings, context).complete({
    messages: [
      { role: "system", content: task },
      { role: "user", content: fence(digest, makeMark(context.random()), "digest") },
    ],
    tools: [],
    toolChoice: "none",
  });
  await ledger.add("compact", settings, usage);
  return redactText(text).value;
}
