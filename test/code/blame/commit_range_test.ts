import assert from "node:assert/strict";
import { readRange } from "../../../src/code/blame/commit_range.ts";
import { GitProblem } from "../../../src/code/git/git_problem.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { tempRepository } from "../../support/temp_repository.ts";

const ignore = isMissing("git");

Deno.test(
  { name: "readRange lists what git rev-list lists, whatever was merged", ignore },
  async () => {
    await using repository = await tempRepository();
    await repository.commit("0");
    const tips = ["main"];
    let seed = 7;
    const pick = (count: number): number => (seed = (seed * 48271) % 2147483647) % count;
    for (let i = 1; i <= 40; i++) {
      const from = tips[pick(tips.length)];
      await repository.git("checkout", "-q", from);
      if (i % 7 === 0) {
        await repository.git("checkout", "-q", "-b", `b${i}`);
        tips.push(`b${i}`);
      }
      const other = tips[pick(tips.length)];
      if (i % 4 === 0 && other !== from) {
        await repository.tryGit("merge", "-q", "--no-ff", "--allow-unrelated-histories", other);
      }
      await repository.git("commit", "-q", "--allow-empty", "-m", `${i}`);
    }
    for (const base of tips) {
      for (const head of tips) {
        const [from, to] = await Promise.all(
          [base, head].map((name) => repository.git("rev-parse", name)),
        );
        const range = await readRange(repository.repository, {
          base: from,
          head: to,
          maxCommits: 99,
        });
        assert.ok(!(range instanceof GitProblem));
        const listed = await repository.git("rev-list", `${from}..${to}`);
        assert.deepEqual(range.oids.toSorted(), listed.split("\n").filter(Boolean).sort());
        assert.equal(range.count, range.oids.length);
        const bases = await repository.git("merge-base", "--all", from, to);
        assert.ok(bases.split("\n").includes(range.mergeBase ?? ""), `${base}..${head}`);
      }
    }
  },
);

Deno.test(
  { name: "readRange cuts a long list and counts it; histories may not meet", ignore },
  async () => {
    await using repository = await tempRepository();
    const first = await repository.commit("First");
    for (let i = 0; i < 5; i++) await repository.commit(`${i}`);
    const head = await repository.git("rev-parse", "HEAD");
    const range = await readRange(repository.repository, { base: first, head, maxCommits: 2 });
    assert.ok(!(range instanceof GitProblem));
    const newest = await repository.git("rev-list", "-2", "HEAD");
    assert.deepEqual([range.oids, range.count], [newest.split("\n"), 5]);
    await repository.git("checkout", "-q", "--orphan", "other");
    const stranger = await repository.commit("Stranger");
    const apart = await readRange(repository.repository, { base: stranger, head, maxCommits: 9 });
    assert.ok(!(apart instanceof GitProblem));
    assert.deepEqual([apart.mergeBase, apart.count], [undefined, 6]);
  },
);
