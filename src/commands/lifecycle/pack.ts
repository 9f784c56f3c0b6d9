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
  summary: "Print what an agent should know, within a token budget.",
  description:
    "What agents are given when a session starts: pins, standing preferences, decisions, what was left open, the last outcomes, fixes, notes, commands and the summary, one line each with id and age, the most valuable first; what was corrected never. With a larger budget than inject.start_tokens recent turns fill what is left; so they do where nothing was saved or derived yet. What does not fit is left out, the least valuable first, and counted; text that reads like an instruction is withheld. The whole text, frame included, never exceeds the budget.",
  input: {
    budget: s.optionalInteger(
      "Tokens that the whole text may take; inject.start_tokens otherwise.",
      { min: minBudgetTokens, max: 1_000_000 },
    ),
    format: s.choice("text is for a prompt, json for a program.", packFormats, "text"),
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
  examples: [{ argv: ["context", "pack", "--budget", "500"], about: "A small pack for a prompt." }],
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
