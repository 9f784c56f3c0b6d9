// A clone can hold links that lead anywhere: the built file refuses them before it reads through one,
// on the command line as in a confined server.

import assert from "node:assert/strict";
import { tempStore } from "../support/stores/temp_store.ts";
import { notOnWindows } from "../support/not_on_windows.ts";

const ignore = notOnWindows("links need a privilege, and there are no pipes with names");
const secret = "canary-behind-the-link";
const commands = [
  ["config", "list"],
  ["config", "get", "llm.model"],
  ["config", "set", "llm.temperature", "1"],
  ["search", "x"],
  ["save", "x"],
  ["stats"],
  ["mcp"],
  ["serve", "--port", "0"],
  ["mcp", "agent"],
  ["watch", "--once"],
];

for (const place of ["config.jsonc", "the store"]) {
  for (const words of commands) {
    Deno.test(`a link in place of ${place} is refused before it is read: ${words.join(" ")}`, {
      ignore,
    }, async () => {
      await using outside = await tempStore();
      // Broken on purpose: whoever reads it complains about what stands there.
      outside.write("config.jsonc", `{ "${secret}": nonsense`);
      await using t = await tempStore();
      if (place === "the store") {
        Deno.removeSync(t.root, { recursive: true });
        Deno.symlinkSync(outside.root, t.root);
      } else Deno.symlinkSync(outside.path("config.jsonc"), t.path("config.jsonc"));
      const before = outside.list().map((name) => outside.read(name));
      const args = [...words, "--workspace", t.workspace];
      const { code, stdout, stderr } = await t.ctx(args);
      assert.equal(code, 7, stderr);
      assert.match(stderr, /is a symbolic link/);
      assert.ok(!`${stdout}${stderr}`.includes(secret), stderr);
      assert.ok(!stderr.includes("line 1"), stderr);
      assert.deepEqual(outside.list().map((name) => outside.read(name)), before);
    });
  }
}

// Opening a pipe nobody writes to never ends, nor does reading /dev/zero; neither heeds a signal.
for (const name of ["history.ndjson", "config.jsonc", "index/manifest.json", "chat/x.ndjson"]) {
  for (const place of ["pipe", "device"]) {
    Deno.test(`a ${place} in place of ${name} holds nobody up`, { ignore }, async () => {
      await using t = await tempStore();
      Deno.mkdirSync(`${t.root}/${name.split("/").slice(0, -1).join("/")}`, { recursive: true });
      if (t.exists(name)) Deno.removeSync(t.path(name));
      if (place === "device") Deno.symlinkSync("/dev/zero", t.path(name));
      else await new Deno.Command("mkfifo", { args: [t.path(name)] }).output();
      for (const words of [["search", "x"], ["save", "x"], ["doctor"]]) {
        const { code, stdout, stderr } = await t.ctx([...words, "--workspace", t.workspace]);
        assert.ok([2, 5, 7].includes(code), `${code} ${stderr}`);
        assert.match(stdout + stderr, /not a regular file|is a symbolic link/);
      }
    });
  }
}

Deno.test("the user's own file may be a link", { ignore }, async () => {
  await using t = await tempStore();
  const env = { XDG_CONFIG_HOME: `${t.workspace}/config` };
  Deno.mkdirSync(`${t.workspace}/config/ctx`, { recursive: true });
  Deno.writeTextFileSync(`${t.workspace}/dotfile`, '{ "llm": { "temperature": 1.5 } }');
  Deno.symlinkSync(`${t.workspace}/dotfile`, `${t.workspace}/config/ctx/config.jsonc`);
  const { stdout } = await t.ctx(["config", "get", "llm.temperature", "--json"], { env });
  assert.match(stdout, /1\.5/);
});
