// ctx as a process among others: help, versions, pipes that close, signals, --json everywhere.

import assert from "node:assert/strict";
import { commandNames, findCommand } from "../../../src/commands/mod.ts";
import { shownAs } from "../../../src/cli/line/doors.ts";
import { exampleLine } from "../../../src/cli/line/help.ts";
import manifest from "../../../deno.json" with { type: "json" };
import { notOnWindows } from "../../support/not_on_windows.ts";
import { spawnCtx } from "../../support/processes/run_ctx.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("ctx --version, -V and version print the version, also as JSON", async () => {
  await using t = await tempStore({ init: false });
  for (const words of [["--version"], ["-V"], ["version"]]) {
    const { code, stdout, stderr } = await t.ctx(words);
    assert.deepEqual({ code, stdout, stderr }, {
      code: 0,
      stdout: `ctx ${manifest.version}\n`,
      stderr: "",
    });
  }
  const json = JSON.parse((await t.ctx(["--version", "--json"])).stdout);
  assert.equal(json.version, manifest.version);
});

Deno.test("every command's help shows its examples and its flags", async () => {
  await using t = await tempStore({ init: false });
  for (const name of commandNames) {
    const { code, stdout, stderr } = await t.ctx([...name.split(" "), "--help"]);
    assert.deepEqual([code, stderr], [0, ""], name);
    assert.ok(stdout.startsWith(`ctx ${shownAs(name).name}: `), name);
    assert.ok(stdout.includes("--json") && stdout.includes("--workspace"), name);
    const command = await findCommand(name);
    assert.ok(command && command.examples.length > 0, `${name} has no example`);
    for (const example of command.examples) assert.ok(stdout.includes(exampleLine(example)), name);
  }
});

Deno.test("a reader that goes away early is success", async () => {
  const text = "x".repeat(200_000);
  await using t = await tempStore({ entries: [text, text, text] });
  for (const words of ["export", "get H-H1 --head 0", "export --json", "ls"]) {
    const child = spawnCtx(words.split(" "), { cwd: t.workspace, stdin: "null" });
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    const [{ code }, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
    assert.deepEqual([code, stderr], [0, ""], words);
  }
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  for (const json of [false, true]) {
    Deno.test({
      name: `${signal} while save - waits exits 130 and writes nothing${json ? " (--json)" : ""}`,
      ignore: notOnWindows("a signal ends a process at once"),
    }, async () => {
      await using t = await tempStore();
      const child = spawnCtx(["save", "-", ...(json ? ["--json"] : [])], { cwd: t.workspace });
      const input = child.stdin.getWriter();
      // More than a pipe holds: when it has all gone in, the process is reading.
      await input.write(new TextEncoder().encode("half a text ".repeat(50_000)));
      child.kill(signal);
      const { code, stdout, stderr } = await child.output();
      await input.close().catch(() => {});
      const error = { code: "INTERRUPTED", message: "Interrupted", retryable: true };
      assert.deepEqual([code, new TextDecoder().decode(stdout), new TextDecoder().decode(stderr)], [
        130,
        "",
        json ? JSON.stringify({ error }) + "\n" : "ctx: Interrupted\n",
      ]);
      assert.equal(t.read("history.ndjson"), "");
      assert.deepEqual(await t.ailments(), []);
    });
  }
}

Deno.test("--workspace works before and after the command, from any directory", async () => {
  await using t = await tempStore({ entries: ["found"] });
  await using elsewhere = await tempStore({ init: false });
  for (
    const words of [["--workspace", t.workspace, "get", "H-H1"], [
      "get",
      "H-H1",
      `--workspace=${t.workspace}`,
    ]]
  ) {
    assert.equal((await elsewhere.ctx(words)).stdout, "found");
  }
});

Deno.test("the store is found from a directory below it", async () => {
  await using t = await tempStore({ entries: ["found"] });
  Deno.mkdirSync(`${t.workspace}/a/b`, { recursive: true });
  assert.equal((await t.ctx(["get", "H-H1"], { cwd: `${t.workspace}/a/b` })).stdout, "found");
});

Deno.test("two agents with a CTX_SESSION each never share a session", async () => {
  await using t = await tempStore();
  const shared = (await t.ctx(["session", "start", "shared"])).stdout.trim();
  const mine = (await t.ctx(["session", "start", "--detached"])).stdout.trim();
  const saves = await Promise.all([
    t.ctx(["save", "a", "--json"], { env: { CTX_SESSION: mine } }),
    t.ctx(["save", "b", "--json"]),
    t.ctx(["save", "c", "--json", "--session", "S-other"], { env: { CTX_SESSION: mine } }),
  ]);
  assert.deepEqual(saves.map(({ stdout }) => JSON.parse(stdout).session_id), [
    mine,
    shared,
    "S-other",
  ]);
  const nested = await t.ctx(["session", "start", "--json"], { env: { CTX_SESSION: mine } });
  assert.equal(JSON.parse(nested.stdout).current, false);
  assert.equal((await t.ctx(["session", "current"])).stdout.trim(), shared);
});
