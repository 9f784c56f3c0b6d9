// `ctx session commits`: the commits and pull requests that came out of a session.

import { define } from "../../command/command.ts";
import { oneSession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { outcomeOfSession } from "../../recall/pr/pr_shapes.ts";
import { sessionNameOf } from "../../command/session_scope.ts";
import { toTable } from "../../command/view.ts";

export const sessionCommits = define({
  name: "session commits",
  summary: "List the commits and pull requests that came out of a session.",
  description:
    "Commits are found by their lines, as in `ctx why`: it does not matter who made them, and a squashed or rebased commit counts. Only the history of HEAD is searched, from the start of the session to 30 days after its end. A commit that the session made itself but that is not in the history of HEAD is listed with `on_head` false. Pull requests are those that the session opened (their address is in a tool's output) and those named at the end of its commits' subjects, such as (#123).",
  input: { session: oneSession },
  output: { session_id: s.text(), ...outcomeOfSession },
  positional: ["session"],
  effect: "read",
  unscoped: true,
  examples: [{
    argv: ["session", "commits", "S-1m2few700s4d0k3nc"],
    about: "Show what a session led to.",
  }],
  async run({ session }, context) {
    const store = await context.openStore();
    const { findSessionCommits } = await import("../../recall/pr/find_session_commits.ts");
    const id = sessionNameOf(session, store, context);
    const { cwd, signal } = context;
    return { session_id: id, ...await findSessionCommits(store, id, { cwd, signal }) };
  },
  render({ commits, pulls, because }, view) {
    const rows = [
      ...commits.map(({ commit, subject, files, on_head }) => [
        view.dim(commit.slice(0, 10)),
        subject,
        view.dim(on_head ? files.join(", ") : "not in the history of HEAD"),
      ]),
      ...pulls.map(({ number, url = "" }) => [view.dim(`#${number}`), url, ""]),
    ];
    if (rows.length > 0) return toTable(rows);
    return `No commits found${because === undefined ? "" : `: ${because}`}.\n`;
  },
});
