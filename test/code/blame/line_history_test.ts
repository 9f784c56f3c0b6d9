// What happened to the lines of a file, on histories that the real git made.

import assert from "node:assert/strict";
import { keepHistory } from "../../../src/code/blame/keep_history.ts";
import { lineHistory, type LineHistoryOptions } from "../../../src/code/blame/line_history.ts";
import { openHistory } from "../../../src/code/blame/path_history.ts";
import { GitProblem } from "../../../src/code/git/git_problem.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { type TempRepository, tempRepository } from "../../support/temp_repository.ts";

const ignore = isMissing("git");

Deno.test({
  name: "lineHistory() tells the changes of a file, newest first and through renames",
  ignore,
}, async () => {
  await using t = await tempRepository();
  const lines = Array.from({ length: 10 }, (_, i) => `line ${i}\n`);
  await t.commit("one", { "old.txt": lines.join("") });
  await t.commit("two", { "old.txt": lines.with(4, "four\n").join("") });
  await t.git("mv", "old.txt", "new.txt");
  await t.commit("three", { "new.txt": lines.with(4, "vier\n").join("") });
  await t.commit("four", { "other.txt": "x\n" });
  const told = await tell(t, "new.txt");
  assert.deepEqual(told, [
    "three new.txt -four +vier",
    "two old.txt -line 4 +four",
    `one old.txt ${lines.map((line) => `+${line.trim()}`).join(" ")}`,
    "end",
  ]);
  assert.deepEqual(await tell(t, "new.txt", { maxVersions: 1 }), [told[0], "cut"]);
  const since = Date.parse(await t.git("log", "-1", "--format=%cI", "HEAD~1"));
  assert.deepEqual(await tell(t, "new.txt", { since }), [told[0], "end"]);
  assert.deepEqual(
    (await tell(t, "old.txt"))[0],
    `three old.txt → new.txt ${lines.with(4, "four\n").map((line) => `-${line.trim()}`).join(" ")}`,
  );
});

Deno.test(
  { name: "lineHistory() tells a merge and the end of a file, also from what is kept", ignore },
  async () => {
    await using t = await tempRepository();
    await t.commit("one", { "a.txt": "keep\nchange me\nlast\n" });
    await t.commit("two", { "a.txt": "keep\nchanged\nlast\n" });
    await t.git("checkout", "-q", "-b", "side");
    await t.commit("drop", { "a.txt": "keep\nchanged\n" });
    await t.git("checkout", "-q", "main");
    await t.commit("four", { "a.txt": "top\nkeep\nchanged\nlast\n" });
    await t.git("merge", "-q", "--no-edit", "side");
    Deno.removeSync(`${t.path}/a.txt`);
    await t.commit("five");
    const kept = `${t.path}/.git/kept.bin`;
    await keepHistory(t.repository, { files: diskFiles, path: kept });
    using history = openHistory(diskFiles, kept)!;
    for (const known of [undefined, history]) {
      const told = await tell(t, "a.txt", { history: known });
      assert.deepEqual([told[0], ...told.slice(1, 3).sort(), ...told.slice(3)], [
        "five a.txt -top -keep -changed",
        "drop a.txt -last",
        "four a.txt +top",
        "two a.txt -change me +changed",
        "one a.txt +keep +change me +last",
        "end",
      ]);
    }
  },
);

async function tell(
  t: TempRepository,
  path: string,
  options?: LineHistoryOptions,
): Promise<string[]> {
  const changes = lineHistory(t.repository, path, options);
  const told: string[] = [];
  while (true) {
    const { done, value } = await changes.next();
    if (done) return [...told, value instanceof GitProblem ? value.message : value];
    const lines = value.hunks.flatMap(({ removed, added }) => [
      ...removed.map(({ text }) => `-${text}`),
      ...added.map(({ text }) => `+${text}`),
    ]);
    const arrow = value.renamedTo === undefined ? "" : ` → ${value.renamedTo}`;
    told.push(`${value.commit.subject} ${value.path}${arrow} ${lines.join(" ")}`);
  }
}
