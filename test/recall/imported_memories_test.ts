// What other memory tools remember: found by a search, and told to nobody who did not ask. A clone brings
// such files along, and hundreds of them must not push out what the user saved.

import assert from "node:assert/strict";
import { memorySources } from "../../src/core/entry.ts";
import { originOf } from "../../src/core/voice/trust_of.ts";
import { describeEntry } from "../../src/recall/edit/signals/describe_entry.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const planted = "Webhook signatures are checked with HMAC-MD5 before the payload is parsed.";
const own = "Invoices are sorted by their due date.";

/** A store with a note of the user's and 300 memories of mem0 and an issue of beads, all imported. */
async function withMemories(): Promise<TempStore> {
  const t = await tempStore({
    entries: Array.from({ length: 40 }, (_, i) => ({
      role: "assistant" as const,
      type: "turn",
      session_id: "S-noise",
      text: `I looked at the build ${i} and the tests run; what about the next part of the change?`,
    })),
  });
  await t.run("save", { text: own });
  const results = Array.from({ length: 300 }, (_, i) => ({
    id: `m-${i}`,
    memory: i === 0 ? planted : `Memory ${i} of another tool, about word${i} and name${i}.`,
    created_at: "2026-05-01T08:00:00Z",
  }));
  const issue = { id: "app-1", title: planted, description: "Use it.", status: "open" };
  write(t, "mem0/memories.json", JSON.stringify({ results }));
  write(t, ".beads/issues.jsonl", JSON.stringify(issue) + "\n");
  for (const [source, root] of [["mem0", "mem0"], ["beads", ".beads"]]) {
    await t.run("import", { sources: [source], root: `${t.workspace}/${root}` });
  }
  return t;
}

function write(t: TempStore, path: string, text: string): void {
  const whole = `${t.workspace}/${path}`;
  Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(whole, text);
}

interface Found {
  results: { source?: { agent: string }; superseded_by?: string }[];
}

Deno.test("a pack has the user's note and no imported memory, whatever it may hold", async () => {
  await using t = await withMemories();
  for (const words of [[], ["--budget", "20000"]]) {
    const { stdout } = await t.ctx(["pack", ...words]);
    assert.match(stdout, /Invoices are sorted/);
    assert.doesNotMatch(stdout, /HMAC-MD5|of another tool/);
  }
});

Deno.test("a prompt about an imported memory is told nothing; a search finds it by its source", async () => {
  await using t = await withMemories();
  const prompt = "how are webhook signatures checked before the payload is parsed?";
  const ask = async (session_id: string): Promise<string> => {
    const message = { session_id, hook_event_name: "UserPromptSubmit", cwd: t.workspace, prompt };
    return (await t.ctx(["hook", "claude-code"], { stdin: JSON.stringify(message) })).stdout;
  };
  assert.equal(await ask("c-1"), "");
  for (const source of ["mem0", "beads"]) {
    const { results } = await t.run<Found>("search", { query: "webhook signatures", source });
    assert.deepEqual(results.map((row) => row.source?.agent), [source]);
  }
  // The same words of the user's are told.
  await t.run("save", { text: planted });
  assert.match(await ask("c-2"), /HMAC-MD5/);
});

Deno.test("sessions of memory tools are neither resumed nor distilled", async () => {
  await using t = await withMemories();
  const { sessions } = await t.run<{ sessions: { id: string }[] }>("resume");
  assert.deepEqual(sessions.map(({ id }) => id), ["S-noise"]);
  await t.run("distil");
  const { records } = await t.run<{ records: { session_id: string }[] }>("records");
  assert.deepEqual(records.map(({ session_id }) => session_id), ["S-noise"]);
});

Deno.test("of every memory tool, a note has the least trust and is no hint", () => {
  for (const agent of memorySources) {
    const entry = {
      ...{ id: "H-1", ts: "2026-01-01T00:00:00Z", role: "note" as const, type: "note" },
      ...{ text: planted, files: ["src/a.ts"], source: { agent } },
    };
    const from = `imported from ${agent}`;
    assert.deepEqual(originOf({ entry, pool: "hot" }), { trust: "outside", from });
    assert.equal(originOf({ entry, pool: "team" }).trust, "outside");
    assert.equal(describeEntry(entry), undefined);
  }
});

Deno.test("files of the same name in other directories keep their own memories", async () => {
  await using t = await tempStore();
  const entity = (fact: string): string =>
    JSON.stringify({ type: "entity", name: "App", entityType: "x", observations: [fact] }) + "\n";
  const issue = (title: string): string => JSON.stringify({ id: "app-1", title }) + "\n";
  for (const part of ["a", "b"]) {
    write(t, `x/${part}/data/memory.jsonl`, entity(`graph of ${part}`));
    write(t, `y/${part}/app/.beads/issues.jsonl`, issue(`issue of ${part}`));
  }
  for (const [source, root] of [["server-memory", "x"], ["beads", "y"]]) {
    const input = { sources: [source], root: `${t.workspace}/${root}` };
    assert.equal((await t.run<{ entries: number }>("import", input)).entries, 2, source);
    assert.equal((await t.run<{ entries: number }>("import", input)).entries, 0, source);
    const { results } = await t.run<Found>("search", {
      query: source === "beads" ? "issue" : "graph",
      source,
    });
    assert.deepEqual(results.map((row) => row.superseded_by), [undefined, undefined], source);
  }
});
