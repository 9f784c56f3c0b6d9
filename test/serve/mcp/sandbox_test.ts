// The sandbox as the runtime enforces it, in both forms, and what it does not: links.

import assert from "node:assert/strict";
import { confineFiles } from "../../../src/disk/confined_files.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { layoutOf } from "../../../src/disk/layout.ts";
import { isConfined, planSandbox, toFlags } from "../../../src/serve/mcp/sandbox.ts";
import { RawClient, TempWorkspace } from "./support.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

const probe = fromFileUrl(new URL("./sandbox_probe.ts", import.meta.url));

/** What the probe must find, in either form. */
const expected = {
  "read inside": true,
  "write in the store": true,
  "lock in the store": true,
  "write beside the store": false,
  "read outside": false,
  "read up": false,
  "read /proc": false,
  "write outside": false,
  "rename out": false,
  "hard link out": false,
  "make a symlink": false,
  "connect": false,
  "listen": false,
  "run": false,
  "env": false,
  "env HOME": true,
  "ffi": false,
  "sys": false,
  "import from outside": false,
  "escalate": false,
};

Deno.test("the re-executed process can do what the plan says and nothing else", async () => {
  using workspace = new TempWorkspace();
  const flags = toFlags(planSandbox({ workspace: workspace.path }));
  assert.deepEqual(await runProbe([...flags, probe, workspace.path]), expected);
});

Deno.test("the worker of a compiled binary can do what the plan says and nothing else", async () => {
  using workspace = new TempWorkspace();
  const starter = fromFileUrl(new URL("./sandbox_worker_start.ts", import.meta.url));
  const args = ["-A", "--unstable-worker-options", starter, workspace.path];
  assert.deepEqual(await runProbe(args), expected);
});

Deno.test("isConfined() sees that this process is not", () => {
  assert.equal(isConfined(), false);
});

Deno.test("a comma in a path does not open another path", async () => {
  using workspace = new TempWorkspace();
  const odd = `${workspace.path}/a,/etc`;
  Deno.mkdirSync(`${odd}/.contextfs`, { recursive: true });
  Deno.writeTextFileSync(`${odd}/.contextfs/history.ndjson`, "");
  const found = await runProbe([...toFlags(planSandbox({ workspace: odd })), probe, odd]);
  assert.deepEqual(found, expected);
});

const ignore = notOnWindows("links need a privilege");

Deno.test("a store that is a link, or has links in it, is refused", { ignore }, async () => {
  using outside = new TempWorkspace();
  outside.write("secret.txt", "outside");
  const names = ["history.ndjson", "pins.md", "sessions.ndjson", "state.json", "index"];
  for (const name of names) {
    using workspace = new TempWorkspace();
    const path = `${workspace.path}/.contextfs/${name}`;
    if (name === "history.ndjson") Deno.removeSync(path);
    Deno.symlinkSync(`${outside.path}/.contextfs/secret.txt`, path);
    await using client = new RawClient(workspace.path);
    await client.initialize();
    for (const [tool, input] of Object.entries(calls)) {
      const { result } = await client.call(tool, input);
      const answer = JSON.stringify(result);
      assert.ok(!answer.includes("outside"), `${name} ${tool} ${answer}`);
    }
    const { result } = await client.call("save_memory", { text: "x" });
    assert.equal(result.structuredContent.error?.code, "DENIED", name);
  }
  assert.equal(outside.read("secret.txt"), "outside");
});

Deno.test("a store directory that is itself a link is refused", { ignore }, async () => {
  using outside = new TempWorkspace();
  using workspace = new TempWorkspace();
  Deno.removeSync(`${workspace.path}/.contextfs`, { recursive: true });
  Deno.symlinkSync(`${outside.path}/.contextfs`, `${workspace.path}/.contextfs`);
  const before = outside.read("history.ndjson");
  await using client = new RawClient(workspace.path, ["--workspace", workspace.path]);
  await client.initialize();
  for (const [tool, input] of Object.entries(calls)) {
    const { result } = await client.call(tool, input);
    assert.equal(result.structuredContent.error.code, "DENIED", tool);
  }
  assert.equal(outside.read("history.ndjson"), before);
});

Deno.test("a log with a second name (hard link) is refused, and the other file is untouched", async () => {
  using outside = new TempWorkspace();
  outside.write("victim.txt", "mine\n");
  using workspace = new TempWorkspace();
  Deno.removeSync(`${workspace.path}/.contextfs/history.ndjson`);
  Deno.linkSync(
    `${outside.path}/.contextfs/victim.txt`,
    `${workspace.path}/.contextfs/history.ndjson`,
  );
  await using client = new RawClient(workspace.path);
  await client.initialize();
  for (const [tool, input] of Object.entries(calls)) {
    const { result } = await client.call(tool, input);
    assert.equal(result.structuredContent.error.code, "DENIED", tool);
  }
  assert.equal(outside.read("victim.txt"), "mine\n");
});

Deno.test("confineFiles() refuses every path that leaves the store", () => {
  using workspace = new TempWorkspace();
  const files = confineFiles(diskFiles, layoutOf(workspace.path));
  const root = `${workspace.path}/.contextfs`;
  const wrong = [
    `${workspace.path}/x`,
    `${root}/../x`,
    `${root}/./history.ndjson`,
    `${root}/a/../../x`,
    "/etc/passwd",
    `${root}x/history.ndjson`,
    `${root}/history\0.ndjson`,
  ];
  for (const path of wrong) assert.throws(() => files.findBytes(path), { code: "DENIED" }, path);
  for (const path of wrong) {
    const write = (): void => files.replace(path, new Uint8Array(), { sync: false });
    assert.throws(write, { code: "DENIED" }, path);
  }
  assert.ok(files.findSize(`${root}/history.ndjson`));
});

const calls: Record<string, object> = {
  search: { query: "tokens outside" },
  get: { ids: ["H-1"] },
  list: {},
  save_memory: { text: "new" },
};

async function runProbe(args: string[]): Promise<Record<string, boolean>> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...args],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.notEqual(text, "", new TextDecoder().decode(stderr));
  return JSON.parse(text);
}
