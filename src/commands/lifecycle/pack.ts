// `ctx pack`: the block of memory that an agent is handed when it starts.

import { countSections, minBudgetTokens, packFormats } from "../../recall/pack/make_pack.ts";
import { packSections } from "../../recall/pack/pack_item.ts";
import { makeStartPack } from "../../recall/pack/start_pack.ts";
import { define } from "../../command/command.ts";
import { anySession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";

const counts = s.each(s.number(), ...packSections);

export const pack = define({
  name: "pack",
  summary: "Print what an agent should know, within a token limit.",
  description:
    "This is the context agents get at session start: pins, preferences, decisions, open points, recent outcomes, fixes, notes, commands and the summary. Each is one line with id and age, most valuable first; corrected entries are left out. If the budget is larger than inject.start_tokens, or nothing was saved or derived yet, recent turns fill the rest. What does not fit is left out and counted, least valuable first; text that reads like an instruction is withheld. The whole text never exceeds the budget.",
  input: {
    budget: s.optionalInteger(
      "Token limit (default: inject.start_tokens).",
      { min: minBudgetTokens, max: 1_000_000 },
    ),
    format: s.choice("Output format: text for prompts, json for programs.", packFormats, "text"),
    session: anySession,
  },
  output: {
    ...s.each(s.number(), "budget", "estimated_tokens"),
    format: s.oneOf(packFormats),
    text: s.text(),
    packed: s.object(counts),
    left_out: s.object({ ...counts, withheld: s.number() }),
    truncated_ids: s.listOf(s.text()),
  },
  effect: "read",
  tool: "pack",
  examples: [{
    argv: ["context", "pack", "--budget", "500"],
    about: "Print a small pack for a prompt.",
  }],
  async run(input, context) {
    const store = await context.openStore();
    const { budget, made } = await makeStartPack(store, {
      config: await context.readConfig(),
      nowMs: context.now(),
      budgetTokens: input.budget,
      format: input.format,
      session: resolveSession(input.session, store, context),
    });
    return {
      budget,
      estimated_tokens: made.estimated_tokens,
      format: input.format,
      text: made.text,
      packed: countSections(made.packed),
      left_out: made.left_out,
      truncated_ids: made.packed.flatMap((item) => item.truncated_chars > 0 ? item.id ?? [] : []),
    };
  },
  trace: (input, data) => ({
    args: { ...input },
    session: input.session,
    budgets: { tokens: data?.budget ?? 0 },
    truncation: data && toTruncation(data),
  }),
  render: (data) => data.text,
});

/** What did not fit; nothing when all of it did. */
function toTruncation(
  { left_out, truncated_ids }: { left_out: Record<string, number>; truncated_ids: string[] },
): Record<string, unknown> | undefined {
  const isCut = truncated_ids.length > 0 || Object.values(left_out).some((count) => count > 0);
  return isCut ? { left_out, truncated_ids } : undefined;
}
