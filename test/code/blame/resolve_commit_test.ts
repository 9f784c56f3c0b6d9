// What people write for a commit, against what the real git makes of it.

import assert from "node:assert/strict";
import { resolveCommit } from "../../../src/code/blame/resolve_commit.ts";
import { isBotCommit } from "../../../src/code/git/git_commit.ts";
import { GitProblem } from "../../../src/code/git/git_problem.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { tempRepository } from "../../support/temp_repository.ts";

const ignore = isMissing("git");

Deno.test({ name: "resolveCommit() means what git means", ignore }, async () => {
  await using t = await tempRepository();
  const first = await t.commit("one", { "a.txt": "1\n" });
  await t.git("tag", "light");
  await t.git("tag", "-a", "heavy", "-m", "A tag");
  await t.git("checkout", "-q", "-b", "feature/x");
  const second = await t.commit("two", { "a.txt": "2\n" });
  await t.git("checkout", "-q", "main");
  await t.commit("three", { "b.txt": "b\n" });
  await t.git("merge", "-q", "--no-edit", "feature/x");
  const names = ["HEAD", "@", "HEAD~1", "HEAD^2", "HEAD^^", "HEAD~2", "@~", "HEAD^0", "main"];
  names.push("feature/x", "refs/heads/feature/x", "heads/main", "light", "heavy", "heavy^{commit}");
  names.push(second, second.slice(0, 7), first.slice(0, 12).toUpperCase(), `${second}~1`);
  names.push("ORIG_HEAD");
  for (const packed of [false, true]) {
    if (packed) await t.git("gc", "-q");
    for (const name of names) {
      const expected = await t.git("rev-parse", `${name}^{commit}`);
      assert.equal(resolveCommit(t.repository, name), expected, name);
    }
  }
  const blob = await t.git("rev-parse", "HEAD:a.txt");
  for (
    const name of ["nope", "", "HEAD~9", "HEAD^3", "../x", "a b", "main@{1}", blob, "~1", "fff"]
  ) {
    const found = resolveCommit(t.repository, name);
    assert.equal(found instanceof GitProblem && found.reason, "no-such-commit", name);
  }
  const all = await t.git("rev-list", "--all");
  const letters = Map.groupBy(all.split("\n"), (oid) => oid.slice(0, 4));
  assert.equal(letters.size, 4);
});

Deno.test("isBotCommit() knows programs by name and address, and takes no coding agent for one", () => {
  const authors: [string, string, boolean][] = [
    ["dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", true],
    ["renovate", "bot@renovateapp.com", true],
    ["github-actions", "github-actions@github.com", true],
    ["Release", "41898282+github-actions[bot]@users.noreply.github.com", true],
    ["semantic-release-bot", "semantic-release-bot@martynus.net", true],
    ["mergify[bot]", "37929162+mergify[bot]@users.noreply.github.com", true],
    ["pre-commit-ci[bot]", "66853113+pre-commit-ci[bot]@users.noreply.github.com", true],
    ["copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com", false],
    ["claude[bot]", "209825114+claude[bot]@users.noreply.github.com", false],
    ["cursor[bot]", "206951365+cursor[bot]@users.noreply.github.com", false],
    ["devin-ai-integration[bot]", "158243242+devin-ai-integration[bot]@example.org", false],
    ["google-labs-jules[bot]", "161369871+google-labs-jules[bot]@example.org", false],
    ["chatgpt-codex-connector[bot]", "1+chatgpt-codex-connector[bot]@example.org", false],
    ["kiloconnect[bot]", "1+kiloconnect[bot]@example.org", false],
    ["A Person", "a@example.org", false],
    ["Abbot", "1+abbot@users.noreply.github.com", false],
    ["Robot Lover", "robotics@example.org", false],
  ];
  for (const [name, email, expected] of authors) {
    assert.equal(isBotCommit({ author: { name, email, ts: 0 } }), expected, name);
  }
});
