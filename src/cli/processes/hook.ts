// `ctx hook AGENT`: called by agents when a session starts, at a prompt, when a turn ends. Takes over
// what is new in that conversation, and tells what is worth knowing. `ctx hook pre-edit` says what to
// know about a file before its edit. The work is in agent_hook.ts and run_hook.ts, which main.ts calls
// directly for speed; this is their form in the table.

import { defaultHookTokens } from "../../recall/edit/pre_edit.ts";
import { integer, optionalText, text } from "../../command/shape.ts";
import { defineProcess } from "../line/process.ts";
import { runAgentHook } from "./agent_hook.ts";
import { guardCaller, runPreEdit } from "./run_hook.ts";

export const hook = defineProcess({
  name: "hook",
  summary: "Handle an agent's hook: add context, capture turns.",
  description:
    "Agents call this; you don't need to. It reads the agent's hook message (JSON) from standard input, or as a second argument as Codex sends it, and does nothing if the workspace has no store. When a session starts, resumes, or loses its context, it prints the pack in the agent's format. At a prompt it prints at most three strongly relevant lines that were not sent before. All other events capture a turn and print nothing. It never blocks the agent: an error is one line on standard error and exit code 1, which agents show and ignore. CTX_DEBUG=1 logs to standard error. `pre-edit` handles reads and edits: it prints the decision behind those lines and a few lines about the file, or nothing. `guard` only checks guards.",
  input: {
    agent: text(
      "The caller: claude-code, codex, cursor, gemini, opencode, qwen, pre-edit or guard; plugin AGENT from a plugin.",
      1,
    ),
    message: optionalText("The message, if not on standard input."),
    max_tokens: integer("Token limit for pre-edit.", {
      min: 50,
      max: 4000,
      default: defaultHookTokens,
    }),
  },
  positional: ["agent", "message"],
  access: "self",
  examples: [
    { argv: ["hook", "claude-code"], about: "How Claude Code calls it." },
    { argv: ["hook", "pre-edit"], about: "How agents call it when they read or edit a file." },
  ],
  async run(input, world) {
    if (input.agent === "pre-edit") {
      return await runPreEdit({ workspace: world.workspace, maxTokens: input.max_tokens });
    }
    if (input.agent === guardCaller) {
      return await runPreEdit({ workspace: world.workspace, maxTokens: 0 });
    }
    return await runAgentHook(input);
  },
});
