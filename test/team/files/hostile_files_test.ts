// Whoever carries the files changes, swaps, withholds, replays and makes up some: nothing of it is taken,
// it is told once, and what is put right again comes in after all.

import assert from "node:assert/strict";
import { listTree } from "../../support/stores/tree.ts";
import { readBodies } from "../../support/servers/history_folders.ts";
import {
  type FilesTeam,
  madeFilesTeam,
  Teammate,
  teammate,
} from "../../support/servers/teammates.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

/** Ada has pushed three entries, a file each; Bob has pulled the first of them. */
async function pushedTeam(): Promise<FilesTeam & { paths: string[]; ids: string[] }> {
  const team = await madeFilesTeam(["ada", "bob"]);
  const [ada, bob] = team.mates;
  const folder = `${team.folder}/web/writers/${writerOf(ada)}`;
  const before = listTree(folder).length;
  const ids = [];
  for (const word of ["one", "two", "three"]) {
    ids.push(await ada.save(`Number ${word}.`));
    await ada.sync();
    if (word === "one") await bob.sync();
  }
  return { ...team, ids, paths: listTree(folder).slice(before) };
}

function writerOf({ t }: Teammate): string {
  return JSON.parse(t.read("remote.json")).writer;
}

function change(path: string, from: string | RegExp, to: string): void {
  const text = Deno.readTextFileSync(path);
  const changed = text.replace(from, to);
  assert.notEqual(changed, text);
  Deno.writeTextFileSync(path, changed);
}

/** What is done to Ada's last two files, and what Bob is told of it. */
const attacks: [name: string, reasons: string[], act: (paths: string[]) => void][] = [
  ["a header is changed", ["bad_signature"], ([, two]) => change(two, /"ts":"\d/, '"ts":"3')],
  ["a signature is another", ["bad_signature"], ([one, two]) => {
    const [, signature] = Deno.readTextFileSync(one).split("\n");
    change(two, /\n\{"signature".*\n/, `\n${signature}\n`);
  }],
  ["a file is in the place of another", ["bad_signature"], ([, two, three]) => {
    Deno.copyFileSync(three, two);
  }],
  ["an older file comes again", ["bad_signature"], ([one, two]) => Deno.copyFileSync(one, two)],
  [
    "a row is changed",
    ["bad_signature"],
    ([, two]) => change(two, '"kind":"entry"', '"kind":"other"'),
  ],
  ["a file is no file of ours", ["bad_signature"], ([, two]) => {
    Deno.writeTextFileSync(two, "<html>not found</html>\n");
  }],
];

for (const [name, reasons, act] of attacks) {
  Deno.test(`${name}: the writer is not followed further, until it is put right`, async () => {
    await using team = await pushedTeam();
    const { paths, ids, mates: [, bob] } = team;
    const good = paths.map((path) => Deno.readFileSync(path));
    act(paths);
    assert.deepEqual((await bob.sync()).refused.map(({ reason }) => reason), reasons);
    assert.deepEqual([...bob.texts().keys()], [ids[0]]);
    assert.match(bob.t.read("history.bad.ndjson"), new RegExp(`"reason":"${reasons[0]}"`));
    assert.deepEqual((await bob.sync()).refused, [], "it is told once");
    paths.forEach((path, i) => Deno.writeFileSync(path, good[i]));
    assert.deepEqual((await bob.sync()).refused, []);
    assert.deepEqual([...bob.texts().keys()], ids);
    assert.deepEqual(await bob.t.ailments(), []);
  });
}

Deno.test("a file without rows that comes again in the place of another is refused", async () => {
  await using team = await madeFilesTeam(["ada", "bob"]);
  const [ada, bob] = team.mates;
  await ada.run("remote invite", { name: "cyd" });
  const files = listTree(`${team.folder}/web/writers/${writerOf(ada)}`);
  Deno.copyFileSync(files.at(-2)!, files.at(-1)!);
  assert.deepEqual((await bob.sync()).refused.map(({ reason }) => reason), ["bad_signature"]);
});

Deno.test("a changed body is refused by itself, and comes in when it is mended", async () => {
  await using team = await pushedTeam();
  const { paths: [, two], ids, mates: [, bob] } = team;
  const good = Deno.readFileSync(two);
  change(two, /("body":"[^"]{60})./, "$1!".replace("!", "A"));
  const { refused } = await bob.sync();
  assert.deepEqual(refused.map(({ reason, id }) => [reason, id]), [["altered_row", ids[1]]]);
  assert.deepEqual([...bob.texts().keys()], [ids[0], ids[2]]);
  Deno.writeFileSync(two, good);
  assert.deepEqual((await bob.sync()).refused, []);
  assert.equal(bob.texts().size, 3);
});

Deno.test("a body that nobody took away is told as withheld", async () => {
  await using team = await pushedTeam();
  const { paths: [, two], ids, mates: [, bob] } = team;
  change(two, /,"body":"[^"]*"/, "");
  const { refused } = await bob.sync();
  assert.deepEqual(refused.map(({ reason, id }) => [reason, id]), [["withheld", ids[1]]]);
  assert.deepEqual((await bob.sync()).refused, []);
});

Deno.test("a body that is gone by the word of who may not erase it is told as withheld", async () => {
  for (const by of ["bob", "nobody"]) {
    await using team = await pushedTeam();
    const { paths: [, two], ids, mates: [, bob] } = team;
    const eraser = by === "bob" ? writerOf(bob) : "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001";
    change(two, /,"body":"[^"]*"/, `,"gone":["${eraser}",999]`);
    const { refused } = await bob.sync();
    assert.deepEqual(refused.map(({ reason, id }) => [reason, id]), [["withheld", ids[1]]], by);
  }
});

Deno.test("a body that is gone by a file of the owner's that never comes is told at every sync", async () => {
  await using team = await pushedTeam();
  const { paths: [, two], ids, mates: [ada, bob] } = team;
  const good = Deno.readFileSync(two);
  change(two, /,"body":"[^"]*"/, `,"gone":["${writerOf(ada)}",99999]`);
  for (const _ of [1, 2]) {
    const said: string[] = [];
    const { refused } = await bob.sync({ warn: (message) => said.push(message) });
    assert.deepEqual(refused, []);
    assert.match(
      said.join("\n"),
      /has no text for 1 of ada's entries: .*\/00099999\.ndjson", which is said to/,
    );
    assert.deepEqual([...bob.texts().keys()], [ids[0], ids[2]]);
  }
  Deno.writeFileSync(two, good);
  const said: string[] = [];
  await bob.sync({ warn: (message) => said.push(message) });
  assert.deepEqual(said, []);
  assert.deepEqual([...bob.texts().keys()], ids);
});

Deno.test("a body that the owner erased is taken for gone, whichever of the two files comes first", async () => {
  await using team = await madeFilesTeam(["ada", "bob", "cyd", "dan"]);
  const [ada, bob, cyd, dan] = team.mates;
  const id = await bob.save("Bob says too much.");
  await bob.sync();
  await ada.sync();
  await ada.run("forget", { ids: [id], now: true });
  await ada.sync();
  // Bob's file still has it; Dan reads both files at once, and takes none of the body.
  assert.deepEqual((await dan.sync()).refused, []);
  assert.ok(!dan.texts().has(id) && !dan.t.read("history.ndjson").includes("too much"));
  for (const { name } of Deno.readDirSync(`${dan.t.workspace}/.contextfs/team`)) {
    if (!name.includes(".")) continue;
    assert.ok(!dan.t.read(`team/${name}`).includes("too much"), name);
  }
  assert.deepEqual((await bob.sync()).taken_out, [id]);
  // Cyd reads Bob's file before Ada's word has arrived.
  const scrubbed = listTree(`${team.folder}/web/writers/${writerOf(bob)}`)
    .map((path) => Deno.readTextFileSync(path)).join("");
  const [, number] = /"gone":\["[^"]*",(\d)\]/.exec(scrubbed) ?? [];
  const word = `${team.folder}/web/writers/${writerOf(ada)}/0000000${number}.ndjson`;
  const good = Deno.readFileSync(word);
  Deno.removeSync(word);
  assert.deepEqual((await cyd.sync()).refused, [], "Ada's word is on its way");
  Deno.writeFileSync(word, good);
  assert.deepEqual((await cyd.sync()).refused, []);
  assert.ok(!cyd.texts().has(id));
});

Deno.test("a store that joins after an erasure never gets the text, though its author's file still has it", async () => {
  await using team = await madeFilesTeam(["ada", "bob"]);
  const [ada, bob] = team.mates;
  const ids = [await ada.save("Ada says too much."), await bob.save("Bob says too much.")];
  await ada.sync();
  await bob.sync();
  // Another machine of Ada's takes both back; neither author has synced since.
  await using desk = await teammate("ada");
  await ada.run("remote invite", { name: "ada" });
  await desk.run("remote add", { invite: ada.invitation("ada") });
  await desk.sync();
  await desk.run("forget", { ids, now: true });
  await desk.sync();
  assert.equal(readBodies(team.folder).match(/says too much/g)?.length, 2);
  await ada.run("remote invite", { name: "cyd" });
  await using cyd = await teammate("cyd");
  await cyd.run("remote add", { invite: ada.invitation("cyd") });
  // Two deletions come and no text, not even for as long as the sync takes.
  for (const pulled of [{ ada: 2, bob: 0 }, {}]) {
    const synced = await cyd.sync();
    assert.deepEqual([synced.pulled, synced.refused], [pulled, []]);
    assert.equal(cyd.texts().size, 0);
    const kept = listTree(`${cyd.t.workspace}/.contextfs`).filter((path) => !path.endsWith(".lock"))
      .map((path) => new TextDecoder("latin1").decode(Deno.readFileSync(path)));
    assert.doesNotMatch(kept.join("\n"), /says too much/);
  }
});

Deno.test("a link in the place of a file or of a store's folder leads nowhere", {
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  await using team = await pushedTeam();
  const { paths: [one, two], ids, mates: [ada, bob] } = team;
  const outside = await Deno.makeTempDir();
  try {
    Deno.writeTextFileSync(`${outside}/secret`, "hunter2\n".repeat(9));
    Deno.writeTextFileSync(`${outside}/20261118-notes.txt`, "private");
    Deno.renameSync(two, `${outside}/two`);
    Deno.symlinkSync(`${outside}/secret`, two);
    assert.deepEqual((await bob.sync()).refused.map(({ reason }) => reason), ["bad_signature"]);
    assert.doesNotMatch(bob.t.read("history.bad.ndjson"), /hunter2|aHVudGVyMg/);
    Deno.removeSync(two);
    Deno.renameSync(`${outside}/two`, two);
    await bob.sync();
    assert.deepEqual([...bob.texts().keys()], ids);
    // Ada's own folder is moved away, with a link in its place.
    const folder = one.replace(/\/[^/]*$/, "");
    for (const path of listTree(folder)) Deno.copyFileSync(path, path.replace(folder, outside));
    const before = listTree(outside).length;
    Deno.removeSync(folder, { recursive: true });
    Deno.symlinkSync(outside, folder);
    await ada.run("forget", { ids: [ids[0]], now: true });
    assert.equal((await ada.fail("sync")).code, "REMOTE_UNTRUSTED");
    assert.equal(listTree(outside).length, before);
  } finally {
    await Deno.remove(outside, { recursive: true });
  }
});

Deno.test("a file that is missing or cut short is waited for, and that is said", async () => {
  await using team = await pushedTeam();
  const { paths: [, two], ids, mates: [, bob] } = team;
  const good = Deno.readFileSync(two);
  for (
    const act of [() => Deno.removeSync(two), () => Deno.writeFileSync(two, good.subarray(0, 300))]
  ) {
    act();
    const said: string[] = [];
    const { refused } = await bob.sync({ warn: (message) => said.push(message) });
    assert.deepEqual(refused, []);
    assert.match(said.join(), /000000\d\d\.ndjson" of ada has not arrived in .* yet/);
    assert.deepEqual([...bob.texts().keys()], [ids[0]]);
  }
  Deno.writeFileSync(two, good);
  await bob.sync();
  assert.deepEqual([...bob.texts().keys()], ids);
});

Deno.test("files that were seen and are gone are told once; what came of them stays", async () => {
  await using team = await pushedTeam();
  const { paths, mates: [ada, bob] } = team;
  await bob.sync();
  for (const path of paths.slice(1)) Deno.removeSync(path);
  assert.deepEqual((await bob.sync()).refused.map(({ reason }) => reason), ["missing_row"]);
  assert.equal(bob.texts().size, 3);
  assert.deepEqual((await bob.sync()).refused, []);
  const lost = await ada.fail("sync");
  assert.equal(lost.code, "REMOTE_FORKED");
  assert.match(lost.message, /the last 2 files that this store wrote are missing/);
});

Deno.test("the copy that a carrier made of a file counts where the file is missing", async () => {
  await using team = await pushedTeam();
  const { paths: [, two], ids, mates: [ada, bob] } = team;
  const copy = two.replace(".ndjson", ".sync-conflict-20261118-201500-ABCDEF7.ndjson");
  Deno.renameSync(two, copy);
  assert.deepEqual((await bob.sync()).refused, []);
  assert.deepEqual([...bob.texts().keys()], ids);
  // What was erased goes from copies, too.
  Deno.copyFileSync(copy, two);
  Deno.copyFileSync(two, two.replace(/([^/]*)$/, ".$1.0b6c6a4e.tmp"));
  await ada.run("forget", { ids: [ids[1]], now: true });
  await ada.sync();
  assert.deepEqual(listTree(team.folder).filter((path) => /conflict|\.tmp$/.test(path)), []);
});

Deno.test("a store that nobody invited is passed over, and that is said", async () => {
  await using team = await madeFilesTeam(["ada", "bob"]);
  await using other = await madeFilesTeam(["eve"]);
  const [ada, bob] = team.mates;
  const [eve] = other.mates;
  await eve.save("Trust me.");
  await eve.sync();
  await ada.save("Trusted.");
  await ada.sync();
  const from = `${other.folder}/web/writers/${writerOf(eve)}`;
  const to = `${team.folder}/web/writers/${writerOf(eve)}`;
  Deno.mkdirSync(to);
  for (const path of listTree(from)) Deno.copyFileSync(path, `${to}/${path.split("/").at(-1)}`);
  const said: string[] = [];
  await bob.sync({ warn: (message) => said.push(message) });
  assert.deepEqual([...bob.texts().values()], ["Trusted."]);
  assert.match(said.join(), /a store of eve .* is not trusted: its certificate is invalid/);
  // Whoever may write there could make up any number of them: nothing of them is kept.
  for (const file of ["team/files.json", "team/members.json"]) {
    assert.ok(!bob.t.read(file).includes(writerOf(eve)), file);
  }
});

Deno.test("of many files that are not theirs who are named, ten are told and the rest counted", async () => {
  await using team = await madeFilesTeam(["ada", "bob"]);
  const [, bob] = team.mates;
  for (let i = 0; i < 15; i++) {
    const folder = `${team.folder}/web/writers/0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f00${10 + i}`;
    Deno.mkdirSync(folder);
    Deno.writeTextFileSync(`${folder}/00000001.ndjson`, "<html>not found</html>\n");
  }
  const said: string[] = [];
  await bob.sync({ warn: (message) => said.push(message) });
  assert.equal(said.length, 11);
  assert.match(said[10], /^5 more files in .* have not arrived yet or were ignored$/);
});

Deno.test("a space file that was exchanged, or says plain, is refused, and nothing leaves", async () => {
  await using team = await madeFilesTeam(["ada", "bob"], { encrypt: true });
  await using other = await madeFilesTeam(["eve"]);
  const [, bob] = team.mates;
  const path = `${team.folder}/web/space.json`;
  const good = Deno.readTextFileSync(path);
  await bob.save("For friends.");
  change(path, '"encrypted": true', '"encrypted": false');
  assert.match((await bob.fail("sync")).message, /its file space.json was changed/);
  Deno.copyFileSync(`${other.folder}/web/space.json`, path);
  assert.equal((await bob.fail("sync")).code, "REMOTE_UNTRUSTED");
  Deno.writeTextFileSync(path, good);
  assert.equal((await bob.sync()).pushed.entries, 1);
});

Deno.test("what a revoked member writes from then on counts for nobody", async () => {
  await using team = await madeFilesTeam(["ada", "bob", "cyd"]);
  const [ada, bob, cyd] = team.mates;
  await bob.save("While I was here.");
  await bob.sync();
  await ada.sync();
  const before = bob.t.workspace;
  assert.ok(before);
  await ada.run("remote revoke", { name: "bob" });
  assert.equal((await bob.fail("sync")).code, "REMOTE_DENIED");
  // He goes on with a folder of before, and puts what he writes there into everybody's.
  const late = `${team.folder}/late`;
  Deno.mkdirSync(late);
  const ours = `${team.folder}/web/writers/${writerOf(ada)}`;
  const last = listTree(ours).at(-1)!;
  Deno.renameSync(last, `${late}/kept`);
  const memory = JSON.parse(bob.t.read("team/files.json"));
  delete memory.writers[writerOf(ada)];
  bob.t.write("team/files.json", JSON.stringify(memory));
  await bob.save("After I was gone.");
  await bob.sync();
  Deno.renameSync(`${late}/kept`, last);
  const { refused } = await cyd.sync();
  assert.deepEqual([refused, [...cyd.texts().values()]], [[], ["While I was here."]]);
  const { members } = await cyd.run<{ members: { name: string; revoked: boolean }[] }>(
    "remote status",
  );
  assert.deepEqual(members.filter(({ revoked }) => revoked).map(({ name }) => name), ["bob"]);
  await ada.run("remote invite", { name: "bob" });
  await bob.run("remote add", { again: true, invite: ada.invitation("bob") });
  await bob.sync();
  await cyd.sync();
  assert.ok([...cyd.texts().values()].includes("After I was gone."));
});
