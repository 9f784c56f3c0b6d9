// `ctx hook AGENT`: called by agents when a turn ends. Takes over what is new in that conversation
// and gets out of the way: prints nothing, stops after a few seconds, and never exits with 2, which
// agents take as "stop". What went wrong is exit 1 and a line on standard error: they show it and go on.
// `ctx hook pre-edit` is the other way round: it says what to know about a file before its edit.
// Its work is in run_hook.ts, which main.ts calls directly for speed.

import { integer, optionalText, text } from "../../table/shape.ts";
import { CtxError, hookFailedExit } from "../../core/errors.ts";
import { defineProcess } from "../line/process.ts";
import { defaultHookTokens, runPreEdit } from "./run_hook.ts";
import { writeOut } from "../line/terminal.ts";

/** The longest an agent is kept waiting. */
const limitMs = 8000;
const stdinMs = 2000;

/** Captures turns for an agent. */
export const hook = defineProcess({
  name: "hook",
  group: "Serving",
  summary: "Take over a finished turn, or say what to know before an edit; called by agents.",
  description:
    "Reads the agent's hook message (JSON) from standard input, or as a second argument as Codex gives it. Imports what is new in that conversation when the workspace has a store, else does nothing. Prints nothing and never holds the agent up: when a turn could not be taken over, standard error says why and the exit code is 1, which agents show and pass over. CTX_DEBUG=1 says on standard error what happened. `pre-edit` reads the message of an edit and prints a few lines about its file from the symbol graph, the history and the store, or nothing.",
  input: {
    agent: text("Who calls: claude-code, codex, cursor, gemini or opencode; or pre-edit.", 1),
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
    const debug = (words: string): void => {
      if (Deno.env.get("CTX_DEBUG")) writeOut("stderr", `ctx hook: ${words}\n`);
    };
    const fail = (words: string): number => {
      writeOut("stderr", `ctx hook: ${words}\n`);
      return hookFailedExit;
    };
    const tooLong = `Cannot take the turn over: it took longer than ${limitMs / 1000} s`;
    const timer = setTimeout(() => Deno.exit(fail(tooLong)), limitMs);
    try {
      const message = input.message ?? await readStdin();
      const { capture } = await import("./capture.ts");
      const { done, problem } = await capture(input.agent, message, Deno.cwd());
      debug(done);
      return problem === undefined ? 0 : fail(problem);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      // The agent's directory was removed: there is no store to write to.
      if (error instanceof CtxError && error.code === "NOT_FOUND") debug(words);
      else return fail(words);
      return 0;
    } finally {
      clearTimeout(timer);
    }
  },
});

async function readStdin(): Promise<string> {
  if (Deno.stdin.isTerminal()) return "{}";
  const late = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve("{}"), stdinMs);
    Deno.unrefTimer(Number(timer));
  });
  return await Promise.race([new Response(Deno.stdin.readable).text(), late]);
}
