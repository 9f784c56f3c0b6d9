// `ctx pack`: the block of memory that an agent is handed when it starts.

import { makePack, minBudgetTokens, packFormats } from "../../browse/make_pack.ts";
import { readPackItems } from "../../browse/pack_items.ts";
import { define } from "../../table/command.ts";
import { anySession } from "../../table/inputs.ts";
import * as s from "../../table/shape.ts";
import { resolveSession } from "../../table/session_scope.ts";

const counts = s.object(s.each(s.number(), "pins", "summary", "recent", "results"));

/** Packs what an agent should know. */
export const pack = define({
  name: "pack",
  group: "Lifecycle",
  summary: "Print what an agent should know, within a token budget.",
  description:
    "Pins first, then the summary, recent turns (those that compact has not moved) and the ten results that were read last. What does not fit is left out, the least valuable first, and counted, and so are turns that a correction replaced; an entry that is cut says so. The whole text, frame included, never exceeds the budget. Recalled text is fenced and labelled as data.",
  input: {
    budget: s.integer(
      "Tokens that the whole text may take.",
      { min: minBudgetTokens, max: 1_000_000, default: 2000 },
    ),
    format: s.choice("text is for a prompt, json for a program.", packFormats, "text"),
    session: anySession,
  },
  output: {
    ...s.each(s.number(), "budget", "estimated_tokens"),
    format: s.oneOf(packFormats),
    text: s.text(),
    ...s.each(counts, "packed", "left_out"),
    truncated_ids: s.listOf(s.text()),
  },
  effect: "read",
  tool: "pack",
  examples: [{ argv: ["pack", "--budget", "500"], about: "A small pack for a prompt." }],
  async run(input, context) {
    const store = await context.openStore();
    const session = resolveSession(input.session, store, context);
    const budgetTokens = input.budget;
    const { items, olderTurns } = await readPackItems(store, { budgetTokens, session });
    const made = makePack(items, {
      budgetTokens,
      olderTurns,
      format: input.format,
      workspace: store.layout.workspace.replace(/^.*\//, "") || "workspace",
    });
    const packed = { pins: 0, summary: 0, recent: 0, results: 0 };
    for (const item of made.packed) packed[item.section]++;
    return {
      budget: input.budget,
      estimated_tokens: made.estimated_tokens,
      format: input.format,
      text: made.text,
      packed,
      left_out: made.left_out,
      truncated_ids: made.packed.flatMap((item) => item.truncated_chars > 0 ? item.id ?? [] : []),
    };
  },
  trace: (input, data) => ({
    args: { ...input },
    session: input.session,
    budgets: { tokens: input.budget },
    truncation: data && { left_out: data.left_out, truncated_ids: data.truncated_ids },
  }),
  render: (data) => data.text,
});
