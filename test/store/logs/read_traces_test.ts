import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";
import { layoutOf } from "../../../src/disk/layout.ts";
import { scopeFiles } from "../../../src/store/views/scoped_files.ts";
import { getTrace, readTraces } from "../../../src/store/logs/read_traces.ts";
import {
  appendTrace,
  keptTraceFiles,
  type TraceDraft,
  traceFileBytes,
} from "../../../src/store/logs/trace_log.ts";

/** A place for traces in a temporary directory. */
function tempTraces() {
  const workspace = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-traces-" }));
  Deno.mkdirSync(`${workspace}/.contextfs`);
  let time = Date.parse("2026-01-01T00:00:00Z");
  return {
    files: diskFiles,
    layout: layoutOf(workspace),
    now: () => time++,
    random: () => String(time),
    [Symbol.dispose]: () => Deno.removeSync(workspace, { recursive: true }),
  };
}

function draft(fields: Partial<TraceDraft> = {}): TraceDraft {
  return {
    command: "search",
    args: { query: "token", k: 5 },
    query: "token",
    ranking: [{ id: "H-1", score_final: 0.5 }, { id: "H-2", score_final: 0.25 }],
    state_revision: 3,
    duration_ms: 1.5,
    ok: true,
    surface: "library",
    ...fields,
  };
}

Deno.test("a trace is found again by id, command and time", async () => {
  using t = tempTraces();
  const first = await appendTrace(t, draft()) ?? "";
  await appendTrace(t, draft({ command: "get", args: { ids: ["H-1"] }, ranking: [] }));
  const last =
    await appendTrace(t, draft({ ok: false, error: { code: "USAGE", message: "no" } })) ?? "";
  assert.equal(getTrace(t, first).query, "token");
  assert.throws(() => getTrace(t, "T-none"), { code: "NOT_FOUND" });
  assert.deepEqual(readTraces(t, { command: "search" }).map(({ trace_id }) => trace_id), [
    first,
    last,
  ]);
  assert.deepEqual(readTraces(t, { tail: 1 }).map(({ ok }) => ok), [false]);
  assert.equal(readTraces(t, { since: "2026-01-01T00:00:00.001Z" }).length, 2);
});

Deno.test("a trace holds no secret and no endless query", async () => {
  using t = tempTraces();
  const key = "ghp_" + "a1B2".repeat(9);
  const id = await appendTrace(t, draft({ query: `${key} ${"x".repeat(5000)}` })) ?? "";
  const text = Deno.readTextFileSync(t.layout.traces);
  assert.ok(!text.includes(key));
  assert.equal(getTrace(t, id).query?.startsWith("[REDACTED:github-token]"), true);
  assert.ok(text.length < 3000);
});

Deno.test("a trace holds no secret of an entry that was stored with one", async () => {
  using t = tempTraces();
  const key = "AKIAQ3EGVT5RM2WNK7XZ";
  // A real id and plain words everywhere else, so that only the summary calls for redaction.
  const row = { id: "H-1m2ff20hgvzrprjcr", score_final: 0.5 };
  const summary = `deploy uses ${key} today`;
  const id = await appendTrace(t, draft({ ranking: [{ ...row, summary }] })) ?? "";
  assert.ok(!Deno.readTextFileSync(t.layout.traces).includes(key));
  assert.deepEqual(getTrace(t, id).ranking, [
    { ...row, summary: "deploy uses [REDACTED:aws-access-key-id] today" },
  ]);
});

Deno.test("traces stay within their bound, and the newest are kept", async () => {
  using t = tempTraces();
  const line = JSON.stringify({ trace_id: "T-old", ts: "2026", command: "x", ranking: [] }) + "\n";
  for (let round = 0; round < 7; round++) {
    const fill = line.repeat(Math.ceil(traceFileBytes / line.length));
    Deno.writeTextFileSync(t.layout.traces, fill, { append: true });
    await appendTrace(t, draft());
  }
  const sizes = ["", ".1", ".2", ".3", ".4", ".5"].map((end) =>
    diskFiles.findSize(t.layout.traces + end)
  );
  assert.equal(sizes[5], undefined);
  const total = sizes.reduce((sum: number, size) => sum + (size ?? 0), 0);
  assert.ok(total < 5 * traceFileBytes + 10_000, `${total} bytes`);
  assert.equal(readTraces(t, { command: "search" }).length, keptTraceFiles);
});

Deno.test("a trace is written although its file cannot be set aside", async () => {
  using t = tempTraces();
  Deno.writeTextFileSync(t.layout.traces, "\n".repeat(traceFileBytes));
  const files = {
    ...diskFiles,
    rename: () => {
      throw new Error("busy");
    },
  };
  const id = await appendTrace({ ...t, files }, draft()) ?? "";
  assert.equal(getTrace(t, id).query, "token");
  assert.ok((diskFiles.findSize(t.layout.traces) ?? 0) > traceFileBytes);
});

Deno.test("a view of one session keeps the traces within their bound too", async () => {
  using t = tempTraces();
  const files = scopeFiles({
    files: diskFiles,
    layout: t.layout,
    sessionId: "S-1",
    mendTails: () => {},
  });
  Deno.writeTextFileSync(t.layout.traces, "\n".repeat(traceFileBytes));
  const id = await appendTrace({ ...t, files }, draft()) ?? "";
  assert.equal(diskFiles.findSize(t.layout.traces), undefined);
  assert.ok((diskFiles.findSize(`${t.layout.traces}.1`) ?? 0) > traceFileBytes);
  assert.equal(getTrace(t, id).query, "token");
});

Deno.test("a torn or foreign line among the traces is passed over", async () => {
  using t = tempTraces();
  await appendTrace(t, draft());
  Deno.writeTextFileSync(t.layout.traces, 'null\n{"trace_id":"T-1"}\n{"tor', { append: true });
  Deno.writeTextFileSync(t.layout.traces, "\n", { append: true });
  await appendTrace(t, draft());
  assert.equal(readTraces(t).length, 2);
});

Deno.test("a trace that cannot be written is no failure", async () => {
  using t = tempTraces();
  Deno.mkdirSync(t.layout.traces);
  assert.equal(await appendTrace(t, draft()), undefined);
});

Deno.test("processes that append traces at once lose none", async () => {
  using t = tempTraces();
  const module = new URL("../../../src/store/logs/trace_log.ts", import.meta.url).href;
  const code = `
    import { appendTrace } from "${module}";
    import { diskFiles } from "${new URL("../../../src/disk/files.ts", import.meta.url).href}";
    import { layoutOf } from "${new URL("../../../src/disk/layout.ts", import.meta.url).href}";
    const layout = layoutOf(${JSON.stringify(t.layout.workspace)});
    const context = { files: diskFiles, layout, now: Date.now, random: () => crypto.randomUUID() };
    const ranking = Array.from({ length: 40 }, (_, i) => ({ id: "H-" + i, score_final: i }));
    for (let i = 0; i < 50; i++) {
      await appendTrace(context, { command: "search", args: {}, ranking, state_revision: 0, duration_ms: 0, ok: true, surface: "cli" });
    }`;
  const url = `data:application/typescript,${encodeURIComponent(code)}`;
  const runs = Array.from(
    { length: 3 },
    () =>
      new Deno.Command(Deno.execPath(), { args: ["run", "-A", url], stderr: "inherit" }).output(),
  );
  for (const { success } of await Promise.all(runs)) assert.ok(success);
  assert.equal(readTraces(t).length, 150);
});
