// Long output on a terminal goes through the user's pager, and nothing else does: on the built file,
// whose launcher starts the pager.

import assert from "node:assert/strict";
import { pagedCommands } from "../../build/permissions.ts";
import { loadForms } from "../../src/cli/task_list.ts";
import { builtCtx, isFromSource } from "../support/processes/built_ctx.ts";
import { hasTmux, Pty, type PtyOptions } from "../support/processes/pty.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const built = isFromSource ? undefined : await builtCtx();
const ignore = !hasTmux() || built?.form !== "self-extracting";
const ended = /^exit \d+$/m;
const lesser = /^(:|lines 1-.*)$/m;

/** A pager that marks each line, so that one sees what went through it. */
const marking = "sed 's/^/P: /'";

Deno.test("what only reads goes through the pager by each of its names, and nothing that writes", async () => {
  for (const name of ["show", "outline", "pin --list", "pins", "context", "team status", "help"]) {
    assert.ok(pagedCommands.includes(name), name);
  }
  const paged = (await loadForms()).filter(({ name }) => pagedCommands.includes(name));
  const reads = (await loadForms()).filter(({ effect }) => effect === "read");
  assert.deepEqual(reads.filter((one) => !paged.includes(one)).map(({ name }) => name).sort(), [
    "config get",
    "config path",
    "export",
    "session current",
    "upgrade",
  ]);
  assert.deepEqual(paged.filter((one) => !reads.includes(one)).map(({ name }) => name).sort(), [
    "audit",
    "doctor",
  ]);
});

Deno.test({
  name: "long output is shown by less with its colours, and q leaves",
  ignore: ignore || !hasLess(),
  async fn() {
    await using t = await longStore();
    await using pty = await start(t, ["show", "S-1"], { around: "unset PAGER; %" });
    const page = await pty.until(lesser);
    assert.match(page, /line 1 of many/);
    assert.doesNotMatch(page, /line 60 of many|ESC|exit/);
    assert.ok((await pty.screen({ styles: true })).includes("\x1b["), "no colours");
    assert.deepEqual(pagesLeft(), [], "the page has no name any more");
    await pty.write("q");
    await pty.until(/^exit 0$/m);
    assert.doesNotMatch(await pty.screen(), /line 60 of many/);
  },
});

Deno.test({
  name: "Ctrl-C in the pager does not end it",
  ignore: ignore || !hasLess(),
  async fn() {
    await using t = await longStore();
    await using pty = await start(t, ["show", "S-1"], { around: "unset PAGER; %" });
    await pty.until(lesser);
    await pty.press("C-c");
    // The interrupt drops what is typed at the same moment.
    const pressing = setInterval(() => void pty.write("G"), 500);
    await pty.until(/line 60 of many/).finally(() => clearInterval(pressing));
    await pty.write("q");
    await pty.until(/^exit 0$/m);
  },
});

Deno.test({
  name: "the pager is a command line: CTX_PAGER before PAGER, with arguments",
  ignore,
  async fn() {
    await using t = await longStore();
    const paged = await seen(t, ["show", "S-1"], { PAGER: marking });
    assert.match(paged, /^P: line 60 of many/m);
    assert.match(paged, /^exit 0$/m);
    const both = await seen(t, ["show", "S-1"], { PAGER: "false", CTX_PAGER: marking });
    assert.match(both, /^P: line 60 of many/m);
    assert.match(await seen(t, ["forget", "--help"], { PAGER: marking }), /^P: ctx forget/m);
    assert.match(await seen(t, ["help"], { PAGER: marking }), /^P: ctx: a durable memory/m);
  },
});

Deno.test({
  name: "what fits the screen is printed, and so is all where nobody wants a pager",
  ignore,
  async fn() {
    await using t = await longStore();
    const show = ["show", "S-1"];
    const plain: [words: string[], env: Record<string, string>, around?: string][] = [
      [["sessions"], { PAGER: marking }],
      [["--no-pager", ...show], { PAGER: marking }],
      [[...show, "--no-pager"], { PAGER: marking }],
      [[...show, "--json"], { PAGER: marking }],
      [show, { PAGER: marking }, "% | cat"],
      [show, { PAGER: marking }, "TERM=dumb %"],
      [show, { PAGER: "cat" }],
      [show, { PAGER: "" }],
      [show, { PAGER: " " }],
      [show, { PAGER: marking, CTX_PAGER: "" }],
      [["export"], { PAGER: marking }],
    ];
    for (const [words, env, around] of plain) {
      const screen = await seen(t, words, env, around);
      assert.doesNotMatch(screen, /^P: /m, `${words} ${JSON.stringify(env)} ${around}`);
      if (words[0] !== "sessions") assert.match(screen, /line 60 of many/, `${words}`);
      assert.match(screen, /^exit 0$/m);
    }
  },
});

Deno.test({
  name: "a pager that is missing or fails loses nothing",
  ignore,
  async fn() {
    await using t = await longStore();
    for (const pager of ["no-such-pager --flag", "head -n 0; false"]) {
      const screen = await seen(t, ["show", "S-1"], { PAGER: pager });
      assert.match(screen, /line 1 of many/, pager);
      assert.match(screen, /line 60 of many/, pager);
      assert.match(screen, /^exit 0$/m, pager);
    }
  },
});

Deno.test({
  name: "the exit code is that of ctx, and notes are with what they speak of",
  ignore,
  async fn() {
    await using t = await longStore();
    assert.match(await seen(t, ["get", "H-none"], { PAGER: marking }), /^exit 3$/m);
    t.append("history.ndjson", "{broken\n");
    const screen = await seen(t, ["doctor"], { PAGER: `${marking}; exit 9` });
    assert.match(screen, /^P: The store is damaged/m);
    assert.match(screen, /^P: ctx: run ctx doctor --fix/m);
    assert.match(screen, /^exit 5$/m);
  },
});

Deno.test({
  name: "what is interrupted or ended leaves no page, and nothing is shown",
  ignore: ignore || Deno.build.os !== "linux",
  async fn() {
    await using t = await longStore();
    const pidFile = `${t.workspace}/pid`;
    // The shell around it is interrupted too.
    const around = `trap : INT; sh -c 'echo $$ > "${pidFile}"; exec "$0" "$@"' %`;
    const env = { PAGER: marking };
    const begin = async (): Promise<{ pty: Pty; launcher: number }> => {
      Deno.writeTextFileSync(pidFile, "");
      // It reads the ids from the terminal.
      const pty = await start(t, ["get", "-", "--head", "0"], { env, around });
      return { pty, launcher: await parentOfOne(pidFile) };
    };
    {
      const { pty } = await begin();
      await using _ = pty;
      await pty.press("C-c");
      await pty.until(/exit 130$/m);
      assert.deepEqual(pagesLeft(), []);
    }
    {
      const { pty, launcher } = await begin();
      await using _ = pty;
      Deno.kill(launcher, "SIGTERM");
      await pty.type("H-H1");
      await pty.press("C-d");
      const screen = await pty.until(/^exit 143$/m);
      assert.doesNotMatch(screen, /line 60/);
      assert.deepEqual(pagesLeft(), []);
    }
  },
});

Deno.test({
  name: "stored text is as harmless in the pager as on the terminal",
  ignore,
  async fn() {
    await using t = await longStore("\x1b]0;owned\x07 \x1b[31mred");
    const out = `${t.workspace}/page`;
    await seen(t, ["show", "S-1"], { PAGER: `cat > '${out}'`, NO_COLOR: "1" });
    const page = await Deno.readTextFile(out);
    assert.match(page, /␛\]0;owned␇ ␛\[31mred/);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(page, /[\x00-\x08\x0b-\x1f]/);
  },
});

Deno.test({
  name: "@1 is a row of the list that went through the pager",
  ignore,
  async fn() {
    await using t = await tempStore({
      entries: Array.from({ length: 40 }, (_, i) => `note ${i} on tokens`),
    });
    await using pty = await Pty.start(["search", "tokens", "--k", "40"], {
      cwd: t.workspace,
      env: { PAGER: marking },
      rows: 20,
      around: `unset TMUX_PANE; % && '${built?.path}' get @1 | sed '$a\\'`,
    });
    const screen = await pty.until(ended);
    assert.match(screen, /^P: /m);
    assert.match(screen.slice(screen.lastIndexOf("P: ")), /^note \d+ on tokens$/m);
  },
});

/** A store with a session of more lines than the screen has. */
async function longStore(more = ""): Promise<TempStore> {
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i + 1} of many`).join("\n");
  return await tempStore({ entries: [{ text: `${lines}${more}`, session_id: "S-1" }] });
}

async function start(
  t: TempStore,
  words: string[],
  options: Partial<PtyOptions> = {},
): Promise<Pty> {
  return await Pty.start(words, { cwd: t.workspace, columns: 100, rows: 20, ...options });
}

/** All that a command left on the terminal; no page stays. */
async function seen(
  t: TempStore,
  words: string[],
  env: Record<string, string>,
  around?: string,
): Promise<string> {
  await using pty = await start(t, words, { env, around });
  await pty.until(ended);
  assert.deepEqual(pagesLeft(), []);
  // A line of JSON breaks anywhere.
  return await pty.joined();
}

/** The process that a file names, once it has a child. */
async function parentOfOne(pidFile: string): Promise<number> {
  for (let i = 0; i < 1200; i++) {
    const pid = Deno.readTextFileSync(pidFile).trim();
    const children = `/proc/${pid}/task/${pid}/children`;
    if (pid && Deno.readTextFileSync(children).trim()) return Number(pid);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it never had a child");
}

function pagesLeft(): string[] {
  return [...Deno.readDirSync(`${built?.cache}/ctx`)].map(({ name }) => name)
    .filter((name) => name.startsWith("page."));
}

function hasLess(): boolean {
  return new Deno.Command("sh", { args: ["-c", "command -v less"], stdout: "null" }).outputSync()
    .success;
}
