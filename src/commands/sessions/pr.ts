// `ctx pr`: describes what led to some commits, as Markdown for their pull request.

import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { homeOf } from "../../core/platform_path.ts";
import { pullRequest } from "../../recall/pr/pr_shapes.ts";

export const pr = define({
  name: "pr",
  summary: "Describe commits for a pull request: what was asked, decided and dropped.",
  description:
    "Takes the commits in HEAD but not in BASE and finds the exchanges that wrote them, by tracing the lines of each commit to the edit and the prompt before it. Prints the prompts behind the commits, what was decided and why, what was tried and dropped, and what was left open: one line each, with its commits. Nothing else from these sessions is included. BASE is a branch or commit (default: the upstream branch, else origin/HEAD, main or master); with BASE..HEAD the commits need not be checked out. Secrets are redacted once more; home directories, addresses and host names are removed; the text is escaped so that it mentions no users or issues, and it fits into a pull request. Read it before you publish it: it contains what you typed.",
  input: {
    base: s.optionalText("Branch or commit to compare with, or a range: BASE..HEAD."),
    limit: s.integer("Maximum lines per kind.", { min: 1, max: 200, default: 30 }),
    format: s.choice(
      "Print Markdown, or one HTML file that loads nothing.",
      ["markdown", "html"],
      "markdown",
    ),
  },
  output: pullRequest,
  positional: ["base"],
  effect: "read",
  unscoped: true,
  tool: "pr",
  examples: [
    { argv: ["pr"], about: "Use the current branch." },
    { argv: ["pr", "HEAD~3"], about: "Use the last three commits." },
    { argv: ["pr", "main..feature"], about: "Use a branch that is not checked out." },
    { argv: ["pr", "--format", "html"], about: "Make a page for people without ctx." },
  ],
  async run({ base, limit, format }, context) {
    const store = await context.openStore();
    const { describePullRequest } = await import("../../recall/pr/describe_pull_request.ts");
    return await describePullRequest(store, {
      range: base,
      limit,
      format,
      cwd: context.cwd,
      now: context.now,
      signal: context.signal,
      home: homeOf(context.env),
      host: context.env("HOSTNAME") ?? context.env("COMPUTERNAME") ?? findHostName(),
    });
  },
  render: ({ text }) => text,
  brief: ({ base, commits, unattributed, sessions, text, notes }) => ({
    base,
    commits,
    unattributed,
    written_in: sessions.map(({ id }) => id).join(", "),
    ...(notes === undefined ? {} : { notes }),
    text,
  }),
  note: ({ notes }) => notes?.join("; "),
});

function findHostName(): string | undefined {
  try {
    return Deno.readTextFileSync("/etc/hostname").trim();
  } catch {
    return undefined;
  }
}
