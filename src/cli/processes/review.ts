// `ctx review`: one line at a time, full screen, one key each. Without a terminal it prints
// `ctx review list`.

import { flag } from "../../command/shape.ts";
import { pageInputs } from "../../command/inputs.ts";
import { countOf } from "../../command/view.ts";
import { defineProcess } from "../line/process.ts";
import { writeOut } from "../line/terminal.ts";

export const review = defineProcess({
  name: "review",
  lasting: true,
  summary: "Decide what ctx remembers: accept, edit or reject lines.",
  description:
    "Shows what ctx would remember, best first, one line at a time. Keys: a accept, e edit and accept, r reject, l later (put it off for a week), u undo the last answer, j and k move, q quit. Accepted lines are part of every session start, and `ctx review write` puts them into CLAUDE.md or AGENTS.md; rejected ones never come back. Without a terminal, or with --json, it prints the list (`ctx review list`); `ctx review accept|edit|reject|later ID` answers from a script.",
  input: {
    all: flag("Include lines with no clear reason to remember them."),
    ...pageInputs("Lines", 30),
  },
  short: { k: "limit" },
  examples: [{ argv: ["review"], about: "Go through the lines, best first." }],
  async run({ all, limit, offset }, world) {
    const { workspace, json, runWords } = world;
    const isWatched = Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
    if (json || !isWatched) return await runWords?.(["review", "list", ...world.words]) ?? 0;
    const { runReview } = await import("./review_screen.ts");
    const { accepted, answers } = await runReview({ all, limit, offset }, workspace);
    if (answers > 0) writeOut("stderr", `ctx: reviewed ${countOf(answers, "line")}\n`);
    if (accepted > 0) {
      writeOut("stderr", "ctx: to write accepted lines into CLAUDE.md: ctx review write claude\n");
    }
    return 0;
  },
});
