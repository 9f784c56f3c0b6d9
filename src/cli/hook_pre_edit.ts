// `ctx hook pre-edit` in the process table: what agents call before an edit. The work is in
// run_hook.ts, which main.ts calls directly for speed.

import * as z from "zod/mini";
import { integer } from "../commands/param.ts";
import { defineProcess } from "./process.ts";
import { defaultHookTokens, runPreEdit } from "./run_hook.ts";

/** Answers an agent's hook. */
export const hookPreEdit = defineProcess({
  name: "hook pre-edit",
  group: "Proactive",
  summary: "Say what to know about a file before it is edited, or nothing.",
  description:
    "Reads the hook's JSON from standard input (Claude Code, Codex, Cursor and Gemini forms) and prints a few lines about the file that is going to be edited, or nothing. Uses what is built: `ctx suggest` and `ctx watch` keep the symbol graph up to date.",
  input: z.strictObject({
    max_tokens: integer("The most to say.", { min: 50, max: 4000, default: defaultHookTokens }),
  }),
  examples: [{ argv: ["hook", "pre-edit"], about: "Before an edit; the hook's JSON on stdin." }],
  run(input, world) {
    return runPreEdit({ workspace: world.workspace, maxTokens: input.max_tokens });
  },
});
