import assert from "node:assert/strict";
import { remoteOfAda } from "../../support/servers/team_logs.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const entries = [
  { id: "H-1m2ff20hgvzrprjcr", session_id: "S-1m2ff20hgvzrprjcr", text: "one" },
  { id: "H-2m2ff20hgvzrprjcr", session_id: "S-1m2ff20hgvzrprjcr", text: "two" },
  { id: "H-doc", type: "doc", text: "page" },
];

Deno.test("share and unshare add a line each, by beginnings of ids", async () => {
  await using t = await tempStore({ entries, files: { "remote.json": remoteOfAda } });
  assert.deepEqual(await t.run("share", { targets: ["H-1m2", "S-1m2f"] }), {
    targets: [{ id: "H-1m2ff20hgvzrprjcr" }, { session_id: "S-1m2ff20hgvzrprjcr" }],
    in_space: 0,
    space: "acme",
  });
  await t.run("unshare", { targets: ["H-1m2ff20hgvzrprjcr"] });
  const ts = "2026-01-02T03:04:05.678Z";
  assert.deepEqual(t.read("shares.ndjson").trim().split("\n").map((line) => JSON.parse(line)), [
    { ts, action: "share", id: "H-1m2ff20hgvzrprjcr" },
    { ts, action: "share", session_id: "S-1m2ff20hgvzrprjcr" },
    { ts, action: "unshare", id: "H-1m2ff20hgvzrprjcr" },
  ]);
});

Deno.test("unshare says how many of them the team has", async () => {
  const pushed = ["H-1m2ff20hgvzrprjcr", "H-2m2ff20hgvzrprjcr"].map((id, i) =>
    JSON.stringify({ seq: i + 1, id, kind: "entry" }) + "\n"
  ).join("");
  await using t = await tempStore({
    entries,
    files: { "remote.json": remoteOfAda, "team/pushed.ndjson": pushed },
  });
  const said = await t.ctx(["unshare", "S-1m2"]);
  assert.equal(
    said.stdout,
    "Session S-1m2ff20hgvzrprjcr stays here; 2 entries the team has, and the next ctx sync erases.\n",
  );
  assert.equal(said.code, 0, said.stderr);
});

Deno.test("what was erased in the space cannot be shared again under its id", async () => {
  const [id] = entries.map((entry) => entry.id);
  const pushed = [{ seq: 1, id, kind: "entry" }, { seq: 2, id: `${id}-u`, kind: "erase" }];
  await using t = await tempStore({
    entries,
    files: { "team/pushed.ndjson": pushed.map((row) => JSON.stringify(row) + "\n").join("") },
  });
  const error = await t.fail("share", { targets: [id] });
  assert.deepEqual([error.code, error.hint], [
    "DENIED",
    "save it as a new entry, which can be shared: ctx save TEXT",
  ]);
  assert.equal((await t.run("unshare", { targets: [id] })).in_space, 0);
});

Deno.test("share refuses what is not there, what never leaves and what others wrote", async () => {
  await using t = await tempStore({
    entries: [...entries, { id: "H-bob", author: "bob" }, { id: "H-forgotten" }],
    files: { "remote.json": remoteOfAda },
  });
  await t.run("forget", { ids: ["H-forgotten"] }, { consent: true });
  const cases: [string[], string, RegExp][] = [
    [[], "USAGE", /give ids/],
    [["H-nope"], "NOT_FOUND", /there is no such entry/],
    [["S-nope"], "NOT_FOUND", /there is no such entry/],
    [["H-forgotten"], "NOT_FOUND", /there is no such entry/],
    [["H-doc"], "DENIED", /type doc is never shared/],
    [["H-bob"], "DENIED", /bob wrote it/],
    // All or nothing.
    [["H-1m2ff20hgvzrprjcr", "H-nope"], "NOT_FOUND", /H-nope/],
  ];
  for (const [targets, code, message] of cases) {
    const error = await t.fail("share", { targets });
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.ok(error.hint);
  }
  assert.equal(t.exists("shares.ndjson"), false);
});

Deno.test("without a space it says how to get one", async () => {
  await using t = await tempStore({ entries });
  const { stdout } = await t.ctx(["share", "H-1m2"]);
  assert.equal(
    stdout,
    "Shared H-1m2ff20hgvzrprjcr; it is sent once this workspace joins a space: ctx team add.\n",
  );
});

Deno.test("setting a policy that a workspace's file may not set says at once that it does not count", async () => {
  await using t = await tempStore();
  const narrower = await t.ctx(["config", "set", "share.policy", "sessions"]);
  assert.equal(narrower.stderr, "");
  const wider = await t.ctx(["config", "set", "share.policy", "all"]);
  assert.match(wider.stderr, /"share\.policy" is ignored.*ctx config set --user share\.policy all/);
});

Deno.test("sync --help names --yes: it asks before something leaves", async () => {
  await using t = await tempStore();
  assert.match((await t.ctx(["sync", "--help"])).stdout, /-y, --yes/);
});
