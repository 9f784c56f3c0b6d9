// `ctx pr --list`: what can be described, and who wrote it.

import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { listedChanges } from "../../recall/pr/pr_shapes.ts";

export const changes = define({
  name: "changes",
  summary: "List recent commits, pull requests and branches, with the sessions that wrote each.",
  description:
    "Lists the latest commits of the current branch, the pull requests among them (recognized by their merge commit or title), and branches that are not merged, each with the sessions that wrote its lines. To describe one, pass its `range` to `ctx pr`. If no session is listed, none is known: it may have been written without an agent.",
  input: {
    limit: s.integer("Maximum commits, and maximum branches.", { min: 1, max: 200, default: 30 }),
  },
  output: listedChanges,
  list: { of: "changes", columns: ["ts", "name", "subject", "author"] },
  effect: "read",
  unscoped: true,
  examples: [{ argv: ["pr", "--list"], about: "See which commits came out of sessions." }],
  async run({ limit }, { openStore, cwd, signal }) {
    const { listChanges } = await import("../../recall/pr/list_changes.ts");
    return await listChanges(await openStore(), { limit, cwd, signal });
  },
  render({ changes, because }, view) {
    if (changes.length === 0) {
      return `Nothing to list: ${because ?? "there are no commits yet"}\n`;
    }
    const rows = changes.map(({ name, subject, ts, sessions }) => [
      view.time(ts),
      view.name(name),
      subject,
      sessions.length === 0
        ? view.dim("no known session")
        : sessions.map(({ id, title }) => title || id).join(", "),
    ]);
    return view.table(rows, { gives: 3 });
  },
});
