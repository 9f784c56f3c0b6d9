// An agent that resumes a session has it in its context: at its start it is told nothing that was learned
// from it, whether the session is its own or one that ctx handed over.

import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { cwd, type NativeAgent, nativeAgents, writeNative } from "./native_sessions.ts";

const learned = /Make the retry count configurable/;

async function start(
  t: TempStore,
  { agent, conversation, source }: Record<"agent" | "conversation" | "source", string>,
): Promise<string> {
  const message = {
    session_id: conversation,
    hook_event_name: "SessionStart",
    source,
    cwd: t.workspace,
  };
  const { code, stdout, stderr } = await t.ctx(["hook", agent], {
    stdin: JSON.stringify(message),
    cwd: t.workspace,
  });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

/** A session of an agent, imported, with what was learned from it. */
async function importNative(t: TempStore, from: NativeAgent): Promise<void> {
  const root = writeNative(from, `${t.workspace}/native`);
  for (const path of filesBelow(root)) {
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replaceAll(cwd, t.workspace));
  }
  await t.run("import", { sources: [from], root, all_projects: true });
  await t.run("distil", {});
}

function filesBelow(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isFile }) =>
    isFile ? `${directory}/${name}` : filesBelow(`${directory}/${name}`)
  );
}

for (const to of nativeAgents) {
  Deno.test(`${to} resumes a session that was handed to it, and is not told of it`, async () => {
    await using t = await tempStore();
    await importNative(t, to === "codex" ? "claude-code" : "codex");
    const home = `${t.workspace}/handed`;
    const env = (name: string) => name === "HOME" ? home : undefined;
    const { agent_session_id: conversation } = await t.run<{ agent_session_id: string }>(
      "handoff",
      { to },
      { env },
    );
    const at = { agent: to, conversation, source: "resume" };
    assert.match(await start(t, { ...at, conversation: "another" }), learned);
    assert.equal(await start(t, at), "");
    await t.run("save", { text: "Retries wait a second.", type: "decision" });
    const more = await start(t, at);
    assert.match(more, /Retries wait a second/, "what is new since");
    assert.doesNotMatch(more, learned);
  });
}

Deno.test("an agent that resumes its own session is not told of it", async () => {
  await using t = await tempStore();
  await importNative(t, "claude-code");
  const conversation = "0b7c7f0e-5a55-4a07-9d3f-1f4d5ab1c0de";
  const at = { agent: "claude-code", conversation };
  assert.match(await start(t, { ...at, conversation: "another", source: "startup" }), learned);
  assert.equal(await start(t, { ...at, source: "resume" }), "");
});
