// The trial in hooks: one in k sessions gets nothing, by a coin that is tossed once; what the looks at
// the sessions come to, and what that changes.

import assert from "node:assert/strict";
import { lookAtTrial } from "../../../src/recall/trial/run_trial.ts";
import { tempProject } from "../../support/suggest_project.ts";
import { rowOf, type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const entries = [{ id: "H-pin", text: "We rotate `refresh_token` on every use", type: "decision" }];
const service = "src/auth/token_service.ts";
const later = "2099-01-01T00:00:";

interface TrialRow {
  event: string;
  conversation?: string;
  withheld?: boolean;
  sessions?: number;
  verdict?: string;
}

async function hook(t: TempStore, message: object, every = "2"): Promise<string> {
  const { code, stdout, stderr } = await t.ctx(["hook", "claude-code"], {
    stdin: JSON.stringify({ cwd: t.workspace, hook_event_name: "SessionStart", ...message }),
    env: { CTX_INJECT_TRIAL: every },
  });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

function rows(t: TempStore): TrialRow[] {
  if (!t.exists("injections.ndjson")) return [];
  return t.read("injections.ndjson").trim().split("\n").map((line) => JSON.parse(line));
}

/** Sessions with a coin, whose agent did so much before its first edit. */
function played(t: TempStore, count: number, actions: (withheld: boolean) => number): void {
  for (let i = 0; i < count; i++) {
    const conversation = `c-${i}`;
    const withheld = i % 2 === 0;
    const coin = { ts: "2026-01-01T00:00:00.000Z", agent: "claude-code", conversation };
    t.append("injections.ndjson", JSON.stringify({ ...coin, event: "coin", withheld }) + "\n");
    const reads = Array.from({ length: actions(withheld) + i % 3 }, () => "read");
    for (const [at, effect] of [...reads, "edit"].entries()) {
      t.append(
        "history.ndjson",
        JSON.stringify(rowOf({
          id: `H-${i}-${at}`,
          ts: `${later}${String(at).padStart(2, "0")}.000Z`,
          role: "tool",
          type: "tool_call",
          text: "src/a.ts",
          files: ["src/a.ts"],
          tool: { name: effect, effect },
          source: { agent: "claude-code", conversation },
          session_id: `S-${i}`,
        })) + "\n",
      );
    }
  }
}

Deno.test("about half of the sessions get nothing, each for good; a resumed one keeps its coin", async () => {
  await using t = await tempStore({ entries });
  for (let i = 0; i < 12; i++) await hook(t, { session_id: `c-${i}`, source: "startup" });
  const coins = rows(t).filter(({ event }) => event === "coin");
  assert.equal(coins.length, 12);
  const sent = new Set(
    rows(t).filter(({ event }) => event === "SessionStart")
      .map(({ conversation }) => conversation),
  );
  for (const { conversation, withheld } of coins) assert.equal(sent.has(conversation), !withheld);
  // 1 of 2,048 runs has no session of one kind.
  const bare = coins.find(({ withheld }) => withheld)?.conversation;
  const kept = coins.find(({ withheld }) => !withheld)?.conversation;
  assert.ok(bare !== undefined && kept !== undefined);
  for (let i = 0; i < 4; i++) {
    assert.equal(await hook(t, { session_id: bare, source: "clear" }), "");
    assert.match(await hook(t, { session_id: kept, source: "clear" }), /refresh_token/);
  }
  assert.equal(rows(t).filter(({ event }) => event === "coin").length, 12);
});

Deno.test("a session that was sent something before the trial is no part of it", async () => {
  await using t = await tempStore({ entries });
  await hook(t, { session_id: "c-1", source: "startup" }, "0");
  for (let i = 0; i < 8; i++) {
    assert.match(await hook(t, { session_id: "c-1", source: "clear" }), /refresh_token/);
  }
  assert.deepEqual(rows(t).filter(({ event }) => event === "coin"), []);
});

Deno.test("a prompt and an edit of a session without context get nothing either", async () => {
  const noise = Array.from({ length: 40 }, (_, i) => ({
    id: `H-n${i}`,
    role: "assistant" as const,
    session_id: "S-noise",
    text: `I looked at the build ${i} and the tests run; what about the next part of the change?`,
  }));
  const text = "Webhook signatures are checked with HMAC-SHA256 before the payload is parsed.";
  const saved = { id: "H-file", type: "decision", text: "Sign after parsing", files: [service] };
  await using t = await tempProject({ entries: [...noise, { type: "decision", text }, saved] });
  await t.run("suggest", { file: service });
  const coin = { ts: "2026-01-01T00:00:00.000Z", agent: "claude-code", event: "coin" };
  for (const withheld of [true, false]) {
    const session_id = `c-${withheld}`;
    const row = { ...coin, conversation: session_id, withheld };
    t.append("injections.ndjson", JSON.stringify(row) + "\n");
    const said = await hook(t, {
      hook_event_name: "UserPromptSubmit",
      prompt: "how are webhook signatures checked before the payload is parsed?",
      session_id,
    });
    assert.equal(said.includes("HMAC"), !withheld);
    const { stdout } = await t.ctx(["hook", "pre-edit"], {
      stdin: JSON.stringify({
        session_id,
        cwd: t.workspace,
        hook_event_name: "PreToolUse",
        tool_name: "Read",
        transcript_path: "/home/me/.claude/projects/x/y.jsonl",
        tool_input: { file_path: service },
      }),
      env: { CTX_INJECT_TRIAL: "2" },
    });
    assert.equal(stdout.includes("Sign after parsing"), !withheld, stdout);
  }
});

Deno.test("sessions that cost less with context end the trial at its first look: all get context", async () => {
  await using t = await tempStore({ entries });
  played(t, 31, (withheld) => withheld ? 9 : 2);
  const store = await t.open();
  await lookAtTrial(store, Date.now());
  assert.deepEqual(rows(t).filter(({ event }) => event === "look"), []);
  const trial = ["context", "worth", "--trial"];
  const running = await t.ctx(trial, { env: { CTX_INJECT_TRIAL: "2" } });
  assert.match(
    running.stdout,
    /^No result yet, with 31 sessions so far\. .* at 32 sessions; .* at 256 at the latest\.\n/,
  );
  played(t, 32, (withheld) => withheld ? 9 : 2);
  await lookAtTrial(store, Date.now());
  await lookAtTrial(store, Date.now());
  const [look, more] = rows(t).filter(({ event }) => event === "look");
  assert.deepEqual([look.sessions, look.verdict, more], [32, "helps", undefined]);
  const { stdout } = await t.ctx(trial, { env: { CTX_INJECT_TRIAL: "2" } });
  assert.match(stdout, /^Context helps: .*\n\n16 sessions with context, 16 without \(one in 2\)\n/);
  assert.match(stdout, /actions before the first edit +3 +10\n/);
  assert.match(await hook(t, { session_id: "c-new", source: "startup" }), /refresh_token/);
});

Deno.test("where context hurts, it is switched off until the trial is", async () => {
  await using t = await tempStore({ entries });
  played(t, 32, (withheld) => withheld ? 2 : 9);
  await lookAtTrial(await t.open(), Date.now());
  assert.equal(rows(t).at(-1)?.verdict, "hurts");
  assert.equal(await hook(t, { session_id: "c-new", source: "startup" }), "");
  const env = { CTX_INJECT_TRIAL: "2" };
  assert.match((await t.ctx(["status"], { env })).stdout, /agents get no context: the trial found/);
  assert.match((await t.ctx(["worth", "--trial"], { env })).stdout, /^Context hurts: /);
  assert.match(await hook(t, { session_id: "c-new", source: "startup" }, "0"), /refresh_token/);
});

Deno.test("forgetting an entry takes nothing from the trial", async () => {
  await using t = await tempStore({ entries });
  const coin = { ts: "2026-01-01T00:00:00.000Z", agent: "a", conversation: "c", event: "coin" };
  t.append("injections.ndjson", JSON.stringify({ ...coin, withheld: true }) + "\n");
  await t.run("forget", { ids: ["H-pin"], now: true });
  assert.deepEqual(rows(t).map(({ event }) => event), ["coin"]);
});

Deno.test("without a trial, worth --trial says how to start one", async () => {
  await using t = await tempStore({ entries });
  assert.match(
    (await t.ctx(["context", "worth", "--trial"])).stdout,
    /^No trial is running\. To start one: ctx config set --user inject\.trial 4\n.*\nIf .* \d\d of 100 pairs, a trial of\n256 sessions finds that 8 times in 10\. /,
  );
});
