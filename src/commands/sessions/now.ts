// `ctx now`: the sessions that are at work in this repository, and the files they changed within the hour.

import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { liveSession } from "../../recall/live/live_session.ts";

export const now = define({
  name: "now",
  summary: "Show who is working here now, and on which lines.",
  description:
    "Lists the sessions of all agents in this repository and its worktrees that were active within the last hour and have not ended, and the files they edited (without line numbers where a shell command did it). ctx detects sessions by their prompts, captures and edits, so the agent's hooks must be set up (ctx setup). Before an agent edits lines that another of these sessions changed, ctx blocks the edit once and tells the agent why (suggest.collisions).",
  input: {},
  output: { sessions: s.listOf(liveSession) },
  effect: "read",
  unscoped: true,
  examples: [{ argv: ["now"], about: "See which agents are at work, and where." }],
  async run(_input, context) {
    const { readLiveSessions } = await import("../../recall/live/live_sessions.ts");
    return { sessions: readLiveSessions(await context.openStore(), context.now()) };
  },
  render({ sessions }, view) {
    if (sessions.length === 0) return "No session has been active here in the last hour.\n";
    return sessions.map(({ agent, title, last, files }) =>
      [
        `${view.good("●")} ${agent}  ${view.time(last)}  ${title || view.dim("(no title)")}`,
        ...files.map(({ path, lines, worktree }) =>
          `    ${view.path(path)}${lines === "" ? "" : `:${lines.replaceAll(" ", "")}`}${
            worktree === undefined ? "" : view.dim(`  in ${worktree}`)
          }`
        ),
      ].join("\n")
    ).join("\n") + "\n";
  },
});
