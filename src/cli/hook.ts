// `ctx hook EVENT`: what agents call on their own events. Reads the event's JSON from standard input
// and prints a few lines for the agent, or nothing. Never fails an agent: a bad input or a missing
// store is silence. Runs on every edit, so it loads only what it needs.

import * as z from "zod/mini";
import { integer } from "../commands/param.ts";
import { defineProcess } from "./process.ts";
import { writeOut } from "./terminal.ts";

/** Answers an agent's hook. */
export const hook = defineProcess({
  name: "hook",
  group: "Proactive",
  summary: "Answer an agent's hook: pre-edit says what to know about a file, or nothing.",
  input: z.strictObject({
    event: z.enum(["pre-edit"]).check(z.describe("The event.")),
    max_tokens: integer("The most to say.", { min: 50, max: 4000, default: 400 }),
  }),
  positional: ["event"],
  examples: [{ argv: ["hook", "pre-edit"], about: "Before an edit; the hook's JSON on stdin." }],
  async run(input, world) {
    const bytes = new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
    const payload = findJson(new TextDecoder().decode(bytes));
    if (payload === undefined) return 0;
    const { openContext } = await import("../app.ts");
    const { answerPreEdit } = await import("../suggest/pre_edit.ts");
    const { readSuggestSettings } = await import("../commands/suggest_settings.ts");
    const { CtxError } = await import("../core/errors.ts");
    try {
      const context = openContext({ surface: "cli", workspace: world.workspace });
      const store = await context.openStore();
      const settings = readSuggestSettings(await context.readConfig());
      if (!settings.enabled) return 0;
      const { text } = await answerPreEdit(payload, {
        store,
        now: context.now,
        random: context.random,
        cwd: context.cwd,
        settings,
        maxTokens: input.max_tokens,
      });
      if (text !== "") writeOut("stdout", text);
    } catch (error) {
      if (!(error instanceof CtxError)) throw error;
    }
    return 0;
  },
});

function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
