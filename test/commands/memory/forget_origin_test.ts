// What goes with an entry because it was made of it, and what stays because it was not.

import assert from "node:assert/strict";
import { Transcript } from "../../support/stores/forgotten_store.ts";
import { repository } from "../../support/repository.ts";
import { rowOf, type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { copyTree } from "../../support/stores/tree.ts";

const secret = "the door code is 7731";

Deno.test("a title by hand stays, one of the agent's goes with any entry of its session", async () => {
  await using t = await tempStore();
  const transcript = new Transcript(t.workspace);
  transcript.say("user", "How do we rotate?");
  transcript.say("assistant", secret);
  transcript.say("assistant", "On every use.");
  transcript.add({ type: "ai-title", aiTitle: "Rotating doors", sessionId: transcript.id });
  await capture(t, transcript);
  assert.deepEqual(await titles(t), ["Rotating doors"]);
  const [id] = idsWith(t, secret);
  await t.run("forget", { ids: [id] });
  assert.deepEqual(await titles(t), ["How do we rotate?"]);

  await t.run("session start", { title: "Doors and windows" });
  const saved = await t.run<{ id: string }>("save", { text: `Doors: ${secret}` });
  await t.run("save", { text: "stays" });
  await t.run("forget", { ids: [saved.id], now: true });
  assert.deepEqual((await titles(t)).sort(), ["Doors and windows", "How do we rotate?"]);
  assert.equal((await t.run("session current")).title, "Doors and windows");
});

Deno.test("a title that a running import writes after the forgetting does not count", async () => {
  await using t = await tempStore({
    entries: [
      { id: "H-1", text: secret, session_id: "S-a", source: { agent: "codex" }, role: "user" },
      { id: "H-2", text: "stays", session_id: "S-a", source: { agent: "codex" } },
    ],
  });
  await t.run("forget", { ids: ["H-1"] });
  const late = { event: "imported", session_id: "S-a", ts: "2026-01-03T00:00:00.000Z" };
  t.append("sessions.ndjson", JSON.stringify({ ...late, title: secret, title_from: "ai" }) + "\n");
  assert.deepEqual(await titles(t), [""]);
  const exported = await t.ctx(["export"]);
  assert.ok(!exported.stdout.includes(secret), "an export brings no ended title along");
  await t.run("gc");
  assert.ok(!t.read("sessions.ndjson").includes(secret));
});

Deno.test("a session of which nothing was left gets no title, though its message is gone too", async () => {
  await using t = await tempStore();
  const transcript = new Transcript(t.workspace);
  transcript.say("user", secret);
  await capture(t, transcript);
  await t.run("forget", { ids: t.ids(), now: true });
  // The agent compacts its own file: the prompt is gone, the title that it made of it is not.
  const [first] = Deno.readTextFileSync(transcript.path).split("\n");
  const title = { type: "ai-title", aiTitle: secret, sessionId: transcript.id };
  const later = { ...JSON.parse(first), uuid: "u-9", message: { role: "user", content: "later" } };
  const lines = [later, title].map((line) => JSON.stringify(line) + "\n");
  Deno.writeTextFileSync(transcript.path, lines.join(""));
  await capture(t, transcript);
  assert.deepEqual(await titles(t), ["later"]);
  assert.ok(!t.read("sessions.ndjson").includes("7731"));
});

Deno.test("the agent's name for work it handed on goes with what it was handed on in", async () => {
  const event = { event: "imported", ts: "2026-01-01T00:00:00.000Z", source: "claude-code" };
  await using t = await tempStore({
    entries: [
      { id: "H-1", text: `Task: ${secret}`, session_id: "S-a", source: { agent: "claude-code" } },
      { id: "H-2", text: "child", session_id: "S-b", source: { agent: "claude-code" } },
    ],
    files: {
      "sessions.ndjson": [
        { ...event, session_id: "S-a" },
        { ...event, session_id: "S-b", parent: "S-a", title: secret, title_from: "agent" },
      ].map((line) => JSON.stringify(line) + "\n").join(""),
    },
  });
  await t.run("forget", { ids: ["H-1"], now: true });
  assert.ok(!t.read("sessions.ndjson").includes("7731"));
});

Deno.test("all revisions of a message are forgotten, and none that comes later is taken in", async () => {
  for (const now of [false, true]) {
    await using t = await tempStore();
    const root = `${t.workspace}/opencode`;
    copyTree(`${repository}/test/samples/opencode`, root);
    const input = { sources: ["opencode"], root, all_projects: true };
    await t.run("import", input);
    const part = `${root}/storage/part/msg_0002/prt_0005.json`;
    const value = JSON.parse(Deno.readTextFileSync(part));
    const say = async (text: string): Promise<void> => {
      Deno.writeTextFileSync(part, JSON.stringify({ ...value, text }));
      await t.run("import", input);
    };
    await say(secret);
    const [id] = idsWith(t, secret);
    const { derived, revived } = await t.run("forget", { ids: [id], now });
    assert.deepEqual([(derived as string[]).length, revived], [1, []]);
    await say(`${secret}, and more`);
    await t.run("gc");
    await say(`${secret}, and still more`);
    assert.deepEqual(idsWith(t, "7731"), []);
    assert.ok(!t.read("history.ndjson").includes("7731"));
  }
});

Deno.test("what would be forgotten shows what was named before what goes with it", async () => {
  const source = { agent: "claude-code" };
  const made = { type: "summary", text: "summed up", session_id: "S-a", source };
  const entries = [{ text: secret, session_id: "S-a", source }, ...Array(6).fill(made)];
  await using t = await tempStore({ entries });
  const { count, examples } = await t.run("forget", { ids: ["H-H1"], dry_run: true });
  const shown = (examples as { id: string }[]).map(({ id }) => id);
  assert.deepEqual([count, shown], [7, ["H-H1", "H-H2", "H-H3", "H-H4", "H-H5"]]);
});

Deno.test("an agent's summaries go with what they sum up, in its session and not before it", async () => {
  const source = { agent: "claude-code" };
  const entries = [
    { id: "H-0", type: "summary", text: "before", session_id: "S-a", source },
    { id: "H-1", text: secret, session_id: "S-a", source },
    { id: "H-2", type: "summary", text: `they said ${secret}`, session_id: "S-a", source },
    { id: "H-3", type: "summary", text: "elsewhere", session_id: "S-b", source },
    { id: "H-4", type: "summary", text: "by hand", session_id: "S-a" },
  ];
  await using t = await tempStore({ entries });
  const receipt = await t.run("forget", { ids: ["H-1"] });
  assert.deepEqual([receipt.forgotten, receipt.derived], [["H-1", "H-2"], ["H-2"]]);
  assert.deepEqual(t.ids(), ["H-0", "H-3", "H-4"]);
  await using p = await tempStore({ entries });
  const purged = await p.run("purge", { pattern: `^${secret}` });
  assert.deepEqual([purged.ids, purged.derived], [["H-1", "H-2"], ["H-2"]]);
});

Deno.test("a forgotten section of a document does not come back with its file", async () => {
  for (const now of [false, true]) {
    await using t = await tempStore();
    const path = `${t.workspace}/guide.md`;
    Deno.writeTextFileSync(path, `# Guide\n\n## Door\n\n${secret}\n\n## Rest\n\nopen\n`);
    await t.run("docs add", { name: "guide", paths: ["guide.md"] });
    await t.run("forget", { ids: idsWith(t, secret), now });
    for (const more of ["closed", "ajar"]) {
      Deno.writeTextFileSync(path, `# Guide\n\n## Door\n\n${secret}\n\n## Rest\n\n${more}\n`);
      await t.run("docs sync");
      await t.run("gc");
      assert.deepEqual(idsWith(t, secret), []);
      assert.equal(idsWith(t, more).length, 1);
    }
    Deno.writeTextFileSync(path, "# Guide\n\n## Door\n\nno code any more\n");
    await t.run("docs sync");
    assert.equal(idsWith(t, "no code any more").length, 1, "what is new there is taken up");
  }
});

Deno.test("a section that its file loses and has again is not taken for forgotten", async () => {
  await using t = await tempStore();
  const path = `${t.workspace}/guide.md`;
  for (const text of ["one", "two", "one"]) {
    Deno.writeTextFileSync(path, `# Guide\n\n${text}\n`);
    await t.run(t.ids().length === 0 ? "docs add" : "docs sync", {
      ...(t.ids().length === 0 ? { name: "guide", paths: ["guide.md"] } : {}),
    });
    assert.equal(idsWith(t, text).length, 1, text);
  }
});

Deno.test("a title that purge took away does not come back when its agent says it again", async () => {
  await using t = await tempStore();
  const transcript = new Transcript(t.workspace);
  transcript.say("user", "How do we rotate?");
  const title = { type: "ai-title", aiTitle: secret, sessionId: transcript.id };
  transcript.add(title);
  await capture(t, transcript);
  assert.equal((await t.run("purge", { pattern: "7731" })).verified, true);
  transcript.add(title);
  transcript.say("assistant", "On every use.");
  await capture(t, transcript);
  assert.deepEqual([t.ids().length, await titles(t)], [2, ["How do we rotate?"]]);
});

Deno.test("what was put aside goes too, without its id and as bytes", async () => {
  const part = { ts: "2026-01-01T00:00:00.000Z", file: "history.ndjson", offset: 0 };
  const bad = [
    { ...part, reason: "bad_json", text: `t":"the \\"door\\" code\\nis 7731","x` },
    { ...part, reason: "bad_utf8", text: "\ufffd", base64: btoa(`\xff"text":"${secret}"`) },
    { ...part, reason: "bad_json", text: "about something else" },
  ];
  await using t = await tempStore({
    entries: [{ id: "H-1", text: secret }, "stays"],
    files: { "history.bad.ndjson": bad.map((line) => JSON.stringify(line) + "\n").join("") },
  });
  await t.run("forget", { ids: ["H-1"], now: true });
  assert.equal(t.read("history.bad.ndjson"), JSON.stringify(bad[2]) + "\n");
});

Deno.test("the trace of an answer names all that it was made of", async () => {
  await using t = await tempStore({ entries: [{ id: "H-1", text: secret }, "the door is red"] });
  await t.run("ask", { query: "which door" });
  const trace = JSON.parse(t.read("retrieval.traces.ndjson").trim().split("\n").at(-1) ?? "");
  assert.deepEqual(trace.shown.toSorted(), ["H-1", "H-H2"]);
});

Deno.test("the turns of a chat go with what was shown in it before them", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-1", text: secret }, { id: "H-2", text: "tokens rotate on every use" }],
  });
  const stdin = "what about rotating tokens?\nwhat is the code of that door?\nand tokens again?\n";
  const chat = await t.ctx(["chat"], { stdin });
  assert.deepEqual([chat.code, chat.stderr.includes("not kept")], [0, false]);
  const [name] = [...Deno.readDirSync(t.path("chat"))].map(({ name }) => name);
  const texts = (): string[] =>
    t.read(`chat/${name}`).split("\n").filter((line) => line !== "")
      .map((line) => JSON.parse(line)).filter(({ role }) => role === "user").map((row) => row.text);
  assert.equal(texts().length, 3);
  await t.run("forget", { ids: ["H-1"] });
  assert.deepEqual(texts(), ["what about rotating tokens?"]);
  assert.ok(!t.read(`chat/${name}`).includes("7731"));
});

Deno.test("traces stay that neither name what is forgotten nor repeat it", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-1", text: "my pin is 4821 ok" }, { id: "H-2", text: "tokens rotate daily" }],
  });
  const queries = [
    "pin 4821",
    "is my pin",
    "what about 4821",
    "tokens rotate",
    "pin board of ours",
  ];
  for (const query of queries) await t.run("search", { query, type: "decision" });
  await t.run("forget", { ids: ["H-1"] });
  const { traces } = await t.run<{ traces: { query: string }[] }>("traces");
  assert.deepEqual(traces.map(({ query }) => query).sort(), ["pin board of ours", "tokens rotate"]);
});

Deno.test("an export of before brings neither the entry nor the title it had", async () => {
  await using t = await tempStore();
  await t.run("session start", { title: secret });
  await t.run("save", { text: secret });
  const other = await t.run<{ id: string }>("save", { text: "stays" });
  const file = `${t.workspace}/before.ndjson`;
  Deno.writeTextFileSync(file, (await t.ctx(["export"])).stdout);
  await using copy = await tempStore();
  await copy.run("import", { sources: ["contextfs"], root: file });
  await copy.run("forget", { ids: idsWith(copy, secret), now: true });
  await copy.run("forget", { ids: [other.id], now: true });
  Deno.writeTextFileSync(file, Deno.readTextFileSync(file).replace(other.id, "H-new"));
  await copy.run("import", { sources: ["contextfs"], root: file });
  assert.deepEqual(copy.ids(), ["H-new"]);
  for (const name of copy.list().filter((name) => name.endsWith("json"))) {
    assert.ok(!copy.read(name).includes("7731"), name);
  }
});

Deno.test("a title from elsewhere is not taken for a session that lost an entry here", async () => {
  const entries = [
    { id: "H-1", text: secret, session_id: "S-a" },
    { id: "H-2", text: "stays", session_id: "S-a" },
  ];
  await using t = await tempStore({ entries });
  await t.run("forget", { ids: ["H-1"] });
  const ts = "2026-01-01T00:00:00.000Z";
  const session_event = { event: "opened", session_id: "S-a", ts, title: secret };
  const lines = [...entries.map((entry, i) => rowOf(entry, i)), { session_event }];
  const file = `${t.workspace}/other.ndjson`;
  Deno.writeTextFileSync(file, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  await t.run("import", { sources: ["contextfs"], root: file });
  assert.deepEqual(await titles(t), [""]);
  assert.ok(t.read("sessions.ndjson").includes("opened"));
});

Deno.test("import tells how far it is without a title, which may be of what was forgotten", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/opencode`;
  copyTree(`${repository}/test/samples/opencode`, root);
  const told: string[] = [];
  const read = async (): Promise<void> => {
    told.length = 0;
    const input = { sources: ["opencode"], root, all_projects: true };
    await t.run("import", input, { progress: (message) => told.push(message) });
  };
  await read();
  const [title] = await titles(t);
  assert.ok(told.length > 0 && !told.some((message) => message.includes(title)), told.join());
  await t.run("forget", { ids: [t.ids()[0]], now: true });
  const part = `${root}/storage/part/msg_0002/prt_0005.json`;
  const value = JSON.parse(Deno.readTextFileSync(part));
  Deno.writeTextFileSync(part, JSON.stringify({ ...value, text: "more" }));
  await read();
  assert.ok(told.length > 0 && !told.some((message) => message.includes(title)), told.join());
});

Deno.test("a view of one session forgets its title for everybody", async () => {
  await using t = await tempStore({
    entries: [
      { id: "H-1", text: secret, session_id: "S-a", role: "user", source: { agent: "codex" } },
      { id: "H-2", text: "other", session_id: "S-b" },
    ],
    files: {
      "sessions.ndjson": JSON.stringify({
        event: "imported",
        session_id: "S-a",
        ts: "2026-01-01T00:00:00.000Z",
        source: "codex",
        title: secret,
        title_from: "prompt",
      }) + "\n",
    },
  });
  await t.run("forget", { ids: ["H-1"] }, { scopedSession: "S-a" });
  assert.ok(!JSON.stringify(await t.run("sessions", { limit: 10 })).includes("7731"));
  await t.run("gc");
  assert.ok(!t.read("sessions.ndjson").includes("7731"));
});

for (const id of ["msg/42", "two words", "größe 7", "a]b", "100%"]) {
  Deno.test(`an entry with the id "${id}" is pinned, traced, summed up and forgotten like any`, async () => {
    const entry = { id, text: `We decided: ${secret}`, type: "decision", session_id: "S-x/1" };
    await using t = await tempStore({ entries: [entry, "stays"] });
    const pinned = await t.run("pin", { target: id });
    assert.deepEqual([pinned.id, pinned.saved], [id, false]);
    assert.deepEqual((await t.run<{ pins: { id: string }[] }>("pins")).pins.map((p) => p.id), [id]);
    await t.run("search", { query: "decided" });
    await t.run("compact", { keep: 0, older_than: 0 });
    assert.ok(t.read("summary.md").includes("7731"));
    const run = await t.ctx(["forget", id, "--yes"]);
    assert.deepEqual([run.code, run.stderr], [0, ""]);
    for (const name of ["pins.md", "summary.md", "retrieval.traces.ndjson"]) {
      assert.ok(!t.read(name).includes("7731") && !t.read(name).includes(`"${id}"`), name);
    }
    await t.run("gc");
    for (const name of t.list().filter((name) => name !== "index")) {
      assert.ok(!t.read(name).includes("7731"), name);
    }
    assert.deepEqual(t.ids(), ["H-H2"]);
  });
}

async function capture(t: TempStore, { path }: Transcript): Promise<void> {
  await t.run("import", { sources: ["claude-code"], root: path, all_projects: true });
}

async function titles(t: TempStore): Promise<string[]> {
  const { sessions } = await t.run<{ sessions: { title: string }[] }>("sessions", { limit: 100 });
  return sessions.map(({ title }) => title);
}

function idsWith(t: TempStore, text: string): string[] {
  return [...t.open().entries()].filter(({ entry }) => entry.text.includes(text))
    .map(({ entry }) => entry.id);
}
