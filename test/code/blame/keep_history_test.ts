// The kept history: it grows with HEAD, is the same however it came about, and damage is not believed.

import assert from "node:assert/strict";
import { blameLines } from "../../../src/code/blame/blame_lines.ts";
import { keepHistory } from "../../../src/code/blame/keep_history.ts";
import { openHistory } from "../../../src/code/blame/path_history.ts";
import { PathWalk } from "../../../src/code/blame/path_walk.ts";
import { GitProblem } from "../../../src/code/git/git_problem.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { type TempRepository, tempRepository } from "../../support/temp_repository.ts";

const ignore = isMissing("git");

Deno.test(
  { name: "keepHistory() adds what is new", ignore },
  async () => {
    await using t = await tempRepository();
    const path = `${t.path}/.git/kept.bin`;
    const keep = () => keepHistory(t.repository, { files: diskFiles, path });
    assert.equal(await keep(), undefined);
    await t.commit("one", { "a.txt": "1\n", "b.txt": "b\n" });
    assert.deepEqual(await keep(), { added: 1, count: 1 });
    const second = await t.commit("two", { "a.txt": "2\n" });
    assert.deepEqual(await keep(), { added: 1, count: 2 });
    assert.deepEqual(await keep(), { added: 0, count: 2 });
    // A branch that was left behind does no harm.
    await t.git("reset", "-q", "--hard", "HEAD~1");
    const other = await t.commit("other", { "a.txt": "3\n" });
    assert.deepEqual(await keep(), { added: 1, count: 3 });
    using history = openHistory(diskFiles, path)!;
    const blobs = await Promise.all(
      [other, second].map((oid) => t.git("rev-parse", `${oid}:a.txt`)),
    );
    assert.deepEqual([other, second].map((oid) => history.findVersion(oid, "a.txt")), [
      { commit: other, blob: blobs[0] },
      { commit: second, blob: blobs[1] },
    ]);
    assert.equal(history.findVersion(other, "never.txt"), "absent");
    assert.equal(history.findVersion("0".repeat(40), "a.txt"), undefined);
  },
);

Deno.test({
  name: "a damaged history is not believed: git is read instead, and it is made anew",
  ignore,
}, async () => {
  await using t = await tempRepository();
  for (let i = 0; i < 5; i++) await t.commit(`${i}`, { "a.txt": `${"x\n".repeat(i)}${i}\n` });
  const path = `${t.path}/.git/kept.bin`;
  const keep = () => keepHistory(t.repository, { files: diskFiles, path });
  await keep();
  const whole = Deno.readFileSync(path);
  const expected = await t.blame("a.txt");
  for (let at = 0; at < whole.length; at += 97) {
    const damaged = whole.slice();
    damaged[at] ^= 0x55;
    Deno.writeFileSync(path, damaged);
    assert.deepEqual(await blameWith(t, path), expected, `byte ${at}`);
  }
  Deno.writeFileSync(path, whole.subarray(0, 100));
  assert.deepEqual(await blameWith(t, path), expected);
  const damaged = whole.slice();
  damaged[40] ^= 1;
  Deno.writeFileSync(path, damaged);
  await t.commit("more", { "b.txt": "b\n" });
  assert.deepEqual(await keep(), { added: 6, count: 6 });
  assert.deepEqual(await blameWith(t, path), expected);
});

Deno.test({
  name: "with a kept history that grows, lines are blamed as git blames them",
  ignore,
}, async () => {
  await using t = await tempRepository();
  const path = `${t.path}/.git/kept.bin`;
  const body = Array.from({ length: 40 }, (_, line) => `line ${line}`);
  for (let i = 0; i < 12; i++) {
    body.splice((i * 7) % body.length, i % 3, `new ${i}`, `more ${i}`);
    await t.commit(`${i}`, { "a.txt": `${body.join("\n")}\n`, [`${i}.txt`]: "x\n" });
    if (i % 4 === 1) await keepHistory(t.repository, { files: diskFiles, path });
  }
  await keepHistory(t.repository, { files: diskFiles, path });
  const expected = await t.blame("a.txt");
  assert.deepEqual(await blameWith(t, path), expected);
});

Deno.test({
  name: "a history that grew by merges and removals answers as one that is made at once",
  ignore,
}, async () => {
  await using t = await tempRepository();
  const path = `${t.path}/.git/kept.bin`;
  const keep = () => keepHistory(t.repository, { files: diskFiles, path });
  const texts = ["1\n2\n3\n4\n", "1\n2\nthree\n4\n", "1\n2\nthree\n4\n5\n"];
  for (const [i, text] of texts.entries()) {
    await t.commit(`${i}`, { "a.txt": text, "b.txt": "b\n" });
  }
  await keep();
  await t.commit("one more", { "c.txt": "c\n" });
  await keep();
  await t.git("checkout", "-q", "-b", "side", "HEAD~2");
  await t.commit("side", { "a.txt": "one\n2\nthree\n4\n" });
  await t.git("checkout", "-q", "main");
  await t.commit("later", { "a.txt": "1\n2\nthree\n4\n5\n6\n" });
  await t.git("merge", "-q", "-m", "merged", "side");
  await t.git("rm", "-q", "b.txt");
  await t.commit("without b", {});
  await keep();
  const expected = await t.blame("a.txt");
  assert.deepEqual(await blameWith(t, path), expected);
  {
    using history = openHistory(diskFiles, path)!;
    assert.equal(history.count, 8);
    using walk = new PathWalk(t.repository, { oidBytes: 20, history });
    const head = await t.git("rev-parse", "HEAD");
    assert.equal(walk.versionAt(head, "b.txt"), undefined);
    assert.equal(walk.findRemoval(head, "b.txt"), head);
    assert.ok(walk.rankOf(head) > walk.rankOf(`${await t.git("rev-parse", "HEAD~3")}`));
  }
  // Damaged, it is as if it were not there, and is made anew.
  const damaged = Deno.readFileSync(path);
  damaged[20] ^= 1;
  Deno.writeFileSync(path, damaged);
  assert.deepEqual(await blameWith(t, path), expected);
  assert.deepEqual(await keep(), { added: 8, count: 8 });
  assert.deepEqual(await blameWith(t, path), expected);
});

async function blameWith(t: TempRepository, path: string) {
  using history = openHistory(diskFiles, path);
  const blame = await blameLines(t.repository, "a.txt", { history });
  assert.ok(!(blame instanceof GitProblem));
  return blame.lines.map(({ commit, commitLine }) => ({ ...commit && { commit }, commitLine }));
}
