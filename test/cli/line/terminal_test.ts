// What a person sees on a terminal: styles unless NO_COLOR, and stored text that can do no harm.
// On a pipe the same text comes out raw.

import assert from "node:assert/strict";
import { toEvent, toProgress, toTerminal } from "../../../src/cli/line/to_terminal.ts";
import { stylesOf } from "../../../src/view/styles.ts";
import { hasTerminal, runOnTerminal } from "../../support/processes/run_on_terminal.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const ignore = !hasTerminal();
const escape = "\x1b";
// deno-lint-ignore no-control-regex
const obeyed = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef]/;
const hostile =
  `${escape}]0;title\x07${escape}[2Jclear\x08\x7f\x9b31m\u202eevil\u2066 tab\tend\nline`;

Deno.test({
  name: "get on a terminal makes control characters visible and harmless",
  ignore,
  async fn() {
    await using t = await tempStore({ entries: [hostile] });
    const { code, screen } = await runOnTerminal(["get", "H-H1"], {
      cwd: t.workspace,
      env: { NO_COLOR: "1" },
    });
    assert.deepEqual({ code, screen }, {
      code: 0,
      screen: "H-H1  Thu 1 Jan 2026, 10:00 UTC · note · note · hot\n" +
        "␛]0;title␇␛[2Jclear␈␡<009B>31m<202E>evil<2066> tab\tend\nline\n",
    });
  },
});

Deno.test("get on a pipe gives the same text raw", async () => {
  await using t = await tempStore({ entries: [hostile] });
  assert.equal((await t.ctx(["get", "H-H1"])).stdout, hostile);
});

Deno.test({
  name: "a terminal gets styles, NO_COLOR and pipes get none",
  ignore,
  async fn() {
    await using t = await tempStore({ entries: ["one"] });
    const styled = await runOnTerminal(["get", "H-H1"], { cwd: t.workspace });
    assert.equal(
      styled.screen,
      `${escape}[1mH-H1${escape}[0m  ${escape}[2mThu 1 Jan 2026, 10:00 UTC · note · note · hot` +
        `${escape}[0m\none\n`,
    );
    const plain = await runOnTerminal(["ls"], { cwd: t.workspace, env: { NO_COLOR: "1" } });
    assert.equal(plain.screen.includes(escape), false);
    const piped = await t.ctx(["ls"], { env: { NO_COLOR: "" } });
    assert.equal(piped.stdout.includes(escape), false);
  },
});

Deno.test("colour is asked for with --color, then NO_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const cases: [words: string[], env: Record<string, string>, colored: boolean][] = [
    [[], {}, false],
    [["--color", "always"], { NO_COLOR: "1" }, true],
    [["--color=always"], { TERM: "dumb" }, true],
    [[], { CLICOLOR_FORCE: "1" }, true],
    [[], { CLICOLOR_FORCE: "0" }, false],
    [[], { CLICOLOR_FORCE: "1", NO_COLOR: "1" }, false],
    [["--color", "never"], { CLICOLOR_FORCE: "1" }, false],
  ];
  for (const [words, env, colored] of cases) {
    const { stdout } = await t.ctx([...words, "ls"], { env: { NO_COLOR: "", ...env } });
    assert.equal(stdout.includes(escape), colored, JSON.stringify([words, env]));
  }
  const wrong = await t.ctx(["ls", "--color", "pink"]);
  assert.deepEqual([wrong.code, wrong.stderr], [
    2,
    'ctx: Cannot run ls: --color must be one of auto, always, never, not "pink"\nhint: ctx ls --help\n',
  ]);
});

Deno.test({
  name: "a terminal that cannot do colours gets none; one that can gets them for errors too",
  ignore,
  async fn() {
    await using t = await tempStore({ entries: ["one"] });
    for (const [name, value] of [["TERM", "dumb"], ["CLICOLOR", "0"]]) {
      const { screen } = await runOnTerminal(["ls"], { cwd: t.workspace, env: { [name]: value } });
      assert.equal(screen.includes(escape), false, name);
    }
    const { screen } = await runOnTerminal(["get", "H-none"], { cwd: t.workspace });
    assert.ok(screen.startsWith(`${escape}[1;31mctx:${escape}[0m Cannot get`), screen);
  },
});

Deno.test("ending a style goes on with those around it", () => {
  const { bold, match } = stylesOf(true);
  assert.equal(
    toTerminal(`${bold(`a ${match("b")} c`)} d`),
    `${escape}[1ma ${escape}[1;31mb${escape}[0m${escape}[1m c${escape}[0m d`,
  );
});

Deno.test({
  name: "stored text cannot pass itself off as a style, with colour or without",
  ignore,
  async fn() {
    await using t = await tempStore({ entries: ["\ufdd0bold?\ufdef"] });
    for (const env of [{ NO_COLOR: "1" }, undefined]) {
      const { screen } = await runOnTerminal(["get", "H-H1"], { cwd: t.workspace, env });
      const text = screen.slice(screen.indexOf("\n") + 1);
      assert.equal(text.includes(escape), false, JSON.stringify(text));
    }
  },
});

Deno.test({
  name: "errors on a terminal show a hostile argument harmlessly",
  ignore,
  async fn() {
    await using t = await tempStore();
    const { code, screen } = await runOnTerminal(["get", `${escape}[31mred`], {
      cwd: t.workspace,
      env: { NO_COLOR: "1" },
    });
    assert.equal(code, 3);
    assert.ok(
      screen.startsWith('ctx: Cannot get "␛[31mred": there is no such entry or session\n'),
      screen,
    );
  },
});

Deno.test({
  name: "export on a terminal makes control characters harmless too",
  ignore,
  async fn() {
    await using t = await tempStore({ entries: [`${escape}[2Jclear \u202e`] });
    const { screen } = await runOnTerminal(["export", "--format", "markdown"], {
      cwd: t.workspace,
      env: { NO_COLOR: "1" },
    });
    assert.equal(screen.includes(escape), false, JSON.stringify(screen));
    assert.equal(screen.includes("\u202e"), false);
  },
});

Deno.test("toTerminal() keeps newlines and tabs and shows every other control character", () => {
  const all = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join("");
  // deno-lint-ignore no-control-regex
  assert.equal(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(toTerminal(all)), false);
  assert.ok(toTerminal("a\tb\nc") === "a\tb\nc");
});

Deno.test({
  name: "progress of an import shows titles and paths harmless, on one line",
  ignore,
  async fn() {
    await using t = await tempStore();
    const row = { session: "s", text: `${hostile}\ufdd0 mark` };
    Deno.writeTextFileSync(`${t.workspace}/${escape}[5m.ndjson`, JSON.stringify(row));
    const { code, screen } = await runOnTerminal(
      ["import", "ndjson", "--root", `${escape}[5m.ndjson`],
      { cwd: t.workspace, env: { NO_COLOR: "1" } },
    );
    assert.equal(code, 0);
    // Our own way to the start of the line is the only sequence that a terminal may obey.
    const rest = screen.replaceAll(`\r${escape}[K`, "<line>");
    assert.doesNotMatch(rest, obeyed);
    assert.match(rest, /^<line>ndjson: 0 of 1 sessions/);
    // Whatever they name, lines of progress and of what happens stay lines.
    for (
      const line of [toProgress(`${hostile}\n\ufdd0`), toEvent(`${hostile}\n\ufdd0`).trimEnd()]
    ) {
      assert.doesNotMatch(line.replaceAll(`\r${escape}[K`, ""), obeyed);
      assert.doesNotMatch(line, /[\n\ufdd0]/);
    }
  },
});
