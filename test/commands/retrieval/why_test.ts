// Whose a line is, from a workspace with a real git history and sessions that recorded its edits.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { type TempRepository, tempRepository } from "../../support/temp_repository.ts";
import { TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

const ignore = isMissing("git");

interface Why {
  target: string;
  results: (Record<string, unknown> & { because?: string })[];
}

const first = ["export function rotate(token) {", "  return issue(token.owner);", "}"];
const guard = "  if (token.isRevoked) throw new Error('revoked');";
const second = [first[0], guard, ...first.slice(1)];

Deno.test(
  { name: "why tells the session, the words and the decision behind a line", ignore },
  async () => {
    await using w = await workspace();
    const { repository: t, store } = w;
    await t.commit("Rotate tokens", { "src/token.ts": first.join("\n") + "\n" });
    const oid = await t.commit("Refuse what is revoked", {
      "src/token.ts": second.join("\n") + "\n",
    });
    const { results: [row] } = await store.run<Why>("why", { target: "src/token.ts:2" });
    assert.deepEqual(
      [row.path, row.lines, row.commit, row.subject, row.session_id, row.by, row.id],
      ["src/token.ts", "2", oid, "Refuse what is revoked", "S-guard", "line", "H-edit2"],
    );
    assert.deepEqual(row.prompt, {
      id: "H-ask2",
      ts: "2026-01-01T00:03:00.000Z",
      text: "A revoked token must not be rotated.",
    });
    assert.deepEqual(row.decisions, [{
      id: "H-right",
      ts: "2026-01-01T00:03:36.000Z",
      text: "We log what is refused.",
    }, {
      id: "H-decided",
      ts: "2026-01-01T00:03:30.000Z",
      text: "We refuse revoked tokens with an error.",
    }]);
    assert.ok(Number(row.confidence) > 0.5);
    const { results: [line1] } = await store.run<Why>("why", { target: "src/token.ts:1" });
    assert.equal(line1.session_id, "S-first");
    const { results: [commit] } = await store.run<Why>("why", { target: "HEAD" });
    assert.deepEqual([commit.commit, commit.session_id], [oid, "S-guard"]);
    assert.deepEqual(commit.evidence, [{
      kind: "lines",
      path: "src/token.ts",
      added: 1,
      removed: 0,
    }]);
    const file = await store.run<Why>("why", { target: "src/token.ts" });
    assert.deepEqual(file.results.map(({ lines, session_id }) => [lines, session_id]), [
      ["1,3-4", "S-first"],
      ["2", "S-guard"],
    ]);
  },
);

Deno.test(
  { name: "why skips bots, but not the account of a coding agent", ignore },
  async () => {
    await using w = await workspace();
    const { repository: t, store } = w;
    const whoseLine = async (name: string) => {
      t.write({ "src/token.ts": first.join("\n") + "\n" });
      await t.git("add", "src");
      const author = `${name} <1+${name}@users.noreply.github.com>`;
      await t.git("commit", "-qm", "Rotate tokens", "--amend", "--author", author);
      const { results: [row] } = await store.run<Why>("why", { target: "src/token.ts:2" });
      return row.session_id ?? row.because;
    };
    await t.commit("Rotate tokens", { "src/token.ts": "" });
    assert.equal(await whoseLine("copilot-swe-agent[bot]"), "S-first");
    assert.equal(await whoseLine("google-labs-jules[bot]"), "S-first");
    assert.equal(await whoseLine("renovate[bot]"), "a bot committed it");
    assert.equal(await whoseLine("github-actions[bot]"), "a bot committed it");
  },
);

Deno.test(
  { name: "why knows a line that is not committed yet, with git and without", ignore },
  async () => {
    await using w = await workspace();
    const { repository: t, store } = w;
    await t.commit("Rotate tokens", { "src/token.ts": first.join("\n") + "\n" });
    const edited = new Date("2026-01-01T00:05:00.000Z");
    t.write({ "src/token.ts": second.join("\n") + "\n", "src/copy.ts": `${guard}\n` });
    for (const name of ["token.ts", "copy.ts"]) {
      Deno.utimeSync(
        `${t.path}/src/${name}`,
        edited,
        edited,
      );
    }
    const { results: [row] } = await store.run<Why>("why", { target: "src/token.ts:2" });
    assert.deepEqual([row.commit, row.session_id, row.id], [undefined, "S-guard", "H-edit2"]);
    const { results: [untracked] } = await store.run<Why>("why", { target: "src/copy.ts:1" });
    assert.equal(untracked.session_id, "S-guard");
    await Deno.remove(`${t.path}/.git`, { recursive: true });
    const { results: [bare] } = await store.run<Why>("why", { target: "src/token.ts:2" });
    assert.equal(bare.session_id, "S-guard");
  },
);

Deno.test({ name: "why has an answer to every question: unknown, because", ignore }, async () => {
  await using w = await workspace();
  const { repository: t, store } = w;
  await t.commit("Rotate tokens", { "src/token.ts": "const lifetime = 3;\n", "a.bin": "\0\0" });
  const because = async (target: string): Promise<string | undefined> =>
    (await store.run<Why>("why", { target })).results[0].because;
  assert.match(
    await because("src/token.ts:1") ?? "",
    /^none of its lines were recorded in a session$/,
  );
  assert.match(await because("src/token.ts:9") ?? "", /has 1 line, no line 9/);
  assert.match(await because("src/none.ts:1") ?? "", /none\.ts/);
  assert.match(await because("/etc/hostname:1") ?? "", /outside/);
  assert.match(await because("a.bin:1") ?? "", /a\.bin/);
  assert.match(await because("src") ?? "", /directory/);
  assert.equal(await because("nowhere"), 'there is no file or commit "nowhere"');
  await Deno.remove(`${t.path}/.git`, { recursive: true });
  assert.match(await because("HEAD") ?? "", /git/i);
  assert.match(await because("/etc/hostname:1") ?? "", /not in this workspace/);
});

Deno.test("why reads as a story, and says what is unknown", async () => {
  await using t = await tempStore({ entries: rows() as Partial<Entry>[] });
  Deno.mkdirSync(`${t.workspace}/src`);
  const file = `${t.workspace}/src/token.ts`;
  Deno.writeTextFileSync(file, second.join("\n") + "\n");
  const edited = new Date("2026-01-01T00:05:00.000Z");
  Deno.utimeSync(file, edited, edited);
  const { stdout, code } = await t.ctx(["why", "src/token.ts:2"]);
  assert.deepEqual([code, stdout.split("\n")], [0, [
    "src/token.ts:2 · not committed yet",
    stdout.split("\n")[1],
    "  asked    A revoked token must not be rotated.",
    "  decided  We log what is refused.",
    "  decided  We refuse revoked tokens with an error.",
    stdout.split("\n")[5],
    "  read on  ctx timeline H-edit2",
    "",
  ]]);
  assert.match(
    stdout,
    /^ {2}session +A revoked token must not be rotated\. \(S-guard, \d+ % sure\)$/m,
  );
  assert.match(stdout, /^ {2}evidence +.*recorded in this session.*$/m);
  const none = await t.ctx(["why", "nowhere"]);
  assert.deepEqual([none.code, none.stdout.includes("unknown")], [0, true]);
});

Deno.test(
  { name: "why FILE tells one story for each commit and session, however many edits", ignore },
  async () => {
    await using w = await workspace();
    const { repository: t, store } = w;
    const bodies = ["alpha", "beta", "gamma", "delta", "epsilon"]
      .map((name) => `export const ${name} = compute("${name}", ${name.length});`);
    const asked = ["Write the five constants.", "Also one called delta and one called epsilon."];
    store.write(
      "history.ndjson",
      toLog([
        turn("H-q1", "S-five", ["00:00", asked[0]]),
        ...bodies.slice(0, 3).map((line, i) =>
          edit(`H-e${i}`, "S-five", { minute: `00:1${i}`, old: [], now: [line] })
        ),
        turn("H-q2", "S-five", ["02:00", asked[1]]),
        ...bodies.slice(3).map((line, i) =>
          edit(`H-f${i}`, "S-five", { minute: `02:1${i}`, old: [], now: [line] })
        ),
      ]),
    );
    const oid = await t.commit("Five constants", { "src/token.ts": bodies.join("\n") + "\n" });
    const { results } = await store.run<Why>("why", { target: "src/token.ts" });
    assert.deepEqual(
      results.map((row) => [row.lines, row.commit, row.session_id, row.prompt, row.other_prompts]),
      [[
        "1-5",
        oid,
        "S-five",
        { id: "H-q1", ts: "2026-01-01T00:00:00.000Z", text: asked[0] },
        [{ id: "H-q2", ts: "2026-01-01T00:02:00.000Z", text: asked[1] }],
      ]],
    );
    const { stdout } = await store.ctx(["why", "src/token.ts"]);
    assert.equal(stdout.match(/^ {2}session /gm)?.length, 1);
    assert.deepEqual(
      [...stdout.matchAll(/^ {2}asked {4}(.*)$/gm)].map(([, words]) => words),
      asked,
    );
    assert.match(
      stdout,
      /^ {2}evidence 5 lines of the change in 1 file recorded in this session, including these/m,
    );
  },
);

Deno.test(
  {
    name: "why takes a path as a session shows it: by its end, where only one file has it",
    ignore,
  },
  async () => {
    await using w = await workspace();
    const { repository: t, store } = w;
    const text = first.join("\n") + "\n";
    await t.commit("Rotate tokens", {
      "src/token.ts": text,
      "web/pages/index.ts": "1\n",
      "web/index.ts": "2\n",
      "web/reindex.ts": "3\n",
      "web/Makefile": "all:\n",
    });
    const ask = async (target: string): Promise<Why["results"][number]> =>
      (await store.run<Why>("why", { target })).results[0];
    for (const target of ["token.ts:2", "./token.ts:2", "../token.ts:2"]) {
      const { path, session_id } = await ask(target);
      assert.deepEqual([path, session_id], ["src/token.ts", "S-first"]);
    }
    assert.equal((await ask("pages/index.ts:1")).path, "web/pages/index.ts");
    assert.equal((await ask("Makefile")).path, "web/Makefile");
    const several = await ask("index.ts:1");
    assert.deepEqual([several.because, several.hint], [
      '2 files end in "index.ts": web/index.ts, web/pages/index.ts',
      "ctx why web/index.ts:1",
    ]);
    assert.match((await ask("oken.ts:1")).because ?? "", /oken\.ts/);
  },
);

/** A repository whose workspace has a store with two sessions. */
async function workspace(): Promise<
  AsyncDisposable & { repository: TempRepository; store: TempStore }
> {
  const repository = await tempRepository();
  const store = new TempStore(repository.path);
  await store.run("init");
  store.write("history.ndjson", toLog(rows()));
  return { repository, store, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() };
}

function rows(): Partial<Entry>[] {
  return [
    turn("H-ask1", "S-first", ["00:00", "Write the rotation of tokens."]),
    edit("H-edit1", "S-first", { minute: "00:10", old: [], now: first }),
    turn("H-ask2", "S-guard", ["03:00", "A revoked token must not be rotated."]),
    {
      ...turn("H-decided", "S-guard", ["03:30", "We refuse revoked tokens with an error."]),
      role: "note",
      type: "decision",
    },
    {
      ...turn("H-wrong", "S-guard", ["03:35", "We let revoked tokens pass."]),
      role: "note",
      type: "decision",
    },
    {
      ...turn("H-right", "S-guard", ["03:36", "We log what is refused."]),
      role: "note",
      type: "decision",
      supersedes: "H-wrong",
    },
    turn("H-yes", "S-guard", ["03:40", "yes please"]),
    edit("H-edit2", "S-guard", { minute: "04:00", old: first, now: second }),
    turn("H-ask3", "S-guard", ["09:00", "Thanks, now write the audit of every token."]),
  ];
}

function turn(id: string, session: string, [minute, text]: [string, string]): Partial<Entry> {
  return {
    id,
    session_id: session,
    ts: `2026-01-01T00:${minute}.000Z`,
    role: "user",
    type: "turn",
    text,
  };
}

function edit(
  id: string,
  session: string,
  { minute, old, now }: { minute: string; old: string[]; now: string[] },
): Partial<Entry> {
  return {
    ...turn(id, session, [minute, "Edit: src/token.ts"]),
    role: "assistant",
    type: "tool_call",
    project: "/elsewhere/app",
    tool: {
      name: "Edit",
      effect: "edit",
      input: {
        file_path: "/elsewhere/app/src/token.ts",
        old_string: old.join("\n"),
        new_string: now.join("\n"),
      },
    },
  };
}
