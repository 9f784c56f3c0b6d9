// What is around the logs: links, foreign files, drafts of dead writers, bad session events, bad
// configuration, read-only and full disks. Nothing is followed, lost or half-written.

import assert from "node:assert/strict";
import { makeFiles } from "../../src/disk/files.ts";
import { ctxCommand, runProcess, sourceCommand } from "../support/processes/run_ctx.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";
import { notOnWindows } from "../support/not_on_windows.ts";

const noLinks = notOnWindows("links need a privilege");
const noLimit = notOnWindows("there is no ulimit");

Deno.test({
  name: "a symlinked .contextfs is refused and nothing is written behind it",
  ignore: noLinks,
}, async () => {
  await using real = await tempStore({ entries: ["outside"] });
  await using t = await tempStore({ init: false });
  Deno.symlinkSync(real.root, t.root);
  const before = real.read("history.ndjson");
  for (const [name, input] of [["save", { text: "x" }], ["ls", {}], ["init", {}]] as const) {
    assert.deepEqual(await t.fail(name, input), {
      code: "DENIED",
      message: `Cannot open the store: "${t.root}" is a symbolic link`,
      hint: "move the real directory here, or pass --workspace with the directory it points into",
      retryable: false,
    });
  }
  assert.equal(real.read("history.ndjson"), before);
});

Deno.test({
  name: "a .contextfs that is a link to nowhere or to itself is refused as a link",
  ignore: noLinks,
}, async () => {
  for (const target of ["nowhere", ".contextfs"]) {
    await using t = await tempStore({ init: false });
    Deno.symlinkSync(target, t.root);
    for (const [name, input] of [["search", { query: "x" }], ["init", {}]] as const) {
      const { code, message } = await t.fail(name, input);
      assert.deepEqual([code, message], [
        "DENIED",
        `Cannot open the store: "${t.root}" is a symbolic link`,
      ]);
    }
  }
});

Deno.test("a directory that has no end can be opened like one that ends nowhere", () => {
  const noEnd = new Proxy(Deno, {
    get(target, name) {
      if (name !== "openSync") return Reflect.get(target, name);
      return (...args: Parameters<typeof Deno.openSync>) =>
        Object.assign(Deno.openSync(...args), {
          seekSync: () => {
            throw new Error("Invalid argument (os error 22)");
          },
        });
    },
  });
  const path = fromFileUrl(new URL(import.meta.url));
  const reader = makeFiles(noEnd).openReader(path);
  assert.equal(reader?.size, Deno.statSync(path).size);
  reader?.[Symbol.dispose]();
});

const ownFiles = [
  "history.ndjson",
  "history.archive.ndjson",
  "history.bad.ndjson",
  "state.json",
  "sessions.ndjson",
  "retrieval.traces.ndjson",
  "pins.md",
  "config.jsonc",
  ".gitignore",
  ".lock",
];
for (const name of ownFiles) {
  const title = `a symlinked ${name} is refused and its target is untouched`;
  Deno.test({ name: title, ignore: noLinks }, async () => {
    await using t = await tempStore();
    const target = `${t.workspace}/target`;
    Deno.writeTextFileSync(target, "");
    if (t.exists(name)) Deno.removeSync(t.path(name));
    Deno.symlinkSync(target, t.path(name));
    for (const words of [["save", "x"], ["doctor", "--fix"], ["pin", "a rule"]]) {
      const run = await t.run(words[0], toInput(words)).then(() => "it ran", String);
      assert.match(run, /^CtxError: Cannot open the store: ".*" is a symbolic link$/);
    }
    assert.equal(Deno.readTextFileSync(target), "");
  });
}

Deno.test("foreign files stay untouched through every kind of write", async () => {
  const foreign = { "config.yaml": "other: product\n", "notes.txt": "mine\n" };
  await using t = await tempStore({ entries: ["one", "two"], files: foreign });
  await t.run("save", { text: "three" });
  await t.run("forget", { ids: ["H-H1"], now: true });
  await t.run("pin", { target: "a rule" });
  await t.run("doctor", { fix: true });
  await t.run("init");
  for (const [name, text] of Object.entries(foreign)) assert.equal(t.read(name), text);
  const { files } = await t.run<{ files: { name: string; foreign: boolean }[] }>("ls");
  assert.deepEqual(files.filter((file) => file.foreign).map(({ name }) => name), [
    "config.yaml",
    "notes.txt",
  ]);
});

Deno.test("a directory with foreign files only is no store", async () => {
  await using t = await tempStore({ init: false, files: {} });
  t.write("config.yaml", "other: product\n");
  assert.equal((await t.fail("ls")).code, "STORE_MISSING");
  await t.run("init");
  assert.equal(t.read("config.yaml"), "other: product\n");
});

Deno.test("drafts of killed writers are named and removed by doctor --fix", async () => {
  await using t = await tempStore({
    entries: ["one"],
    files: { "state.json.4711.tmp": "{", "history.ndjson.4711.tmp": toLog(["one"]) },
  });
  const { checks } = await t.run<Exam>("doctor");
  assert.equal(
    checks.find(({ name }) => name === "drafts")?.detail,
    "2 unfinished files left by interrupted writes: history.ndjson.4711.tmp, state.json.4711.tmp",
  );
  const { fixed } = await t.run<Exam>("doctor", { fix: true });
  assert.deepEqual(fixed, ["2 unfinished files were removed"]);
  assert.deepEqual(t.list().filter((name) => name.endsWith(".tmp")), []);
  assert.deepEqual(t.ids(), ["H-H1"]);
});

Deno.test("bad session events are passed over, named, and put aside by doctor --fix", async () => {
  const good =
    '{"event":"opened","session_id":"S-1","ts":"2026-01-01T00:00:00.000Z","title":"One"}\n';
  await using t = await tempStore({
    entries: ["one"],
    files: { "sessions.ndjson": `${good}not json\n{"event":"opened"}\n` },
  });
  assert.deepEqual([...t.open().readSessions().keys()], ["S-1"]);
  const exam = await t.ctx(["doctor", "--json"]);
  assert.equal(exam.code, 5);
  const check = JSON.parse(exam.stdout).checks.find((item: { name: string }) =>
    item.name === "sessions"
  );
  assert.equal(check.detail, "2 session events cannot be read");
  await t.run("doctor", { fix: true });
  assert.equal(t.read("sessions.ndjson"), good);
  const aside = t.read("history.bad.ndjson");
  assert.ok(aside.includes("not json") && aside.includes('{\\"event\\":\\"opened\\"}'));
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("a whole last session event without its newline is completed, a torn one put aside", async () => {
  const event = '{"event":"opened","session_id":"S-1","ts":"2026-01-01T00:00:00.000Z"}';
  await using t = await tempStore({ files: { "sessions.ndjson": event } });
  await t.run("save", { text: "x" });
  assert.equal(t.read("sessions.ndjson"), event + "\n");
  t.append("sessions.ndjson", event.slice(0, 30));
  await t.run("save", { text: "y" });
  assert.equal(t.read("sessions.ndjson"), event + "\n");
  assert.ok(t.read("history.bad.ndjson").includes(JSON.stringify(event.slice(0, 30)).slice(1, -1)));
});

Deno.test("an invalid config.jsonc is refused with its line, and the store is untouched", async () => {
  await using t = await tempStore({
    entries: ["one"],
    files: { "config.jsonc": '{\n  // comment\n  "redact": tru\n}\n' },
  });
  const before = t.read("history.ndjson");
  const run = await t.ctx(["save", "x"]);
  assert.deepEqual([run.code, run.stdout, run.stderr], [
    2,
    "",
    `ctx: Cannot read "${t.root}/config.jsonc", line 3: invalid symbol\n` +
    "hint: correct the file, or remove it to go back to the defaults\n",
  ]);
  assert.equal(t.read("history.ndjson"), before);
});

Deno.test("a config value of the wrong kind is refused, an unknown key is a warning", async () => {
  await using t = await tempStore({ files: { "config.jsonc": '{ "redact": "no" }' } });
  assert.deepEqual(await t.fail("ls"), {
    code: "CONFIG_INVALID",
    message: `Cannot use "redact" in ${t.root}/config.jsonc: it must be true or false`,
    hint: "ctx config list",
    retryable: false,
  });
  t.write("config.jsonc", '{ "redcat": false }');
  await t.run("ls");
  assert.deepEqual(t.warnings, [
    `${t.root}/config.jsonc: unknown key "redcat" is ignored (did you mean "redact"?)`,
  ]);
});

Deno.test("a setting of what was removed breaks nothing, and is told of once", async () => {
  await using t = await tempStore({
    files: { "config.jsonc": '{ "rerank": { "kind": "minilm", "cache_mb": -1 } }' },
  });
  await t.run("ls");
  const note = '"rerank.kind" is ignored: the reranker was removed';
  assert.deepEqual(t.warnings, [`${t.root}/config.jsonc: ${note}`]);
  await t.run("config set", { key: "rerank.kind", value: "none" });
  assert.equal(t.warnings.at(-1), note);
  await t.run("config unset", { key: "rerank.cache_mb" });
  await t.run("config unset", { key: "rerank.kind" });
  assert.deepEqual(JSON.parse(t.read("config.jsonc")).rerank ?? {}, {});
  assert.doesNotMatch(JSON.stringify(await t.run("config list")), /rerank/);
});

Deno.test("config set keeps the comments of the file", async () => {
  await using t = await tempStore({
    files: { "config.jsonc": '{\n  // why: slow disk\n  "lock_timeout_ms": 1\n}\n' },
  });
  await t.run("config set", { key: "lock_timeout_ms", value: "500" });
  assert.equal(t.read("config.jsonc"), '{\n  // why: slow disk\n  "lock_timeout_ms": 500\n}\n');
});

Deno.test("a config.jsonc as editors on Windows save it is read, and can be changed", async () => {
  await using t = await tempStore({
    files: { "config.jsonc": '\ufeff{\r\n  // mine\r\n  "lock_timeout_ms": 77\r\n}\r\n' },
  });
  const read = () => t.run<{ value: number }>("config get", { key: "lock_timeout_ms" });
  assert.equal((await read()).value, 77);
  await t.run("config set", { key: "lock_timeout_ms", value: "78" });
  assert.equal((await read()).value, 78);
  assert.ok(t.read("config.jsonc").includes("  // mine\r\n"));
});

Deno.test("quarantine keeps every byte of what it takes, also when it is no UTF-8", async () => {
  await using t = await tempStore();
  const garbage = Uint8Array.from({ length: 255 }, (_, i) => i < 10 ? i : i + 1);
  t.write("history.ndjson", garbage);
  t.append("history.ndjson", "\n");
  await t.run("doctor", { fix: true });
  const row = JSON.parse(t.read("history.bad.ndjson"));
  assert.deepEqual(Uint8Array.from(atob(row.base64), (c) => c.charCodeAt(0)), garbage);
  assert.deepEqual([row.file, row.offset, row.reason], ["history.ndjson", 0, "bad_utf8"]);
});

Deno.test("a read-only file system can be read, and a write is refused with the path", async (test) => {
  await using t = await tempStore({ entries: ["readable"] });
  if (!await canMount(t)) return await skip(test, "mounting is not allowed here");
  const mount = `mount --bind "${t.root}" "${t.root}" && mount -o remount,ro,bind "${t.root}"`;
  const saved = await inNamespace(t, mount, ["save", "x", "--json"]);
  assert.deepEqual([saved.code, saved.stdout, JSON.parse(saved.stderr).error], [7, "", {
    code: "DENIED",
    message: `Cannot write "${t.root}/.lock": the file system is read-only`,
    hint: `check the permissions of "${t.root}/.lock" and of its directory`,
    retryable: false,
  }]);
  const got = await inNamespace(t, mount, ["get", "H-H1"]);
  assert.deepEqual([got.code, got.stdout, got.stderr], [0, "readable", ""]);
  const exam = await inNamespace(t, mount, ["doctor"]);
  assert.equal(exam.code, 0);
});

Deno.test("a read-only directory can be read, and a write is refused with the path", async (test) => {
  await using t = await tempStore({ entries: ["readable"] });
  // Root passes every permission check unless it gives that capability up.
  const prefix = Deno.uid() === 0
    ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    : [];
  const probe = await runProcess([...prefix, "true"], { cwd: t.workspace }).catch(() => undefined);
  if (probe?.code !== 0) return await skip(test, "root cannot give up its capabilities here");
  Deno.chmodSync(t.root, 0o555);
  for (const name of t.list()) Deno.chmodSync(t.path(name), 0o444);
  const open = await runProcess([...prefix, ...ctxCommand("get", "H-H1")], { cwd: t.workspace });
  assert.deepEqual([open.code, open.stdout], [0, "readable"]);
  const saved = await runProcess([...prefix, ...ctxCommand("save", "x")], { cwd: t.workspace });
  assert.deepEqual([saved.code, saved.stdout, saved.stderr], [
    7,
    "",
    `ctx: Cannot write "${t.root}/.lock": permission denied\n` +
    `hint: check the permissions of "${t.root}/.lock" and of its directory\n`,
  ]);
  Deno.chmodSync(t.root, 0o755);
});

for (const name of [...ownFiles, "move.json", "summary.md"]) {
  if (name === "config.jsonc") continue;
  Deno.test(`a directory where ${name} should be is named, by doctor too`, async () => {
    await using t = await tempStore({ files: { "history.archive.ndjson": toLog(["kept"], "A") } });
    if (t.exists(name)) Deno.removeSync(t.path(name));
    Deno.mkdirSync(t.path(name));
    for (const words of [["save", "x"], ["pin", "a rule"]]) {
      assert.deepEqual(await t.fail(words[0], toInput(words)), {
        code: "STORE_CORRUPT",
        message: `Cannot use "${t.path(name)}": there is a directory where a file should be`,
        hint: "move the directory away, then run the same command again",
        retryable: false,
      });
    }
    const { healthy, checks } = await t.run<Exam>("doctor", { fix: true });
    assert.deepEqual([healthy, checks.length, checks[0].status], [false, 1, "failed"]);
    assert.ok(checks[0].detail.includes(t.path(name)), checks[0].detail);
  });
}

Deno.test("a directory where config.jsonc should be is named, by doctor too", async () => {
  await using t = await tempStore({ entries: ["kept"] });
  Deno.mkdirSync(t.path("config.jsonc"));
  const message = `Cannot read "${
    t.path("config.jsonc")
  }": there is a directory where a file should be`;
  const hint = "move the directory away, then run the same command again";
  assert.deepEqual(await t.fail("ls"), { code: "CONFIG_INVALID", message, hint, retryable: false });
  for (const words of [["doctor"], ["doctor", "--fix"]]) {
    const { code, stdout, stderr } = await t.ctx(words);
    assert.deepEqual([code, stdout, stderr], [
      5,
      `failed  config  ${message}: ${hint}\nThe store is damaged.\n`,
      "",
    ]);
  }
});

const badConfigs: Record<string, [spoil: (path: string) => void, said: RegExp]> = {
  "a directory": [
    (path) => Deno.mkdirSync(path),
    /: there is a directory where a file should be: move the/,
  ],
  "no JSON": [(path) => Deno.writeTextFileSync(path, "{"), /line 1: close brace expected: correct/],
};

for (const [what, [spoil, said]] of Object.entries(badConfigs)) {
  Deno.test(`doctor tells of a user's config file that is ${what}, and checks the store`, async () => {
    await using t = await tempStore({ entries: ["kept"] });
    const home = `${t.workspace}/home`;
    Deno.mkdirSync(`${home}/.config/ctx`, { recursive: true });
    spoil(`${home}/.config/ctx/config.jsonc`);
    const env = (name: string) => name === "HOME" ? home : undefined;
    const { healthy, checks } = await t.run<Exam>("doctor", { fix: true }, { env });
    assert.deepEqual([healthy, checks[0].name, checks[0].status], [false, "config", "failed"]);
    assert.match(checks[0].detail, said);
    assert.deepEqual(checks.filter(({ status }) => status === "failed").length, 1);
    assert.ok(checks.some(({ name }) => name === "lines"));
    const { code, stdout } = await t.ctx(["doctor"], {
      env: { XDG_CONFIG_HOME: `${home}/.config` },
    });
    assert.equal(code, 2);
    assert.match(stdout, /The store is fine; the configuration is invalid\.\n$/);
  });
}

for (const name of ["manifest.json", "sessions.json"]) {
  Deno.test(`a directory where index/${name} should be stops no command`, async () => {
    await using t = await tempStore({ entries: [{ text: "readable", session_id: "S-1" }] });
    Deno.mkdirSync(t.path(`index/${name}`), { recursive: true });
    const saved = await t.ctx(["save", "a long text ".repeat(4000)]);
    assert.equal(saved.code, 0, saved.stderr);
    assert.match(saved.stdout, /^H-\w+\n$/);
    const blocked = `"${t.path(`index/${name}`)}"`;
    assert.equal(
      saved.stderr,
      `ctx: warning: the index was not updated (Cannot read ${blocked}); search still works\n`,
    );
    for (const words of [["search", "readable"], ["sessions"], ["get", "H-H1"]]) {
      const { code, stderr } = await t.ctx(words);
      assert.equal(code, 0, stderr);
      assert.ok(stderr.split("warning:").length <= 2, stderr);
    }
    const { healthy, checks } = await t.run<Exam>("doctor", { fix: true });
    const index = checks.find((check) => check.name === "index");
    assert.deepEqual([healthy, index?.status], [true, "warning"]);
    assert.ok(index?.detail.includes(blocked), index?.detail);
    assert.deepEqual([(await t.fail("reindex")).code, t.ids().length], ["DENIED", 2]);
  });
}

Deno.test("an index of another user stops no command", async (test) => {
  await using t = await tempStore({ entries: [{ text: "readable", session_id: "S-1" }] });
  await t.run("reindex");
  const prefix = Deno.uid() === 0
    ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    : [];
  const probe = await runProcess([...prefix, "true"], { cwd: t.workspace }).catch(() => undefined);
  if (probe?.code !== 0) return await skip(test, "root cannot give up its capabilities here");
  Deno.chmodSync(t.path("index"), 0o000);
  for (const words of [["save", "x"], ["search", "readable"], ["sessions"], ["get", "H-H1"]]) {
    const run = await runProcess([...prefix, ...ctxCommand(...words)], { cwd: t.workspace });
    assert.equal(run.code, 0, run.stderr);
    assert.ok(run.stderr.split("warning:").length <= 2, run.stderr);
  }
  for (const words of [["doctor"], ["doctor", "--fix"]]) {
    const exam = await runProcess([...prefix, ...ctxCommand(...words)], { cwd: t.workspace });
    assert.equal(exam.code, 0, exam.stderr);
    assert.match(exam.stdout, /warning +index \[6\] +".*index" cannot be read/);
  }
  Deno.chmodSync(t.path("index"), 0o700);
});

Deno.test("a full disk leaves the log as it was and says so", async (test) => {
  await using t = await tempStore();
  if (!await canMount(t)) return await skip(test, "mounting is not allowed here");
  const mount = `mkdir "${t.workspace}/small" && mount -t tmpfs -o size=64k tmpfs ` +
    `"${t.workspace}/small" && cd "${t.workspace}/small" && ` +
    `${shell(ctxCommand("init"))} >/dev/null 2>&1 && ${shell(ctxCommand("save", "kept"))} ` +
    `>/dev/null && cp .contextfs/history.ndjson "${t.workspace}/before"`;
  const after = `cp .contextfs/history.ndjson "${t.workspace}/after"; ` +
    shell(ctxCommand("doctor")) + ` >"${t.workspace}/exam"`;
  const run = await inNamespace(t, mount, ["save", "-", "--json"], {
    stdin: "z".repeat(200_000),
    after,
  });
  assert.equal(run.stdout, "");
  const { error } = JSON.parse(run.stderr);
  assert.deepEqual(error, {
    code: "DISK_FULL",
    message:
      `Cannot write "${t.workspace}/small/.contextfs/history.ndjson": the disk or its quota is full`,
    hint: "free some space and run the same command again; nothing was half-written",
    retryable: true,
  });
  assert.equal(run.code, 5);
  const before = Deno.readTextFileSync(`${t.workspace}/before`);
  assert.ok(before.includes("kept"));
  assert.equal(Deno.readTextFileSync(`${t.workspace}/after`), before);
  assert.ok(Deno.readTextFileSync(`${t.workspace}/exam`).endsWith("The store is fine.\n"));
});

Deno.test({
  name: "a file size limit kills no built file: the log is as it was, and it says so",
  ignore: noLimit,
}, async () => {
  await using t = await tempStore({ entries: ["kept"] });
  const before = t.read("history.ndjson");
  // Unpacked, whatever ran before: that writes more than the limit allows.
  await t.ctx(["--version"]);
  const run = await runProcess(
    ["bash", "-c", `ulimit -c 0; ulimit -f 64; exec ${shell(ctxCommand("save", "-"))}`],
    { cwd: t.workspace, stdin: "z".repeat(300_000) },
  );
  assert.deepEqual([run.code, run.stdout, run.stderr], [
    5,
    "",
    `ctx: Cannot write "${t.root}/history.ndjson": the disk or its quota is full\n` +
    "hint: free some space and run the same command again; nothing was half-written\n",
  ]);
  assert.equal(t.read("history.ndjson"), before);
  assert.deepEqual(t.list().filter((name) => name.endsWith(".tmp")), []);
});

Deno.test({
  name: "a program killed by a file size limit leaves a tail that the next writer puts aside",
  ignore: noLimit,
}, async () => {
  await using t = await tempStore({ entries: ["kept"] });
  const run = await runProcess(
    ["bash", "-c", `ulimit -c 0; ulimit -f 64; ${shell([...sourceCommand, "save", "-"])}`],
    { cwd: t.workspace, stdin: "z".repeat(300_000) },
  );
  assert.notEqual(run.code, 0);
  assert.deepEqual(t.ids(), ["H-H1"]);
  const { id } = await t.run<{ id: string }>("save", { text: "next" });
  assert.deepEqual(t.ids(), ["H-H1", id]);
  assert.deepEqual((await t.ailments()).filter((name) => name !== "drafts"), []);
});

interface Exam {
  healthy: boolean;
  fixed: string[];
  checks: { name: string; status: string; detail: string }[];
}

function toInput(words: string[]): object {
  if (words[0] === "doctor") return { fix: true };
  return words[0] === "save" ? { text: words[1] } : { target: words[1] };
}

async function canMount(t: TempStore): Promise<boolean> {
  const probe = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"];
  const run = await runProcess(probe, { cwd: t.workspace }).catch(() => undefined);
  return run?.code === 0;
}

/** Runs ctx in a mount namespace of its own, after some mounting; `after` runs when it has ended. */
async function inNamespace(
  t: TempStore,
  mount: string,
  words: string[],
  options: { stdin?: string; after?: string } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const after = options.after ? `code=$?; ${options.after}; exit $code` : "";
  const script = `set -e; ${mount}; set +e; ${shell(ctxCommand(...words))}; ${after}`;
  return await runProcess(["unshare", "-m", "bash", "-c", script], {
    cwd: t.workspace,
    stdin: options.stdin,
  });
}

function shell(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

async function skip(test: Deno.TestContext, why: string): Promise<void> {
  await test.step({ name: `skipped: ${why}`, ignore: true, fn: () => {} });
}
