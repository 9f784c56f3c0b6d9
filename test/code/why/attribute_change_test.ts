import assert from "node:assert/strict";
import { openLines } from "../../../src/index/lines/line_table.ts";
import { attribute, type Attribution } from "../../../src/code/why/attribute_change.ts";
import { attributeLine } from "../../../src/code/why/attribute_line.ts";
import type { Change } from "../../../src/code/why/change.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const noon = Date.parse("2026-01-01T12:00:00.000Z");
const rotate = [
  "func rotateToken(old Token) Token {",
  "  fresh := issue(old.Owner)",
  "  revoke(old)",
  "  return fresh",
];
const issue = [
  "func issueToken(owner Owner) Token {",
  "  token := Token{Owner: owner}",
  "  store.Put(token.ID, token)",
  "  return token",
];
const audit = ["func auditTrail(entries []Entry) {", "  for _, entry := range entries {"];

Deno.test("a commit is of the session that wrote its lines, whatever a formatter did to them", async () => {
  await using t = await tempStore({
    entries: [edit("S-a", rotate), edit("S-b", audit, { path: "audit.go" })],
  });
  const added = rotate.map((line) => `\t\t${line.trim().replace("(", "( ")}`);
  const { best, others, confidence } = await ask(t, { added });
  assert.deepEqual([best?.session, best?.added, others, confidence > 0.8], ["S-a", 4, [], true]);
});

Deno.test("of two sessions with the same lines, the one shortly before the commit has them", async () => {
  await using t = await tempStore({
    entries: [
      edit("S-old", rotate, { ts: "2025-12-01T11:00:00.000Z" }),
      edit("S-new", rotate, { ts: "2026-01-01T11:50:00.000Z" }),
      edit("S-later", rotate, { ts: "2026-01-01T13:00:00.000Z" }),
    ],
  });
  assert.equal((await ask(t, { added: rotate })).best?.session, "S-new");
});

Deno.test("who wrote it after the commit, or only took it away, did not write it", async () => {
  await using t = await tempStore({
    entries: [
      edit("S-later", rotate, { ts: "2026-01-01T12:05:00.000Z" }),
      edit("S-away", [], { old: issue }),
      ...strangers(),
    ],
  });
  assert.equal((await ask(t, { added: rotate })).best, undefined);
  assert.equal((await ask(t, { added: issue })).best, undefined);
});

Deno.test("a line of a commit is not of a session that wrote it only later", async () => {
  await using t = await tempStore({
    entries: [edit("S-later", rotate, { ts: "2026-01-01T12:05:00.000Z" }), ...strangers()],
  });
  using table = await openLines(t.open());
  const change = commitOf({ added: rotate });
  const line = { text: rotate[0], file: change.files[0], change };
  const { session, by } = attributeLine(table, line, attribute(table, change));
  assert.deepEqual([session, by], [undefined, "nothing"]);
});

Deno.test("of a commit that was rebased, who wrote it before its own time has it", async () => {
  await using t = await tempStore({
    entries: [
      edit("S-before", rotate, { ts: "2026-01-01T11:00:00.000Z" }),
      edit("S-after", rotate, { ts: "2026-01-01T12:30:00.000Z" }),
      ...strangers(),
    ],
  });
  using table = await openLines(t.open());
  const change = { ...commitOf({ added: rotate }), committed: noon + 86_400_000 };
  assert.equal(attribute(table, change).best?.session, "S-before");
});

Deno.test("with as much of two sessions, or with next to nothing, nobody is named", async () => {
  await using t = await tempStore({
    entries: [
      edit("S-a", rotate),
      edit("S-b", rotate),
      ...["S-c", "S-d", "S-e"].map((id) => edit(id, ["return errNotFound"])),
    ],
  });
  assert.equal((await ask(t, { added: rotate })).because, "several sessions match it equally well");
  const few = await ask(t, { added: ["return errNotFound", "something else entirely"] });
  assert.equal(few.because, "too few distinctive lines of it were recorded");
  const none = await ask(t, { added: ["nobody has ever written this"] });
  assert.equal(none.because, "none of its lines were recorded in a session");
});

Deno.test("two sessions behind one commit: the one with more, and the other beside it", async () => {
  await using t = await tempStore({
    entries: [edit("S-a", rotate), edit("S-b", audit, { path: "audit.go" }), ...strangers()],
  });
  const change = commitOf({ added: rotate });
  change.files.push({ path: "src/audit.go", added: audit, removed: [] });
  using table = await openLines(t.open());
  const found = attribute(table, change);
  assert.deepEqual([found.best?.session, found.others.map(({ session }) => session)], ["S-a", [
    "S-b",
  ]]);
  const line = { text: audit[0], file: change.files[1], change };
  const { session, by, claim } = attributeLine(table, line, found);
  assert.deepEqual([session, by, claim?.path], ["S-b", "line", "audit.go"]);
});

Deno.test("a squash of two sessions is of both, and each line of the one that wrote it", async () => {
  await using t = await tempStore({
    entries: [
      edit("S-a", rotate, { ts: "2026-01-01T10:00:00.000Z" }),
      edit("S-b", issue, { path: "issue.go", ts: "2026-01-01T11:00:00.000Z" }),
      ...strangers(),
    ],
  });
  const change = commitOf({ added: rotate });
  change.files.push({ path: "src/issue.go", added: issue, removed: [] });
  using table = await openLines(t.open());
  const found = attribute(table, change);
  const sessions = found.parts.map(({ session }) => session).sort();
  assert.deepEqual([found.best, found.because, sessions], [
    undefined,
    "several sessions match it equally well",
    ["S-a", "S-b"],
  ]);
  const writers = change.files.map((file) =>
    attributeLine(table, { text: file.added[1], file, change }, found).session
  );
  assert.deepEqual(writers, ["S-a", "S-b"]);
});

Deno.test("a squash of three sessions after days is of all, also where a file was renamed meanwhile", async () => {
  const third = rotate.map((line, i) => `${line.trim()} // of ticket ${i}`);
  await using t = await tempStore({
    entries: [
      edit("S-a", rotate, { ts: "2026-01-01T10:00:00.000Z" }),
      edit("S-b", issue, { path: "issue.go", ts: "2026-01-01T10:20:00.000Z" }),
      edit("S-c", third, { path: "ticket.go", ts: "2026-01-01T10:40:00.000Z" }),
      ...strangers(),
    ],
  });
  const change = commitOf({ added: rotate, at: noon + 6 * 86_400_000 });
  change.files.push({ path: "src/issue.go", added: issue, removed: [] });
  change.files.push({ path: "src/renamed.go", added: third, removed: [] });
  using table = await openLines(t.open());
  const found = attribute(table, change);
  assert.deepEqual(found.parts.map(({ session }) => session).sort(), ["S-a", "S-b", "S-c"]);
  const writers = change.files.map((file) =>
    attributeLine(table, { text: file.added[0], file, change }, found).session
  );
  assert.deepEqual(writers, ["S-a", "S-b", "S-c"]);
});

Deno.test("a session that only repeats another's lines is no part beside it", async () => {
  await using t = await tempStore({
    entries: [edit("S-a", [...rotate, ...audit]), edit("S-b", rotate), ...strangers()],
  });
  const { best, parts } = await ask(t, { added: [...rotate, audit[0]] });
  assert.deepEqual([best, parts], [undefined, []]);
});

Deno.test("a line is not of the session that took it away", async () => {
  await using t = await tempStore({
    entries: [edit("S-a", rotate), edit("S-b", [], { old: audit }), ...strangers()],
  });
  const change = commitOf({ added: [...rotate, audit[0]] });
  using table = await openLines(t.open());
  const [file] = change.files;
  const line = attributeLine(table, { text: audit[0], file, change }, attribute(table, change));
  assert.deepEqual([line.session, line.by], ["S-a", "commit"]);
});

Deno.test("a change that lay there for days is of who wrote most of it, not of who wrote little", async () => {
  await using t = await tempStore({ entries: [edit("S-a", rotate), ...strangers()] });
  const late = { at: noon + 5 * 86_400_000 };
  const { best, parts } = await ask(t, { added: rotate, ...late });
  assert.deepEqual([best?.session, parts.length], ["S-a", 1]);
  const part = await ask(t, { added: [...rotate.slice(0, 2), ...issue], ...late });
  assert.deepEqual([part.best, part.because], [
    undefined,
    "too few distinctive lines of it were recorded",
  ]);
  const one = await ask(t, { added: rotate.slice(0, 1), ...late });
  assert.equal(one.best, undefined);
});

Deno.test("a line is not told by its commit in a file that the session never touched", async () => {
  await using t = await tempStore({ entries: [edit("S-a", rotate), ...strangers()] });
  const change = commitOf({ added: rotate });
  change.files[0].added = [...rotate, "func nobodyRecordedThis() {"];
  change.files.push({ path: "src/other.go", added: issue, removed: [] });
  using table = await openLines(t.open());
  const found = attribute(table, change);
  const [own, other] = change.files;
  const inOwn = attributeLine(table, { text: own.added.at(-1)!, file: own, change }, found);
  assert.deepEqual([inOwn.session, inOwn.by], ["S-a", "commit"]);
  const elsewhere = attributeLine(table, { text: issue[0], file: other, change }, found);
  assert.deepEqual([elsewhere.session, elsewhere.because], [
    undefined,
    "its commit belongs to session S-a, which did not record this file",
  ]);
});

Deno.test("a line that one session only wrote into the file is its own, however long ago", async () => {
  await using t = await tempStore({
    entries: [
      edit("S-a", rotate),
      edit("S-b", audit, { path: "elsewhere.go" }),
      ...strangers(),
    ],
  });
  const change = { ...commitOf({ added: [rotate[0]], at: noon + 9e8 }), commit: undefined };
  using table = await openLines(t.open());
  const found = attribute(table, change);
  const [file] = change.files;
  assert.equal(attributeLine(table, { text: rotate[0], file, change }, found).session, "S-a");
  assert.equal(attributeLine(table, { text: audit[0], file, change }, found).session, undefined);
});

Deno.test("a bot's commit and a merge are nobody's, and so is what it wrote line by line", async () => {
  await using t = await tempStore({ entries: [edit("S-a", rotate)] });
  const bot = await ask(t, { added: rotate, isBot: true });
  assert.deepEqual([bot.best, bot.because], [undefined, "a bot committed it"]);
  using table = await openLines(t.open());
  const change = commitOf({ added: rotate, isBot: true });
  const line = attributeLine(table, { text: rotate[0], file: change.files[0], change }, bot);
  assert.deepEqual([line.session, line.because], [undefined, "a bot committed it"]);
  const merge = await ask(t, { added: rotate, isMerge: true });
  assert.equal(merge.because, "it is a merge");
});

Deno.test("lines that were only taken away, and a commit that the session made itself, tell too", async () => {
  await using t = await tempStore({
    entries: [
      edit("S-a", [], { old: [...rotate, ...audit] }),
      {
        role: "tool",
        type: "tool_output",
        session_id: "S-b",
        ts: "2026-01-01T12:00:30.000Z",
        text: "[main 9f8e7d6] Bump the version\n 1 file changed",
      },
      ...strangers(),
    ],
  });
  assert.equal((await ask(t, { removed: [...rotate, ...audit] })).best?.session, "S-a");
  const made = await ask(t, { added: ["1"], subject: "Bump the version" });
  assert.deepEqual([made.best?.session, made.confidence], ["S-b", 0.97]);
  const byHash = await ask(t, { added: ["1"], oid: `9f8e7d6${"0".repeat(33)}`, at: noon - 9e7 });
  assert.equal(byHash.best?.session, "S-b");
  const other = await ask(t, { added: ["1"], subject: "Bump the version", at: noon + 9e7 });
  assert.equal(other.best, undefined);
});

interface Given {
  added?: string[];
  removed?: string[];
  subject?: string;
  oid?: string;
  isBot?: boolean;
  isMerge?: boolean;
  at?: number;
}

function commitOf(given: Given): Change {
  const { added = [], removed = [], subject = "Change", oid = "a".repeat(40), at = noon } = given;
  const { isBot = false, isMerge = false } = given;
  return {
    commit: { oid, subject, isBot, isMerge },
    authored: at,
    committed: at,
    files: [{ path: "src/token.go", added, removed }],
  };
}

async function ask(t: TempStore, given: Given): Promise<Attribution> {
  using table = await openLines(t.open());
  return attribute(table, commitOf(given));
}

/** Sessions that have nothing to do with it: by them a line is rare. */
function strangers(): Record<string, unknown>[] {
  return Array.from({ length: 20 }, (_, i) => edit(`S-x${i}`, [`const stranger${i} = true`]));
}

function edit(
  session: string,
  lines: string[],
  { path = "token.go", old = [], ts = "2026-01-01T11:45:00.000Z" }: {
    path?: string;
    old?: string[];
    ts?: string;
  } = {},
): Record<string, unknown> {
  const input = {
    file_path: `/work/app/src/${path}`,
    old_string: old.join("\n"),
    new_string: lines.join("\n"),
  };
  return {
    role: "assistant",
    type: "tool_call",
    text: "Edit",
    session_id: session,
    ts,
    // The session went on in a part of the repository.
    project: "/work/app/src",
    tool: { name: "Edit", input, effect: "edit" },
  };
}
