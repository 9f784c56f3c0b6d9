// What commands that take their time say on a terminal while they work, and that pipes get none of it.

import assert from "node:assert/strict";
import { describeProgress } from "../../src/intake/import/pass_progress.ts";
import { hasTmux, Pty } from "../support/processes/pty.ts";
import { hasTerminal, runOnTerminal } from "../support/processes/run_on_terminal.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

Deno.test("progress tells sessions and bytes of all, then speed and time left", () => {
  const progress = { done: 12, total: 1041, bytes: 3_000_000, totalBytes: 12_000_000 };
  assert.equal(
    describeProgress("codex", progress, 100),
    "codex: 12 of 1,041 sessions, 3.0 MB of 12 MB",
  );
  assert.equal(
    describeProgress("codex", progress, 2000),
    "codex: 12 of 1,041 sessions, 3.0 MB of 12 MB, 1.5 MB/s, 6 s left",
  );
  assert.equal(
    describeProgress("codex", { ...progress, bytes: 12_000_000 }, 130_000),
    "codex: 12 of 1,041 sessions, 12 MB of 12 MB, 92.3 kB/s",
  );
  assert.equal(
    describeProgress("codex", progress, 600_000),
    "codex: 12 of 1,041 sessions, 3.0 MB of 12 MB, 5.0 kB/s, 30 min left",
  );
  assert.equal(
    describeProgress("codex", { ...progress, isSearchable: true }, 100),
    "codex: 12 of 1,041 sessions, 3.0 MB of 12 MB; the newest can be searched already",
  );
  // A store that is copied is read whole: there are no bytes to tell.
  assert.equal(
    describeProgress("contextfs", { done: 1, total: 2, bytes: 0, totalBytes: 0 }, 9000),
    "contextfs: 1 of 2 sessions",
  );
});

Deno.test({
  name: "import on a terminal shows how far it is, then what was read, kept, skipped and why",
  ignore: !hasTerminal(),
  async fn() {
    await using t = await tempStore({ entries: [] });
    recordSession(t, "c-1", ["How do tokens rotate?", ""]);
    recordSession(t, "c-2", ["Why do we lock?"]);
    recordSession(t, "c-3", ["Of something else"], "/elsewhere");
    const { code, screen } = await runOnTerminal(["import"], {
      cwd: t.workspace,
      env: { HOME: t.home, NO_COLOR: "1" },
    });
    assert.equal(code, 0, screen);
    const progress = screen.split("\r\x1b[K").filter((line) => line.startsWith("claude-code: "));
    assert.match(progress[0], /^claude-code: 0 of 2 sessions, 0 bytes of \d+ bytes 0 %$/);
    assert.match(progress.at(-1) ?? "", /^claude-code: 2 of 2 sessions, (\d+ bytes) of \1 100 %$/);
    const end = screen.slice(screen.lastIndexOf("\x1b[K") + 3);
    assert.equal(
      end.replace(/\d+ bytes/, "N bytes"),
      [
        "claude-code  2 new entries in 2 sessions of 3",
        "  read      3 messages, N bytes",
        "  kept      2 messages",
        "  left out  1 message: 1 empty",
        "  skipped   1 session: 1 of other projects (--all-projects)",
        "",
        "Imported 2 entries of 2 sessions.",
        "",
      ].join("\n"),
    );
    const again = await t.ctx(["import"]);
    assert.equal(
      again.stderr,
      "ctx: 1 session belong to other projects or none; --all-projects imports them too\n",
    );
  },
});

Deno.test({
  name: "import --watch on a terminal says what it follows, what came in and how to stop",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries: [] });
    recordSession(t, "c-1", ["How do tokens rotate?"]);
    await using pty = await Pty.start(["import", "claude-code", "--watch"], {
      cwd: t.workspace,
      env: { HOME: t.home },
    });
    await pty.until(/^\d\d:\d\d:\d\d claude-code: 1 new entry of 1 session$/m);
    await pty.until(/following \S+\.claude\S*; press Ctrl-C to stop/);
    recordSession(t, "c-2", ["Why do we lock?", "And when?"]);
    await pty.until(/^\d\d:\d\d:\d\d claude-code: 2 new entries of 1 session$/m);
    await pty.press("C-c");
    await pty.until(/Imported 3 entries of 2 sessions[\s\S]*exit 0/);
  },
});

Deno.test({
  name: "serve on a terminal says where it listens, each request and how to stop",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries: ["Tokens rotate"] });
    await using pty = await Pty.start(["serve", "--port", "0", "--token", "sesame"], {
      cwd: t.workspace,
    });
    const screen = await pty.until(/Authorization: Bearer sesame/);
    assert.match(
      screen,
      /^\d\d:\d\d:\d\d serving \S+ at http:\/\/127\.0\.0\.1:\d+; press Ctrl-C to stop$/m,
    );
    assert.doesNotMatch(screen, /[{}]/);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(screen)?.[0];
    const headers = { authorization: "Bearer sesame", "content-type": "application/json" };
    const found = await fetch(`${url}/api/search`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query: "tokens" }),
    });
    assert.equal((await found.json()).total, 1);
    await (await fetch(`${url}/api/search?secret=word`, { method: "POST" })).body?.cancel();
    await pty.until(/^\d\d:\d\d:\d\d POST \/api\/search 200, \d+ ms$/m);
    const after = await pty.until(/^\d\d:\d\d:\d\d POST \/api\/search 401, \d+ ms$/m);
    assert.doesNotMatch(after, /secret/);
    await pty.press("C-c");
    await pty.until(/exit 0/);
  },
});

Deno.test({
  name: "watch on a terminal says what it follows and what it found",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries: ["We decided that src/tokens.ts stays as it is"] });
    Deno.mkdirSync(`${t.workspace}/src`);
    Deno.writeTextFileSync(`${t.workspace}/src/tokens.ts`, "export const one = 1;\n");
    const { code, stdout } = await t.ctx(["subscribe", "file:src/**", "--json"]);
    assert.equal(code, 0);
    const { id } = JSON.parse(stdout);
    await using pty = await Pty.start(["watch"], { cwd: t.workspace });
    await pty.until(/ctx: ready/);
    await pty.until(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d following file:src/\\*\\* for ${id}, poll$`, "m"),
    );
    Deno.writeTextFileSync(`${t.workspace}/src/tokens.ts`, "export const two = 2;\n");
    await pty.until(/^\d\d:\d\d:\d\d 1 change \(src\/tokens\.ts\), \d suggestions?$/m);
    await pty.press("C-c");
    await pty.until(/exit 0/);
  },
});

Deno.test({
  name: "isolation test on a terminal shows how far it is",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore();
    const env = { TMPDIR: t.home };
    await using pty = await Pty.start(["isolation", "test"], { cwd: t.workspace, env });
    await pty.until(/^trying .* [1-9]\d* %$/m);
  },
});

/** A session of Claude Code, as it writes it. */
function recordSession(t: TempStore, id: string, prompts: string[], cwd = t.workspace): void {
  const path = `${t.home}/.claude/projects/-w/${id}.jsonl`;
  Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
  const lines = prompts.map((content, i) => ({
    type: "user",
    uuid: `${id}-${i}`,
    sessionId: id,
    cwd,
    timestamp: `2026-11-15T10:00:0${i}.000Z`,
    message: { role: "user", content },
  }));
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
}
