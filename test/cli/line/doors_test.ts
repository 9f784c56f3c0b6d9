// The names that people type: the first screen, the doors and what is behind them, and that no name of
// before is refused.

import assert from "node:assert/strict";
import {
  families,
  formsOf,
  shownAs,
  tasks,
  throughDoor,
  toTasks,
} from "../../../src/cli/line/doors.ts";
import { doorNames, findTask, loadForms, taskNames } from "../../../src/cli/task_list.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const firstScreen = `ctx: a durable memory for AI coding agents and people, in plain files.

Usage  ctx COMMAND [ARGUMENTS]

Get started
  start             Start here: create a store, import history, connect agents.
  setup [CLIENT]    Connect an agent: add ctx's MCP server and hooks.
  import [SOURCE…]  Import from Claude Code, Codex, OpenCode, Cursor and more.
  status            Show which agents are connected and what needs attention.

Find and read
  search QUERY   Search your history; best matches first.
  ask QUERY      Answer a question from your history, with sources.
  why TARGET     Explain a line or commit: the session and prompt behind it.
  sessions       List sessions, newest first.
  show SESSION…  Show one or more sessions, in full or in part.
  get ID…        Read entries by id, in full.
  ui             Open your memory in the browser.

Save and correct
  save TEXT     Save a note, decision or any other text.
  pin TARGET    Pin an entry or new text to every session start.
  records       List decisions, fixes and open points from your sessions.
  review        Decide what ctx remembers: accept, edit or reject lines.
  forget [ID…]  Forget entries by id, by session or before a date.
  undo [ACT]    Undo your last change: a forget, pin, save, edit or setting.

Agents and team
  context  Show what agents get: now, last time, and whether it helped.
  team     Share with your team: join, invite, choose what to share.
  sync     Sync with your team: pull, push and erase entries.

  ctx COMMAND --help  Show a command's flags and examples.
  ctx help --all      List all commands.
`;

const pinHelp = `ctx pin: Pin an entry or new text to every session start.

Usage  ctx pin TARGET [FLAGS]

Flags
      --json           Print the result as one JSON object.
      --workspace DIR  Use the store in this directory.
      --color WHEN     Use colour: auto, always or never.
  -h, --help           Show help.

Examples
  ctx pin "Never push to main without review"
      Save and pin a rule.

Also
  pin --list           List pins.
  pin --remove TARGET  Unpin an entry, or decline an agent's pin; the entry is kept.

What an agent pins (over MCP or \`ctx serve\`) waits for your approval: \`ctx pin --list\` shows it, \`ctx pin ID\` accepts it, \`ctx pin --remove ID\` declines it. Until then, no session gets it.
`;

const unpinHelp = `ctx pin --remove: Unpin an entry, or decline an agent's pin; the entry is kept.

Usage  ctx pin --remove TARGET [FLAGS]

Flags
      --json           Print the result as one JSON object.
      --workspace DIR  Use the store in this directory.
      --color WHEN     Use colour: auto, always or never.
  -h, --help           Show help.

Examples
  ctx pin --remove H-1m6jnq0c03gsbcp29
      Unpin an entry.

Also accepted as ctx unpin.
`;

Deno.test("ctx --help is one screen of at most 20 commands", async () => {
  await using t = await tempStore({ init: false });
  for (const words of [["--help"], ["help"], []]) {
    const { code, stdout, stderr } = await t.ctx(words);
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: firstScreen, stderr: "" });
  }
  assert.ok(firstScreen.split("\n").every((line) => line.length <= 80));
  assert.ok(Object.values(tasks).flatMap(({ first = [] }) => first).length <= 20);
});

Deno.test("a door's help shows what is behind it, and an old name's help shows the door", async () => {
  await using t = await tempStore({ init: false });
  const helpOf = async (...words: string[]): Promise<string> => (await t.ctx(words)).stdout;
  assert.equal(await helpOf("pin", "--help"), pinHelp);
  assert.equal(await helpOf("unpin", "--help"), unpinHelp);
  assert.equal(await helpOf("pin", "--remove", "--help"), unpinHelp);
  assert.equal(await helpOf("help", "unpin"), unpinHelp);
  assert.equal(await helpOf("help", "suggest", "list"), await helpOf("suggestions", "-h"));
  assert.match(
    await helpOf("team", "--help"),
    /^ctx team: .*\n\n {2}team status {2,}.*\n {2}team init/,
  );
});

Deno.test("ctx help --all has every command under a task, and once", async () => {
  await using t = await tempStore({ init: false });
  const commands = await loadForms();
  const members = toTasks(commands).flatMap(({ doors }) => doors.flatMap((door) => door.members));
  assert.deepEqual(
    members.map(({ name }) => name).sort(),
    commands.map(({ name }) => name).sort(),
    "a command is in no task of src/cli/line/doors.ts, or in two",
  );
  const { stdout } = await t.ctx(["help", "--all"]);
  for (const { summary } of commands) assert.ok(stdout.includes(`  ${summary}\n`), summary);
  for (const title of Object.keys(tasks)) assert.match(stdout, new RegExp(`^${title}$`, "m"));
});

const meant: [said: string[], means: string[]][] = [
  [["show", "S-1"], ["show", "S-1"]],
  [["show", "S-1", "--outline", "--json"], ["outline", "S-1", "--json"]],
  [["show", "--range", "5-10", "S-1"], ["read", "--ranges=5-10", "S-1"]],
  [["show", "S-1", "--range=-3"], ["read", "S-1", "--ranges=-3"]],
  [["show", "S-1", "--find", "a b"], ["find", "S-1", "--text=a b"]],
  [["show", "S-1", "--", "--scan"], ["show", "S-1", "--", "--scan"]],
  [["pin", "--list"], ["pins"]],
  [["pin", "--remove", "H-1"], ["unpin", "--target=H-1"]],
  [["pin", "H-1", "--remove", "--json"], ["unpin", "H-1", "--json"]],
  [["records", "--type", "rule", "tests"], ["rules", "tests"]],
  [["records", "--type=stale"], ["stale"]],
  [["records", "--type", "open"], ["records", "--type", "open"]],
  [["records", "--summary"], ["summarize"]],
  [["records", "--summary", "last week"], ["summarize", "--period=last week"]],
  [["forget", "--purge", "-----BEGIN"], ["purge", "--pattern=-----BEGIN"]],
  [["forget", "H-1", "--gc"], ["gc", "H-1"]],
  [["context"], ["preview"]],
  [["context", "--json"], ["preview", "--json"]],
  [["context", "now", "edit", "a.ts"], ["preview", "edit", "a.ts"]],
  [["context", "other"], ["context", "other"]],
  [["suggest", "list"], ["suggestions"]],
  [["suggest", "src/list"], ["suggest", "src/list"]],
  [["suggest", "pause", "B-1"], ["subscriptions", "pause", "B-1"]],
  [["team"], ["remote", "status"]],
  [["team", "sync", "--yes"], ["sync", "--yes"]],
  [["stats", "--cost"], ["cost"]],
  [["traces", "--tail", "5"], ["traces", "--tail", "5"]],
  [["traces", "T-1", "--replay"], ["trace", "T-1", "--replay"]],
  [["docs"], ["docs", "list"]],
];

for (const [said, means] of meant) {
  Deno.test(`ctx ${said.join(" ")} is ctx ${means.join(" ")}`, () => {
    assert.deepEqual(throughDoor(said), means);
  });
}

Deno.test("a form gives what the command of its own name gives", async () => {
  await using t = await tempStore({
    entries: [{ text: "Never push to main", session_id: "S-1" }, {
      text: "We did",
      session_id: "S-1",
    }],
  });
  await t.ctx(["pin", "H-H1"]);
  const pairs: [form: string[], own: string[]][] = [
    [["pin", "--list"], ["pins"]],
    [["show", "S-1", "--range", "2"], ["read", "S-1", "2"]],
    [["show", "S-1", "--find", "push"], ["find", "S-1", "push"]],
    [["records", "--type", "rule"], ["rules"]],
    [["context", "last"], ["injected"]],
    [["team"], ["remote", "status"]],
  ];
  for (const [form, own] of pairs) {
    const [one, other] = [await t.ctx([...form, "--json"]), await t.ctx([...own, "--json"])];
    assert.deepEqual([one.code, one.stdout], [other.code, other.stdout], form.join(" "));
    assert.notEqual(one.stdout + one.stderr, "");
  }
});

Deno.test("what a form lacks is said in the words of its command", async () => {
  await using t = await tempStore();
  const { code, stderr } = await t.ctx(["forget", "H-1", "--gc"]);
  assert.deepEqual([code, stderr], [
    2,
    'ctx: Cannot run forget --gc: unexpected argument "H-1"\nhint: ctx forget --gc --help\n',
  ]);
  const verb = await t.ctx(["context", "other"]);
  assert.deepEqual([verb.code, verb.stderr], [
    2,
    'ctx: Cannot run context: unknown subcommand "other"; use now, pack, last, worth\nhint: ctx context now --help\n',
  ]);
});

/** Every name that was accepted before there were doors; none may go. */
const oldNames = `
init, start, save, get, search, timeline, pin, unpin, pins, stale, confirm, redactions,
  forget, purge, edit, undo, sessions, session start, session end, session current, session
  title, scan, outline, find, show, batch, read, records, rules, summarize, pr, distil, why,
  ls, stats, activity, suggest, suggestions, feedback, subscribe, unsubscribe, subscriptions,
  subscriptions pause, subscriptions resume, share, unshare, poll, injected, preview, worth,
  import, export, restore, pack, compact, gc, reindex, traces, trace, status, doctor, docs
  add, docs list, docs sync, docs remove, docs outline, docs section, docs get, sync, remote
  init, remote add, remote status, remote members, remote invite, remote revoke, remote token,
  remote leave, cost, eval, chats, ask, setup, config get, config set, config unset, config
  list, config path, trust, upgrade, list, index, session list, mcp, mcp agent, chat, pick,
  hook, isolation, serve, ui, watch, completions
`.trim().replace(/\s+/g, " ").split(", ");

Deno.test("every old name is still a command of its own", () => {
  assert.equal(oldNames.length, 102);
  for (const name of oldNames) {
    const words = [...name.split(" "), "x"];
    assert.deepEqual(findTask(words)?.rest, ["x"], name);
    assert.ok(taskNames.includes(name), name);
  }
});

Deno.test("what is behind a door is looked for exactly at the doors", async () => {
  const commands = await loadForms();
  const behind = new Set(
    commands.map(({ name }) => shownAs(name)).filter(({ flag, name, door }) =>
      flag !== undefined || name !== door && formsOf(door).length > 0
    ).map(({ door }) => door),
  );
  const alone = ["docs", "config", "guard"];
  assert.deepEqual([...behind, "traces", ...alone].sort(), [...doorNames].sort());
  for (const name of doorNames) {
    assert.ok(findTask([name]) !== undefined || Object.hasOwn(families, name), name);
  }
});
