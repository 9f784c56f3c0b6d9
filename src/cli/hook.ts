// `ctx hook AGENT`: called by agents when a turn ends. Takes over what is new in that conversation
// and gets out of the way: prints nothing, always exits 0, and stops after a few seconds.

import * as z from "zod/mini";
import { optionalText, text } from "../commands/param.ts";
import { defineProcess } from "./process.ts";
import { writeOut } from "./terminal.ts";

/** The longest an agent is kept waiting. */
const limitMs = 8000;
const stdinMs = 2000;

/** Captures turns for an agent. */
export const hook = defineProcess({
  name: "hook",
  group: "Serving",
  summary: "Take over a finished turn; called by agents, see ctx setup.",
  description:
    "Reads the agent's hook message (JSON) from standard input, or as a second argument as Codex gives it. Imports what is new in that conversation when the workspace has a store, else does nothing. Prints nothing and never fails; CTX_DEBUG=1 says on standard error what happened.",
  input: z.strictObject({
    agent: text("Who calls: claude-code, codex, cursor, gemini or opencode.", 1),
    message: optionalText("The message, for agents that do not use standard input."),
  }),
  positional: ["agent", "message"],
  examples: [{ argv: ["hook", "claude-code"], about: "As Claude Code calls it." }],
  async run(input) {
    const debug = (words: string): void => {
      if (Deno.env.get("CTX_DEBUG")) writeOut("stderr", `ctx hook: ${words}\n`);
    };
    const timer = setTimeout(() => Deno.exit(0), limitMs);
    try {
      const message = input.message ?? await readStdin();
      const { capture } = await import("./capture.ts");
      debug(await capture(input.agent, message, Deno.cwd()));
    } catch (error) {
      debug(error instanceof Error ? error.message : String(error));
    }
    clearTimeout(timer);
    return 0;
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
