// What leaves the machine, and what must not.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import {
  type GateOptions,
  isWider,
  nameRules,
  openGate,
  parseRules,
} from "../../../src/team/sync/gate.ts";
import { readShareRules, type ShareRules } from "../../../src/team/sync/gate.ts";
import { encodeBody } from "../../../src/team/trust/row_body.ts";
import { encodePayload, readPayload } from "../../../src/team/trust/row_payload.ts";
import { openContext } from "../../../src/app/app.ts";
import { madeSession } from "../../support/stores/made_session.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const home = "/home/ada";
const byDefault: ShareRules = { policy: "decisions", toolOutput: false, thinking: false };
const everything: ShareRules = { policy: "all", toolOutput: true, thinking: true };

/** One entry of each kind that a store has. */
const kinds: Partial<Entry>[] = [
  ...["decision", "note", "digest"],
  ...["fix", "preference", "outcome", "goal", "command", "open"],
  ...["turn", "tool_call", "tool_output", "recall", "thinking"],
  ...["doc", "confirm", "tombstone"],
].map((type) => ({ id: `H-${type}`, type, text: `About ${type}`, session_id: "S-one" }));

Deno.test("by default decisions, notes and digests leave, and nothing else", async () => {
  await using t = await tempStore({ entries: kinds });
  assert.deepEqual(leaving(t), ["H-decision", "H-note", "H-digest"]);
});

Deno.test("each policy lets its own leave; documents and confirmations never do", async () => {
  await using t = await tempStore({ entries: kinds });
  assert.deepEqual(leaving(t, { ...byDefault, policy: "sessions" }), []);
  const all = kinds.map(({ id }) => id).filter((id) => !/doc|confirm|tombstone/.test(id ?? ""));
  const isQuiet = (id = ""): boolean => !/tool_output|recall|thinking/.test(id);
  assert.deepEqual(leaving(t, { ...byDefault, policy: "all" }), all.filter(isQuiet));
  assert.deepEqual(leaving(t, everything), all);
  const output = { ...byDefault, policy: "all", toolOutput: true } as const;
  assert.deepEqual(leaving(t, output), all.filter((id) => id !== "H-thinking"));
  const thinking = { ...byDefault, policy: "all", thinking: true } as const;
  assert.deepEqual(
    leaving(t, thinking),
    all.filter((id) => isQuiet(id) || id === "H-thinking"),
  );
});

Deno.test("what is pinned counts as a decision, but no tool output or document by that", async () => {
  const pins = kinds.map(({ id }) => `- [${id}] pinned\n`).join("");
  await using t = await tempStore({ entries: kinds, files: { "pins.md": `# Pins\n\n${pins}` } });
  const ids = kinds.map(({ id }) => id);
  assert.deepEqual(
    leaving(t),
    ids.filter((id) => !/doc|confirm|tombstone|tool_output|recall|thinking/.test(id ?? "")),
  );
  assert.deepEqual(leaving(t, { ...byDefault, policy: "sessions" }), []);
});

Deno.test("a session that is shared leaves without tool output and thinking", async () => {
  await using t = await tempStore({
    entries: [...kinds, { id: "H-other", type: "turn", session_id: "S-two" }],
  });
  await t.run("share", { targets: ["S-one"] });
  const shared = kinds.map(({ id }) => id).filter((id) =>
    !/doc|confirm|tombstone|tool_output|recall|thinking/.test(id ?? "")
  );
  assert.deepEqual(leaving(t, { ...byDefault, policy: "sessions" }), shared);
  assert.deepEqual(leaving(t), shared);
  const rules = { policy: "sessions", toolOutput: true, thinking: true } as const;
  assert.equal(leaving(t, rules).length, shared.length + 3);
});

Deno.test("an entry that is named leaves whatever it is, but for documents", async () => {
  await using t = await tempStore({ entries: kinds });
  const ids = ["H-tool_output", "H-thinking", "H-fix"];
  await t.run("share", { targets: ids });
  const passed = leaving(t, { ...byDefault, policy: "sessions" });
  assert.deepEqual(passed.toSorted(), ids.toSorted());
  assert.deepEqual(leaving(t, parseRules()), [], "nobody has agreed to anything yet");
  // By hand in the file as well.
  t.write("shares.ndjson", '{"ts":"2026-01-01T00:00:00.000Z","action":"share","id":"H-doc"}\n');
  assert.deepEqual(leaving(t, { ...byDefault, policy: "sessions" }), []);
});

Deno.test("what another memory tool remembers leaves only by its own name", async () => {
  const memory: Partial<Entry> = { role: "note", session_id: "S-one", source: { agent: "mem0" } };
  const entries = ["H-note", "H-named"].map((id) => ({ ...memory, id, type: "note" }));
  await using t = await tempStore({ entries, files: { "pins.md": "# Pins\n\n- [H-note] x\n" } });
  assert.deepEqual(leaving(t, everything), []);
  await t.run("share", { targets: ["S-one"] });
  assert.deepEqual(leaving(t, everything), []);
  await t.run("share", { targets: ["H-named"] });
  assert.deepEqual(leaving(t), ["H-named"]);
});

Deno.test("what is taken back stays, under every policy, and is told to be erased", async () => {
  await using t = await tempStore({ entries: kinds });
  await t.run("unshare", { targets: ["H-decision"] });
  assert.ok(!leaving(t, everything).includes("H-decision"));
  assert.deepEqual(takenBack(t), ["H-decision"]);
  await t.run("share", { targets: ["H-decision"] });
  assert.ok(leaving(t).includes("H-decision"));
  assert.deepEqual(takenBack(t), []);
  await t.run("unshare", { targets: ["S-one"] });
  assert.deepEqual(leaving(t, everything), []);
  assert.equal(takenBack(t).length, kinds.length);
  // One of them by its own name, later.
  await t.run("share", { targets: ["H-note"] });
  assert.deepEqual(leaving(t, everything), ["H-note"]);
  // A word on the whole session does not bring back what was kept by its own name.
  await t.run("unshare", { targets: ["H-fix"] });
  await t.run("share", { targets: ["S-one"] });
  assert.ok(!leaving(t, everything).includes("H-fix"));
});

Deno.test("corrections follow what was said of the entry they correct", async () => {
  await using t = await tempStore({
    entries: [
      { id: "H-a", type: "fix" },
      { id: "H-b", type: "decision" },
      { id: "H-a1", type: "fix", supersedes: "H-a" },
      { id: "H-a2", type: "fix", supersedes: "H-a1" },
      { id: "H-a3", type: "thinking", supersedes: "H-a2" },
      { id: "H-b1", type: "decision", supersedes: "H-b" },
      { id: "H-b2", type: "decision", supersedes: "H-b1" },
      { id: "H-c", type: "fix", supersedes: "H-c" },
    ],
  });
  assert.deepEqual(leaving(t), ["H-b", "H-b1", "H-b2"]);
  await t.run("share", { targets: ["H-a"] });
  await t.run("unshare", { targets: ["H-b"] });
  assert.deepEqual(leaving(t), ["H-a", "H-a1", "H-a2"]);
  assert.deepEqual(takenBack(t), ["H-b", "H-b1", "H-b2"]);
});

Deno.test("what others wrote is not passed on as one's own", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-1", author: "bob" }, { id: "H-2", author: "ada" }, { id: "H-3" }],
  });
  assert.deepEqual(leaving(t, everything), ["H-2", "H-3"]);
});

/** Made of two parts: this file has none that a scanner would find. */
const secret = "AKIA" + "Q3EGVT5RM2WNK7XZ";

Deno.test("a secret leaves in no field: rules may be newer than the row", async () => {
  const planted: Partial<Entry> = {
    id: "H-full",
    type: "decision",
    session_id: "S-one",
    text: `text ${secret}`,
    title: `title ${secret}`,
    summary: `summary ${secret}`,
    refs: [`H-${secret}`],
    tags: [secret],
    files: [`/home/ada/${secret}.ts`, "/home/bob/b.ts", "C:\\Users\\ada\\c.ts"],
    project: `/home/ada/${secret}`,
    branch: `b/${secret}`,
    model: secret,
    supersedes: secret,
    source: {
      agent: `agent ${secret}`,
      conversation: secret,
      message: secret,
      path: `/home/ada/.agent/${secret}.jsonl`,
      revision: secret,
    },
    tool: {
      name: `run ${secret}`,
      input: { command: `curl -H ${secret}`, nested: [{ deep: secret }], [secret]: "a name" },
      patch: `+ key = ${secret}\n- at /home/ada/x`,
      error: `failed with ${secret}`,
    },
    unknown: { [secret]: secret, list: [[secret]] },
    [secret]: "a field",
    path: "/home/ada/here",
  };
  await using t = await tempStore({ entries: [planted] });
  const [passed] = passing(t);
  const text = JSON.stringify(passed);
  assert.equal(text.includes(secret), false, text);
  assert.equal(/\/home\/|Users/.test(text), false, text);
  assert.equal(passed.id, "H-full");
  assert.deepEqual(passed.source && "path" in passed.source, false);
  assert.match(passed.text, /\[REDACTED:/);
  assert.deepEqual(passed.files?.slice(1), ["~/b.ts", "~\\c.ts"]);
});

Deno.test("words that were edited away in a review stay here", async () => {
  const line = "Acme Corp's tenant needs its own queue";
  const text = "Some tenants need their own queue";
  await using t = await tempStore({
    entries: [{ type: "decision", text, verdict: { said: "accept", line } }],
  });
  const [passed] = passing(t);
  assert.deepEqual([passed.text, "verdict" in passed], [text, false]);
});

Deno.test("a record that a review rejected or put in other words stays here", async () => {
  const decision = (id: string, text: string, more = {}): Partial<Entry> => ({
    id,
    type: "decision",
    text,
    ...more,
  });
  await using t = await tempStore({
    entries: [
      decision("H-rejected", "Tokens live a day"),
      decision("H-edited", "Acme needs a queue"),
      decision("H-kept", "Use pnpm"),
      {
        id: "H-no",
        type: "verdict",
        text: "Tokens live a day",
        supersedes: "H-rejected",
        verdict: { said: "reject" },
      },
      decision("H-other-words", "Some tenants need a queue", {
        supersedes: "H-edited",
        verdict: { said: "accept", line: "Acme needs a queue" },
      }),
      decision("H-yes", "Use pnpm", { supersedes: "H-kept", verdict: { said: "accept" } }),
    ],
  });
  assert.deepEqual(leaving(t), ["H-kept", "H-other-words", "H-yes"]);
});

Deno.test("a rejection that was undone lets the record leave, and opens the gate anew", async () => {
  await using t = await tempStore({
    entries: madeSession([
      { user: "Add the parcel page. Always use pnpm for installs in this repository." },
      { agent: "Done: the page is in src/page.ts now, and its tests pass." },
    ]),
  });
  await t.run("distil");
  const { lines } = await t.run("review list") as { lines: { id: string }[] };
  const [{ id }] = lines;
  const look = (): [boolean, string] => [
    leaving(t, everything).includes(id),
    openGate(t.open(), { rules: everything, name: "ada" }).key,
  ];
  const before = look();
  await t.run("review reject", { ids: [id] });
  const rejected = look();
  await t.run("undo", {});
  assert.deepEqual([before[0], rejected[0], look()[0]], [true, false, true]);
  assert.notEqual(rejected[1], before[1]);
});

Deno.test("an entry whose id, kind or session would tell a secret or a home stays here", async () => {
  await using t = await tempStore({
    entries: [
      { id: `H-${secret}` },
      { id: "H-1", session_id: secret },
      { id: "H-2", session_id: "/home/ada/talk" },
      { id: "H-3", type: `t:${secret}` },
      { id: "H-4" },
    ],
  });
  assert.deepEqual(leaving(t, everything), ["H-4"]);
});

Deno.test("the user's own home is told as ~, wherever it is", async () => {
  await using t = await tempStore({ entries: [{ text: "see /srv/people/ada/notes.md" }] });
  assert.equal(passing(t, { home: "/srv/people/ada" })[0].text, "see ~/notes.md");
});

Deno.test("what passes is read again by others as it was written", async () => {
  const strange = { id: "H-x", text: "a\nb \u2028 \ud800", "7": 1, extra: { deep: [null, -0] } };
  await using t = await tempStore({ entries: [...kinds, strange] });
  for (const [i, entry] of passing(t, { rules: everything }).entries()) {
    const place = { space: "team", writer: "w", seq: i + 1, id: entry.id };
    const line = encodePayload({ ...entry, author: "ada", seq: i + 1 });
    const row = {
      ...place,
      kind: "entry",
      visibility: "space",
      ts: entry.ts,
      body: encodeBody(line, place),
      sig: new Uint8Array(),
    };
    const read = readPayload(row, { space: "team", author: "ada" });
    assert.deepEqual("line" in read && read.line, line, entry.id);
  }
});

Deno.test("a gate's key changes with whatever lets other entries leave", async () => {
  await using t = await tempStore({ entries: kinds });
  const keys = [gateOf(t).key];
  const note = (): void => void keys.push(gateOf(t).key);
  assert.equal(gateOf(t).key, keys[0]);
  keys.push(gateOf(t, { rules: everything }).key);
  await t.run("share", { targets: ["H-fix"] });
  note();
  await t.run("unshare", { targets: ["H-fix"] });
  note();
  await t.run("pin", { target: "H-fix" });
  note();
  keys.push(gateOf(t, { name: "bob" }).key);
  assert.equal(new Set(keys).size, keys.length);
});

Deno.test("what is said while a gate is open counts once its key is asked for", async () => {
  await using t = await tempStore({ entries: [{ id: "H-a", session_id: "S-one" }] });
  const gate = gateOf(t);
  const [{ entry }] = t.open().rows();
  assert.ok(gate.pass(entry));
  await t.run("unshare", { targets: ["S-one"] });
  const { key } = gate;
  assert.equal(gate.pass(entry), undefined);
  assert.equal(gate.isTakenBack(entry), true);
  assert.equal(key, gateOf(t).key);
});

Deno.test("wider rules than those that were confirmed are known", () => {
  const wider = (rules: Partial<ShareRules>, confirmed?: string): boolean =>
    isWider({ ...byDefault, ...rules }, parseRules(confirmed));
  assert.equal(nameRules(everything), "all+tool_output+thinking");
  assert.equal(wider({}), true, "nothing was confirmed yet");
  assert.equal(wider({}, "decisions"), false);
  assert.equal(wider({}, "all"), false);
  assert.equal(wider({ policy: "sessions" }, "decisions"), false);
  assert.equal(wider({ policy: "all" }, "decisions"), true);
  assert.equal(wider({ policy: "decisions" }, "sessions"), true);
  assert.equal(wider({ toolOutput: true }, "all+thinking"), true);
  assert.equal(wider({ thinking: true }, "all+tool_output"), true);
  assert.equal(wider({ thinking: true, toolOutput: true }, nameRules(everything)), false);
  assert.equal(wider({}, "unknown"), true);
  for (const rules of [byDefault, everything, parseRules()]) {
    assert.deepEqual(parseRules(nameRules(rules)), rules);
  }
});

Deno.test("a workspace's file may let less leave, never more", async () => {
  const cases: [object, object, ShareRules, number][] = [
    [{}, {}, byDefault, 0],
    [{}, { policy: "all", tool_output: true, thinking: true }, byDefault, 3],
    [{}, { policy: "sessions" }, { ...byDefault, policy: "sessions" }, 0],
    [{ policy: "all", thinking: true }, { policy: "decisions", thinking: false }, byDefault, 0],
    [{ policy: "sessions" }, { policy: "decisions" }, { ...byDefault, policy: "sessions" }, 1],
    [
      { policy: "all", tool_output: true, thinking: true },
      { policy: "all", tool_output: true, thinking: true },
      everything,
      0,
    ],
  ];
  for (const [user, workspace, expected, warned] of cases) {
    await using t = await tempStore({
      files: { "config.jsonc": JSON.stringify({ share: workspace }) },
    });
    Deno.mkdirSync(`${t.workspace}/user/ctx`, { recursive: true });
    Deno.writeTextFileSync(
      `${t.workspace}/user/ctx/config.jsonc`,
      JSON.stringify({ share: user }),
    );
    using context = openContext({
      workspace: t.workspace,
      env: (name) => name === "XDG_CONFIG_HOME" ? `${t.workspace}/user` : undefined,
      warn: (message) => t.warnings.push(message),
    });
    assert.deepEqual(readShareRules(await context.readConfig()), expected);
    assert.equal(t.warnings.length, warned, t.warnings.join("\n"));
    for (const warning of t.warnings) {
      assert.match(
        warning,
        /"share\.\w+" is ignored: it would share more from this machine; to allow it: ctx config set --user share\.\w+ \w+$/,
      );
    }
  }
});

Deno.test("the environment counts as the user's own word", async () => {
  await using t = await tempStore();
  using context = openContext({
    workspace: t.workspace,
    env: (name) => name === "CTX_SHARE_POLICY" ? "all" : undefined,
  });
  assert.equal(readShareRules(await context.readConfig()).policy, "all");
});

function gateOf(t: TempStore, options: Partial<GateOptions> = {}): ReturnType<typeof openGate> {
  return openGate(t.open(), { rules: byDefault, name: "ada", home, ...options });
}

function passing(t: TempStore, options: Partial<GateOptions> = {}): Entry[] {
  const gate = gateOf(t, options);
  return [...t.open().rows()].flatMap(({ entry }) => gate.pass(entry) ?? []);
}

function leaving(t: TempStore, rules = byDefault): string[] {
  return passing(t, { rules }).map(({ id }) => id);
}

function takenBack(t: TempStore): string[] {
  const gate = gateOf(t);
  return [...t.open().rows()].filter(({ entry }) => gate.isTakenBack(entry)).map(({ entry }) =>
    entry.id
  );
}
