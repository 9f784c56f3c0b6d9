// `ctx pr`: what the sessions behind a branch have to tell, as Markdown for its pull request.

import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";

export const pr = define({
  name: "pr",
  summary: "Print Markdown for a pull request: decisions and dead ends behind its commits.",
  description:
    "The commits that HEAD has and BASE does not are followed to the sessions that wrote them, by their lines; then records of these sessions (`ctx records`) that concern the commits are told, a line each with the id: decisions, dead ends, and decisions that the code has moved away from since. BASE is a branch or a commit; without it the branch that this one follows, else origin/HEAD, main or master. Secrets are taken out once more; home directories, addresses and machines are not named; the text is escaped, so that it mentions nobody and refers to no issue, and fits into a pull request. Prompts and transcripts are not in it. Read it before you publish it.",
  input: {
    base: s.optionalText("The branch or commit to compare with."),
    limit: s.integer("The most lines of each kind.", { min: 1, max: 200, default: 30 }),
  },
  output: {
    ...s.each(s.optional(s.text()), "base", "base_commit", "head", "because"),
    ...s.each(s.number(), "commits", "unattributed", "merges", "left_out"),
    sessions: s.listOf(s.object({
      id: s.text(),
      agent: s.optional(s.text()),
      commits: s.listOf(s.text()),
    })),
    results: s.listOf(s.object({
      kind: s.oneOf(["decision", "dead_end", "drifted"]),
      ...s.each(s.text(), "id", "ts", "session_id", "text"),
      because: s.optional(s.text()),
    })),
    notes: s.optional(s.listOf(s.text())),
    text: s.text(),
  },
  positional: ["base"],
  effect: "read",
  unscoped: true,
  tool: "pr",
  examples: [
    { argv: ["pr"], about: "For the branch that is checked out." },
    { argv: ["pr", "HEAD~3"], about: "Of the last three commits." },
  ],
  async run({ base, limit }, context) {
    const store = await context.openStore();
    const { describePullRequest } = await import("../../recall/pr/describe_pull_request.ts");
    return await describePullRequest(store, {
      base,
      limit,
      cwd: context.cwd,
      now: context.now,
      signal: context.signal,
      home: context.env("HOME"),
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
