// `ctx` alone and `ctx pick` on a real terminal: what a person types, sees and is left with.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { Projects } from "../../support/projects.ts";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const ignore = !hasTmux();
const entries = [
  { id: "H-queue", text: "The queue acknowledges after the handler.", session_id: "S-auth" },
  {
    id: "H-rotate",
    type: "decision",
    title: "Refresh token rotation",
    text: "We rotate refresh tokens on every use.\n\nAn old one revokes the family.",
    session_id: "S-auth",
  },
  { id: "H-lone", text: "Label printers run firmware 2.1." },
];

function pick(
  name: string,
  fn: (t: TempStore) => Promise<void>,
  given: Partial<Entry>[] = entries,
): void {
  Deno.test({
    name,
    ignore,
    async fn() {
      await using t = await tempStore({ entries: given });
      await fn(t);
    },
  });
}

pick("ctx alone shows the newest, finds as it is typed, and enter prints the entry", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace, columns: 120, rows: 20 });
  const newest = await pty.until(/3 entries, newest first[\s\S]*▌ Label printers/);
  assert.ok(newest.indexOf("Label printers") < newest.indexOf("Refresh token rotation"));
  assert.match(newest, /│ Label printers run firmware 2\.1\./);
  // A word that is still being typed finds what it may become.
  await pty.write("old one famil");
  const found = await pty.until(/1 entry found\b/);
  assert.match(found, /▌ Refresh token rotation +decision/);
  assert.match(found, /│ An old one revokes the family\./);
  await pty.press("Enter");
  const left = await pty.until(/exit 0/);
  assert.match(left, /We rotate refresh tokens on every use\.\n\nAn old one revokes the family\./);
  assert.doesNotMatch(left, /newest first|❯/);
});

pick("arrows, ctrl-n, home and end move; the entry follows", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace, columns: 120, rows: 20 });
  await pty.until(/▌ Label/);
  await pty.press("Down");
  await pty.until(/▌ Refresh token rotation/);
  await pty.until(/│ An old one revokes the family/);
  await pty.press("C-n");
  await pty.until(/▌ The queue acknowledges/);
  await pty.until(/│ The queue acknowledges after the handler/);
  await pty.press("Home");
  await pty.until(/▌ Label printers/);
  await pty.press("End");
  await pty.until(/▌ The queue/);
  await pty.press("C-p");
  await pty.until(/▌ Refresh/);
  await pty.press("Escape");
  await pty.until(/exit 0/);
});

pick("ctrl-t shows the timeline, ctrl-s the session of what is chosen", async (t) => {
  for (const [key, shown] of [["C-t", /→.*H-rotate/], ["C-s", /S-auth[\s\S]*#1 note/]] as const) {
    await using pty = await Pty.start(["pick", "rotation"], { cwd: t.workspace });
    await pty.until(/▌ Refresh token rotation/);
    await pty.press(key);
    assert.match(await pty.until(/exit 0/), shown);
  }
});

pick("ctrl-s on an entry of no session says so", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace });
  await pty.until(/▌ Label/);
  await pty.press("C-s");
  await pty.until(/This entry has no session/);
});

pick("ctrl-x asks: any key but y keeps the entry, y forgets it", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace });
  await pty.until(/▌ Label/);
  await pty.press("C-x");
  await pty.until(/Forget this entry\?/);
  await pty.press("Enter");
  await pty.until(/\? keys/);
  assert.equal((await t.run("ls")).entries, 3);
  await pty.press("C-x");
  await pty.until(/Forget this entry\?/);
  await pty.press("y");
  await pty.until(/2 entries, newest first[\s\S]*Forgot H-lone/);
  assert.equal((await t.run("ls")).entries, 2);
  assert.doesNotMatch(await pty.screen(), /Label printers/);
});

pick("ctrl-o pins, and takes the pin away", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace });
  await pty.until(/▌ Label/);
  await pty.press("C-o");
  await pty.until(/★[\s\S]*Pinned H-lone/);
  assert.match(t.read("pins.md"), /H-lone/);
  await pty.press("C-o");
  await pty.until(/Unpinned H-lone/);
  assert.doesNotMatch(t.read("pins.md"), /H-lone/);
});

Deno.test({
  name: "ctrl-r looks in all projects and back; what is opened, pinned or forgotten there is there",
  ignore,
  async fn() {
    using p = new Projects();
    const shop = await p.make("shop", "The shop keeps refresh tokens for a week");
    const blog = await p.make("the blog", "The blog rotates its signing keys daily");
    const at = { cwd: shop, env: { HOME: p.home }, columns: 120, rows: 20 };
    {
      await using pty = await Pty.start([], at);
      await pty.until(/1 entry, newest first ─/);
      await pty.press("C-r");
      const all = await pty.until(/2 entries, newest first in all projects[\s\S]*the blog/);
      assert.match(all, /▌ The blog rotates[\s\S]* │ .*the blog/);
      await pty.press("C-o");
      await pty.until(/★[\s\S]*Pinned/);
      assert.match(Deno.readTextFileSync(`${blog}/.contextfs/pins.md`), /H-/);
      await pty.press("C-r");
      await pty.until(/1 entry, newest first ─/);
      // A word that only the other project has is completed and found.
      await pty.press("C-r");
      await pty.write("rotates signi");
      await pty.until(/1 entry found for “rotates sign” in all projects[\s\S]*▌ The blog/);
      await pty.press("Enter");
      assert.match(await pty.until(/exit 0/), /The blog rotates its signing keys daily/);
    }
    {
      await using pty = await Pty.start(["pick", "signing"], { ...at, around: "% > out" });
      await pty.until(/Nothing found/);
      await pty.press("C-r");
      await pty.until(/▌ The blog/);
      await pty.press("Enter");
      assert.match(await pty.until(/exit 0/), /ctx: from .*the blog \(use --workspace\)/);
      assert.match(Deno.readTextFileSync(`${shop}/out`), /^H-\S+\n$/);
    }
    await using pty = await Pty.start(["pick", "signing"], at);
    await pty.until(/Nothing found/);
    await pty.press("C-r");
    await pty.until(/▌ The blog/);
    await pty.press("C-x");
    await pty.until(/Forget this entry/);
    await pty.press("y");
    await pty.until(/Forgot H-\S+; undo with: ctx undo --workspace .*the blog/);
    const { stdout } = await p.ctx(blog, "ls", "--json");
    assert.equal(JSON.parse(stdout).entries, 0);
  },
});

pick("rows name their sessions", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace, columns: 160, rows: 20 });
  await pty.until(/Refresh token rotation.*\n.*rotate refresh tokens.* How do we log in\?/);
}, [{ id: "H-ask", role: "user", text: "How do we log in?", session_id: "S-auth" }, ...entries]);

pick("ctrl-y copies the id, and leaving says which", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace });
  await pty.until(/▌ Label/);
  await pty.press("C-y");
  await pty.until(/Copied H-lone/);
  assert.equal(await pty.clipboard(), "H-lone");
  await pty.press("C-c");
  assert.match(await pty.until(/exit 0/), /ctx: copied H-lone/);
});

pick("on a pipe the id of what is chosen is printed, and leaving is exit 130", async (t) => {
  const around = "% > out";
  const path = `${t.workspace}/out`;
  {
    await using pty = await Pty.start(["pick", "queue"], { cwd: t.workspace, around });
    await pty.until(/▌ The queue/);
    await pty.press("Enter");
    await pty.until(/exit 0/);
    assert.equal(Deno.readTextFileSync(path), "H-queue\n");
  }
  await using pty = await Pty.start(["pick"], { cwd: t.workspace, around });
  await pty.until(/▌ Label/);
  await pty.press("Escape");
  await pty.until(/exit 130/);
  assert.equal(Deno.readTextFileSync(path), "");
});

pick("? lists the keys in an empty line, and is typed in a question", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace, rows: 30 });
  await pty.until(/▌ Label/);
  await pty.write("?");
  await pty.until(/ctrl-x +forget it \(asks first\)/);
  await pty.press("Escape");
  await pty.until(/▌ Label/);
  await pty.write("firmware?");
  await pty.until(/❯ firmware\?[\s\S]*1 entry found/);
});

pick(
  "it fits 60, 80 and 200 columns, follows a resize, and shows the list alone where it is low",
  async (t) => {
    await using pty = await Pty.start(["pick", "rotate"], {
      cwd: t.workspace,
      columns: 60,
      rows: 20,
    });
    const isBeside = (screen: string): boolean => / │ /.test(screen);
    const narrow = await pty.until(
      /▌ Refresh token rotation[\s\S]*\n─{60}\n[\s\S]*An old one[\s\S]*keys/,
    );
    assert.ok(!isBeside(narrow));
    await pty.resize(80, 24);
    assert.ok(!isBeside(await pty.until(/\n─{80}\n[\s\S]*An old one/)));
    await pty.resize(200, 24);
    await pty.until(/▌ Refresh token rotation.* │ Refresh token rotation/);
    await pty.resize(60, 10);
    const low = await pty.until(/▌ Refresh token rotation[^│]*\n[\s\S]*keys/);
    assert.doesNotMatch(low, /H-rotate/);
  },
);

pick("an index that cannot be used is said, and the rows are found without it", async (t) => {
  await t.run("reindex");
  t.write("index/manifest.json", "{");
  await using pty = await Pty.start(["pick", "rotate"], { cwd: t.workspace });
  await pty.until(/1 entry found the index manifest is damaged: [\s\S]*▌ Refresh token rotation/);
});

pick("without colour nothing is coloured", async (t) => {
  await using pty = await Pty.start(["pick", "rotate"], {
    cwd: t.workspace,
    env: { NO_COLOR: "1" },
  });
  await pty.until(/▌ Refresh token rotation/);
  // The cursor in the line is in reverse.
  const styles = (await pty.screen({ styles: true })).replaceAll("\x1b", "␛").matchAll(
    /␛\[([\d;]*)m/g,
  );
  const codes = new Set([...styles].flatMap(([, code]) => code.split(";")));
  assert.deepEqual([...codes].filter((code) => !["", "0", "7", "39", "49"].includes(code)), []);
});

pick("stored text sends nothing to the terminal", async (t) => {
  await using pty = await Pty.start([], { cwd: t.workspace, columns: 120, rows: 20 });
  const screen = await pty.until(/▌ Title/);
  assert.match(screen, /Title␛\]0;owned␇/);
  assert.match(screen, /│ ␛\[2J␛\[31mred ␛\]52;c;b3duZWQ=␇ <202E>evil/);
  assert.match(screen, /│ second line/);
  assert.equal(await pty.clipboard(), "");
  assert.ok(!(await pty.screen({ styles: true })).includes("\x1b[31mred"));
}, [{
  id: "H-hostile",
  text: "\x1b[2J\x1b[31mred \x1b]52;c;b3duZWQ=\x07 \u202eevil \ufdd5bold\nsecond line",
  title: "Title\x1b]0;owned\x07",
  session_id: "S-1",
}]);

pick("a signal gives the terminal back", async (t) => {
  const around = "sh -c 'echo $$ > pid; exec %'; stty -a | grep -o '[-]*icanon'";
  await using pty = await Pty.start([], { cwd: t.workspace, around });
  await pty.until(/▌ Label/);
  Deno.kill(Number(Deno.readTextFileSync(`${t.workspace}/pid`)), "SIGTERM");
  const after = await pty.until(/exit 0/);
  assert.match(after, /^icanon$/m);
  assert.doesNotMatch(after, /newest first/);
});

Deno.test({
  name: "an empty store and a directory without one say what to do",
  ignore,
  async fn() {
    await using empty = await tempStore();
    {
      await using pty = await Pty.start([], { cwd: empty.workspace });
      await pty.until(/Nothing here yet\.[\s\S]*ctx start/);
    }
    await using none = await tempStore({ init: false });
    await using pty = await Pty.start([], { cwd: none.workspace });
    assert.match(
      await pty.until(/exit 3/),
      /ctx: Cannot find a store in .*\nhint: ctx (init|start)/,
    );
  },
});

Deno.test("without a terminal ctx shows the help, and ctx pick says what to use", async () => {
  await using t = await tempStore({ entries });
  const alone = await t.ctx([]);
  assert.equal(alone.code, 0);
  assert.match(alone.stdout, /Usage/);
  const { code, stderr } = await t.ctx(["pick", "queue"]);
  assert.equal(code, 2);
  assert.equal(
    stderr,
    "ctx: Cannot pick: this needs a terminal\nhint: ctx search QUERY --json\n",
  );
});

const source = { agent: "codex", conversation: "01990000-aaaa-7bbb-8ccc-ddddeeee0001" };
const leftWork = [
  { role: "user", text: "Make the retry count configurable.", session_id: "S-left", source },
  { role: "assistant", text: "Should the limit be per host?", session_id: "S-left", source },
].map((row, i) => ({ ...row, ts: `2026-05-02T08:00:0${i}.000Z` })) as Partial<Entry>[];

pick(
  "ctx alone starts with what was left here: which agent, when, what; enter opens it",
  async (t) => {
    await using pty = await Pty.start([], { cwd: t.workspace, columns: 120, rows: 20 });
    const first = await pty.until(/▌ Left here by codex +session +\d+ \w+ ago/);
    assert.match(first, /2 entries, newest first/);
    await pty.until(/│ - Asked you: Should the limit be per host\?/);
    await pty.press("C-o");
    await pty.until(/This is a session, not an entry/);
    await pty.press("Down");
    await pty.until(/▌ Should the limit/);
    await pty.write("configurable");
    assert.doesNotMatch(await pty.until(/1 entry found/), /Left here/);
    await pty.press("C-u");
    await pty.until(/▌ Left here by codex/);
    await pty.press("Enter");
    const left = await pty.until(/exit 0/);
    assert.match(left, /Asked you: Should the limit be per host\?/);
    assert.match(left, new RegExp(`codex resume ${source.conversation}`));
  },
  leftWork,
);

pick("a program that takes the choice is shown entries alone", async (t) => {
  await using pty = await Pty.start(["pick"], {
    cwd: t.workspace,
    around: "% > chosen",
    columns: 120,
    rows: 20,
  });
  assert.doesNotMatch(await pty.until(/▌ Should the limit/), /Left here/);
  await pty.press("Escape");
  await pty.until(/exit 130/);
}, leftWork);
