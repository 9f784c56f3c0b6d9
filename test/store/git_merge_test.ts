// A store that git versions: what two people wrote is merged by real git without a conflict, is read
// right at once, and what merges leave is mended. Nothing that one of them forgot comes back.

import assert from "node:assert/strict";
import { type ClonedStore, clonedStores } from "../support/stores/cloned_stores.ts";
import { rowOf, tempStore, toLog } from "../support/stores/temp_store.ts";

const machineFiles = [
  "state.json",
  "index",
  ".lock",
  "retrieval.traces.ndjson",
  "retrieval.traces.ndjson.1",
  "acts.ndjson",
  "captures.ndjson",
  "live.ndjson",
  "injections.ndjson",
  "suggestions.ndjson",
  "subscriptions.ndjson",
  "usage.ndjson",
  "watch.json",
  "move.json",
  "remote.json",
  "shares.ndjson",
  "team",
  "chat",
  "held",
];

Deno.test("init --commit lets git see what people share, and nothing of one machine", async () => {
  await using clones = await clonedStores(1);
  const store = clones.at(0);
  await store.save("We rotate tokens");
  for (const name of machineFiles) {
    if (store.exists(name)) continue;
    if (name.includes(".")) store.write(name, "{}\n");
    else {
      Deno.mkdirSync(store.path(name), { recursive: true });
      store.write(`${name}/something`, "x");
    }
  }
  await store.commit();
  assert.deepEqual((await store.git("ls-files")).split("\n"), [
    ".contextfs/.gitattributes",
    ".contextfs/.gitignore",
    ".contextfs/collections.ndjson",
    ".contextfs/history.archive.ndjson",
    ".contextfs/history.bad.ndjson",
    ".contextfs/history.ndjson",
    ".contextfs/pins.md",
    ".contextfs/sessions.ndjson",
    ".contextfs/summary.md",
  ]);
  Deno.removeSync(store.path("move.json"));
  assert.deepEqual(await store.ailments(), []);
});

Deno.test("rules that people wrote into the files for git stay, and init --gitignore takes ours back", async () => {
  await using t = await tempStore({
    files: {
      ".gitignore":
        "# ctx versions the logs and leaves out what can be rebuilt.\nindex/\n.lock\nmine.txt\n",
      ".gitattributes": "*.ndjson diff=json\n",
    },
  });
  assert.deepEqual(await t.ailments(), ["git"]);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
  assert.match(t.read(".gitignore"), /\/state\.json\n(.*\n)*mine\.txt\n$/);
  assert.match(t.read(".gitattributes"), /\*\.ndjson merge=union\n(.*\n)*\*\.ndjson diff=json\n$/);
  const before = [t.read(".gitignore"), t.read(".gitattributes")];
  assert.deepEqual((await t.run<{ wrote: string[] }>("init", { commit: true })).wrote, []);
  assert.deepEqual([t.read(".gitignore"), t.read(".gitattributes")], before);
  await t.run("init", { gitignore: true });
  assert.match(t.read(".gitignore"), /^\*$/m);
  assert.equal(t.read(".gitattributes"), "*.ndjson diff=json\n");
});

Deno.test("two clones save, forget, correct, pin and title; both have all of it after a merge", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  const session =
    (await one.do<{ session_id: string }>("session start", { title: "First" })).session_id;
  const [kept, gone, wrong] = [
    await one.save("Tokens rotate daily"),
    await one.save("The password is in the wiki"),
    await one.save("Caches live for an hour"),
  ];
  await one.commit();
  const two = await clones.clone(1);
  await one.do("session title", { session, title: "One says" });
  await one.do("forget", { ids: [gone], now: true });
  const right = await one.save("Caches live for a day", { supersedes: wrong });
  await one.do("pin", { target: kept });
  await two.do("session title", { session, title: "Two says, later" });
  const other = await two.save("Queues are drained at night");
  await two.do("pin", { target: other });
  await two.do("pin", { target: kept });
  await two.merge(await committed(one));
  await one.merge(two);
  for (const store of [one, two]) {
    assert.deepEqual(new Set(store.ids()), new Set([kept, wrong, right, other]));
    assert.equal(store.open().find([wrong]).get(wrong)?.superseded_by, right);
    assert.equal(store.textOf(gone), undefined);
    assert.equal(store.open().readSessions().get(session)?.title, "Two says, later");
    const { pins } = await store.run<{ pins: { id: string }[] }>("pins");
    assert.deepEqual(new Set(pins.map(({ id }) => id)), new Set([kept, other]));
    assert.equal(pins.length, 2);
  }
});

/** The clone, once everything in it is committed. */
async function committed(store: ClonedStore): Promise<ClonedStore> {
  await store.commit();
  return store;
}

Deno.test("a pin that a merge brought twice is one pin", async () => {
  await using t = await tempStore({ entries: ["a", "b"] });
  t.write("pins.md", "# Pins\n\n- [H-H1] a\n- by hand\n- [H-H2] b\n- [H-H1] a\n- by hand\n");
  const read = async () => (await t.run<{ pins: object[] }>("pins")).pins;
  const expected = [{ id: "H-H1", text: "a" }, { text: "by hand" }, { id: "H-H2", text: "b" }];
  assert.deepEqual(await read(), expected);
  await t.run("doctor", { fix: true });
  assert.equal(t.read("pins.md"), "# Pins\n\n- [H-H1] a\n- by hand\n- [H-H2] b\n");
  assert.deepEqual(await read(), expected);
});

Deno.test("a title that ended with what was forgotten does not come back from a side that still has it", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  const session = (await one.do<{ session_id: string }>("session start")).session_id;
  const secret = await one.save("Project Nightingale ships in May", { session });
  await one.save("Lunch at noon", { session });
  await one.commit();
  const two = await clones.clone(1);
  await two.do("session title", { session, title: "Nightingale ships" });
  await two.commit();
  await one.do("forget", { ids: [secret] });
  await one.merge(two);
  await one.do("gc");
  assert.deepEqual(one.ids().length, 1);
  assert.doesNotMatch(one.read("history.ndjson"), /Nightingale/);
});

Deno.test("rows that one side moved to the archive are in both logs after a merge, and read once", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  const session = "S-1m2few700s4d0k3nc";
  const ids: string[] = [];
  for (const word of ["alpha", "beta", "gamma"]) ids.push(await one.save(word, { session }));
  await one.commit();
  const two = await clones.clone(1);
  await one.do("compact", { keep: 0, older_than: 0 });
  await two.do("forget", { ids: [ids[1]] });
  ids.push(await two.save("delta", { session }));
  await two.merge(await committed(one));
  const expected = [ids[0], ids[2], ids[3]];
  assert.deepEqual(two.ids(), expected);
  const counts = async () =>
    (await two.run<{ sessions: { message_count: number }[] }>("sessions")).sessions
      .map(({ message_count }) => message_count);
  assert.deepEqual(await counts(), [3]);
  const found = await two.run<{ results: { id: string }[] }>("search", { query: "alpha" });
  assert.deepEqual(found.results.map(({ id }) => id), [ids[0]]);
  assert.deepEqual(await two.ailments(), ["pools"]);
  await two.do("doctor", { fix: true });
  assert.deepEqual([two.ids(), await two.ailments()], [expected, []]);
  assert.equal(two.read("history.bad.ndjson"), "");
});

Deno.test("what was erased on one side stays forgotten, however its line comes back", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  const gone = await one.save("The last line, next to what the other side adds");
  await one.commit();
  const two = await clones.clone(1);
  await one.do("forget", { ids: [gone], now: true });
  assert.doesNotMatch(one.read("history.ndjson"), /last line/);
  const added = await two.save("added beside it");
  await two.merge(await committed(one));
  assert.match(two.read("history.ndjson"), /last line/);
  assert.deepEqual(two.ids(), [added]);
  await two.do("gc");
  assert.doesNotMatch(two.read("history.ndjson"), /last line/);
  assert.deepEqual(two.ids(), [added]);
});

Deno.test("a branch with fewer rows is no loss, and a clone is in nobody's session", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  await one.do("session start", { title: "Mine" });
  await one.save("on main");
  await one.commit();
  await one.git("checkout", "-q", "-b", "side");
  const more = await one.save("on the side");
  await one.commit();
  await one.git("checkout", "-q", "main");
  assert.deepEqual([await one.ailments(), one.ids().includes(more)], [[], false]);
  await one.save("again on main");
  assert.deepEqual(one.warnings, []);
  const two = await clones.clone(1);
  assert.equal(two.open().readSessionId(), undefined);
  assert.notEqual(one.open().readSessionId(), undefined);
});

for (const style of ["merge", "diff3", "zdiff3"]) {
  Deno.test(`marks of a conflict (${style}) are passed over with a warning, and doctor --fix keeps both sides`, async () => {
    await using clones = await clonedStores(1);
    const one = clones.at(0);
    Deno.removeSync(one.path(".gitattributes"));
    const first = await one.save("shared");
    const session =
      (await one.do<{ session_id: string }>("session start", { title: "T" })).session_id;
    await one.do("pin", { target: first });
    await one.commit();
    const two = await clones.clone(1);
    const ids = [first];
    for (const store of [one, two]) {
      const id = await store.save(`of ${store === one ? "one" : "two"}`);
      await store.do("pin", { target: id });
      await store.do("session title", { session, title: store === one ? "One" : "Two" });
      await store.commit();
      ids.push(id);
    }
    await one.git("fetch", "-q", two.workspace, "main");
    const merged = await one.tryGit("-c", `merge.conflictStyle=${style}`, "merge", "FETCH_HEAD");
    assert.match(merged.stdout, /CONFLICT.*history\.ndjson/);
    const marked = ["history.ndjson", "sessions.ndjson", "pins.md"];
    for (const name of marked) assert.match(one.read(name), /^<{7} /m);
    await one.run("pack");
    await one.run("sessions");
    await one.run("search", { query: "shared" });
    assert.deepEqual(
      [...new Set(one.warnings)].map((line) => line.split(" ")[0]).sort(),
      marked.toSorted(),
    );
    assert.match(
      one.warnings[0],
      /merge conflict markers; both sides are read \(resolve it with: ctx doctor --fix\)/,
    );
    assert.deepEqual(one.ids(), ids);
    // Writing goes on meanwhile, and nothing is lost by it.
    ids.push(await one.save("while the conflict stands"));
    const { checks } = await one.run<
      { checks: { name: string; status: string; detail: string }[] }
    >("doctor");
    const check = checks.find(({ name }) => name === "merge");
    assert.equal(check?.status, "failed");
    for (const name of marked) assert.ok(check?.detail.includes(name), check?.detail);
    assert.deepEqual(checks.filter(({ status }) => status === "failed").length, 1);
    await one.do("doctor", { fix: true });
    assert.deepEqual(await one.ailments(), []);
    for (const name of marked) assert.doesNotMatch(one.read(name), /^(?:<{7}|\|{7}|={7}|>{7})/m);
    assert.deepEqual(one.ids(), ids);
    const { pins } = await one.run<{ pins: { id: string }[] }>("pins");
    assert.deepEqual(pins.map(({ id }) => id), ids.slice(0, 3));
    assert.equal(one.open().readSessions().get(session)?.title, "Two");
    assert.deepEqual(one.exists(".gitattributes"), true);
  });
}

Deno.test("an octopus merge, which knows no union, leaves marks that are mended", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  const ids = [await one.save("shared")];
  await one.commit();
  for (const name of ["a", "b"]) {
    await one.git("checkout", "-q", "-b", name, "main");
    ids.push(await one.save(`on ${name}`));
    await one.commit();
  }
  await one.git("checkout", "-q", "main");
  const merged = await one.tryGit("merge", "-q", "--no-edit", "a", "b");
  assert.notEqual(merged.code, 0);
  assert.deepEqual(new Set(one.ids()), new Set(ids));
  assert.match(one.read("history.ndjson"), /^<{7}/m);
  await one.do("doctor", { fix: true });
  assert.deepEqual([new Set(one.ids()), await one.ailments()], [new Set(ids), []]);
});

Deno.test("what both sides had before, which diff3 shows, is in neither log after --fix, but put aside", async () => {
  const row = (id: string): string => JSON.stringify(rowOf({ id, text: `text of ${id}` }));
  const lines = ["H-a", "H-b", "H-c", "H-d"].map(row);
  const conflict = [
    "<<<<<<< HEAD",
    lines[1],
    "||||||| 1234",
    lines[2],
    "=======",
    lines[3],
    ">>>>>>> b",
  ];
  await using t = await tempStore({
    files: { "history.ndjson": [lines[0], ...conflict].join("\n") + "\n" },
  });
  await t.run("doctor", { fix: true });
  assert.equal(t.read("history.ndjson"), [lines[0], lines[1], lines[3]].join("\n") + "\n");
  const aside = t.read("history.bad.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(aside.map(({ reason, text }) => [reason, text]), [
    ["conflict_mark", "<<<<<<< HEAD"],
    ["conflict_mark", "||||||| 1234"],
    ["conflict_base", lines[2]],
    ["conflict_mark", "======="],
    ["conflict_mark", ">>>>>>> b"],
  ]);
});

Deno.test("marks that somebody left half removed hide no row", async () => {
  const log = toLog(["a", "b", "c"]).split("\n");
  await using t = await tempStore({
    files: {
      "history.ndjson": ["||||||| x", log[0], "<<<<<<< HEAD", log[1], "||||||| 12", log[2], ""]
        .join("\n"),
    },
  });
  assert.deepEqual(t.ids(), ["H-H1", "H-H2", "H-H3"]);
  await t.run("doctor", { fix: true });
  assert.equal(t.read("history.ndjson"), log.join("\n"));
});

Deno.test("a text that speaks of conflicts is no conflict", async () => {
  const text = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch";
  await using t = await tempStore({ entries: [text] });
  t.write("pins.md", "# Pins\n\nTitle\n=======\n\n- a\n- >>>>>>> b\n");
  assert.deepEqual([t.textOf("H-H1"), await t.ailments()], [text, ["state"]]);
  const before = t.read("pins.md");
  await t.run("doctor", { fix: true });
  assert.equal(t.read("pins.md"), before);
});

Deno.test("imports of one message by two people, told apart by a path, are one entry", async () => {
  const row = (path: string) =>
    rowOf({ id: "H-x", session_id: "S-1", text: "said", source: { agent: "codex", path } });
  await using t = await tempStore({ entries: [row("/home/a/x"), row("/home/b/x")] });
  await t.run("init", { commit: true });
  assert.deepEqual([t.ids(), await t.ailments()], [["H-x"], ["ids"]]);
  await t.run("doctor", { fix: true });
  assert.deepEqual([t.ids(), await t.ailments()], [["H-x"], []]);
  assert.match(t.read("history.bad.ndjson"), /home\/b\/x/);
});

Deno.test("settings that git could not merge: both sides agree, or the user is told to choose", async () => {
  const sides = (ours: string, theirs: string): string =>
    `{\n<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> other\n}\n`;
  await using t = await tempStore();
  t.write(
    "config.jsonc",
    sides('  "lock_timeout_ms": 5000', '  // slower\n  "lock_timeout_ms": 5000'),
  );
  await t.run("ls");
  assert.match(t.warnings[0], /config\.jsonc.*merge conflict markers; both sides agree/);
  await t.run("doctor", { fix: true });
  assert.equal(t.read("config.jsonc"), '{\n  "lock_timeout_ms": 5000\n}\n');
  t.write("config.jsonc", sides('  "lock_timeout_ms": 5000', '  "lock_timeout_ms": 9000'));
  const before = t.read("config.jsonc");
  assert.deepEqual(await t.fail("ls"), {
    code: "CONFIG_INVALID",
    message: `Cannot read "${t.path("config.jsonc")}", line 2: a merge conflict`,
    hint: `keep one side of it in the file, without the marks, or: git checkout --ours "${
      t.path("config.jsonc")
    }"`,
    retryable: false,
  });
  await t.run("doctor", { fix: true }).catch(() => {});
  assert.equal(t.read("config.jsonc"), before);
});

Deno.test("a summary that both sides wrote anew is one again, and keeps what people added", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  const decide = (store: ClonedStore, text: string): Promise<string> =>
    store.save(text, { type: "decision" });
  await decide(one, "We decided to rotate tokens");
  await one.do("compact", { keep: 0, older_than: 0 });
  await one.commit();
  const two = await clones.clone(1);
  for (const [store, text] of [[one, "queues"], [two, "caches"]] as const) {
    await decide(store, `We decided to keep ${text}`);
    await store.do("compact", { keep: 0, older_than: 0 });
  }
  two.write(
    "summary.md",
    two.read("summary.md").replace("## Decisions", "By hand: ask Ada\n\n## Decisions"),
  );
  await one.merge(await committed(two));
  await one.do("doctor", { fix: true });
  assert.deepEqual(await one.ailments(), []);
  const summary = one.read("summary.md");
  assert.equal(summary.match(/ctx:begin/g)?.length, 1);
  for (const word of ["By hand: ask Ada", "tokens", "queues", "caches"]) {
    assert.equal(summary.split(word).length, 2, `${word} once in ${summary}`);
  }
});

Deno.test("an old store in git: doctor names what must leave git, an identity above all", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  Deno.removeSync(one.path(".gitattributes"));
  one.write(".gitignore", "index/\n.lock\n");
  one.write("remote.json", "{}");
  await one.commit();
  const { checks } = await one.run<{ checks: { name: string; detail: string }[] }>("doctor");
  assert.deepEqual(checks.filter(({ name }) => ["git", "tracked"].includes(name)), [
    {
      name: "git",
      status: "warning",
      detail:
        "the store is set up to be committed, but .gitignore and .gitattributes lack rules for that: merges would conflict",
      fixable: true,
    },
    {
      name: "tracked",
      status: "warning",
      detail:
        "git tracks machine-local files; a store's identity in a team must not be cloned; run: git rm -r --cached .contextfs/remote.json .contextfs/state.json",
      fixable: false,
    },
  ]);
  await one.git("rm", "-q", "-r", "--cached", ".contextfs/remote.json", ".contextfs/state.json");
  await one.do("doctor", { fix: true });
  await one.commit();
  assert.deepEqual(await one.ailments(), []);
});

Deno.test("the built file: two clones, a merge, a search and a mended conflict", async () => {
  await using clones = await clonedStores(1);
  const one = clones.at(0);
  await one.ctx(["save", "The lighthouse opens at nine"]);
  await one.commit();
  const two = await clones.clone(1);
  await one.ctx(["compact", "--keep", "0", "--older-than", "0"]);
  await two.ctx(["save", "The harbour closes at ten"]);
  await one.merge(await committed(two));
  for (const [query, text] of [["lighthouse", "nine"], ["harbour", "ten"]]) {
    const { stdout } = await one.ctx(["search", query, "--json"]);
    const { results } = JSON.parse(stdout);
    assert.equal(results.length, 1, stdout);
    assert.match(results[0].snippet ?? results[0].summary, new RegExp(text));
  }
  one.write("history.ndjson", `<<<<<<< HEAD\n${one.read("history.ndjson")}=======\n>>>>>>> x\n`);
  const searched = await one.ctx(["search", "harbour", "--json"]);
  assert.equal(JSON.parse(searched.stdout).results.length, 1);
  assert.match(searched.stderr, /history\.ndjson has merge conflict markers/);
  assert.equal((await one.ctx(["doctor"])).code, 5);
  assert.equal((await one.ctx(["doctor", "--fix"])).code, 0);
  assert.equal((await one.ctx(["doctor"])).code, 0);
});
