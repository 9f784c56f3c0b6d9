// `ctx hook AGENT`: called by agents when a session starts, at a prompt, when a turn ends. Takes over
// what is new in that conversation, and tells what is worth knowing. `ctx hook pre-edit` says what to
// know about a file before its edit. The work is in agent_hook.ts and run_hook.ts, which main.ts calls
// directly for speed; this is their form in the table.

import { defaultHookTokens } from "../../recall/edit/pre_edit.ts";
import { integer, optionalText, text } from "../../command/shape.ts";
import { defineProcess } from "../line/process.ts";
import { runAgentHook } from "./agent_hook.ts";
import { runPreEdit } from "./run_hook.ts";

export const hook = defineProcess({
  name: "hook",
  summary: "Give a session what it should know and take its turns over; called by agents.",
  description:
    "Reads the agent's hook message (JSON) from standard input, or as a second argument as Codex gives it, and does what its event asks for when the workspace has a store, else nothing. When a session starts, resumes or lost its context it prints the pack in the form that this agent takes; at a prompt at most three lines that are strongly relevant and were not given before; everything else is a turn to take over, and prints nothing. Never holds the agent up: what went wrong is a line on standard error and exit code 1, which agents show and pass over. CTX_DEBUG=1 says on standard error what happened. `pre-edit` reads the message of an edit and prints what the very lines that it replaces were decided for and a few lines about its file from the symbol graph, the history and the store, or nothing.",
  input: {
    agent: text("Who calls: claude-code, codex, cursor, gemini, opencode or qwen; or pre-edit.", 1),
    message: optionalText("The message, for agents that do not use standard input."),
    max_tokens: integer("The most that pre-edit says.", {
      min: 50,
      max: 4000,
      default: defaultHookTokens,
    }),
  },
  positional: ["agent", "message"],
  examples: [
    { argv: ["hook", "claude-code"], about: "As Claude Code calls it." },
    { argv: ["hook", "pre-edit"], about: "Before an edit; the agent's JSON on standard input." },
  ],
  async run(input, world) {
    if (input.agent === "pre-edit") {
      return await runPreEdit({ workspace: world.workspace, maxTokens: input.max_tokens });
    }
    return await runAgentHook(input);
  },
});
