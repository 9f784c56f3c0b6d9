// `ctx pr`: what the sessions behind a branch have to tell, as Markdown for its pull request.

import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";

export const pr = define({
  name: "pr",
  summary: "Print decisions and dead ends behind a branch, as Markdown for a pull request.",
  description:
    "ctx finds the sessions that wrote the commits in HEAD but not in BASE, and lists their records about these commits (`ctx records`), one line each with the id: decisions, dead ends, and decisions whose code has changed since. BASE is a branch or commit (default: the upstream branch, else origin/HEAD, main or master). Secrets are redacted once more; home directories, addresses and host names are removed; the text is escaped so that it mentions no users or issues, and it fits into a pull request. Prompts and transcripts are not included. Read it before you publish it.",
  input: {
    base: s.optionalText("Branch or commit to compare with."),
    limit: s.integer("Maximum lines per kind.", { min: 1, max: 200, default: 30 }),
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
    { argv: ["pr"], about: "Use the current branch." },
    { argv: ["pr", "HEAD~3"], about: "Use the last three commits." },
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
