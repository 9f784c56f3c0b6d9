// The formats of docs/FORMAT.md as schemas: what ctx writes has them, what an older version wrote has
// them, and what is something else has not.

import assert from "node:assert/strict";
import { openAgent, type RowSchemas, rowSchemas } from "../../mod.ts";
import { PlayedWorkspace } from "../../bench/recall/played_workspace.ts";
import { playedSessions } from "../../bench/recall/loop_script.ts";
import { isObject } from "../../src/core/json.ts";
import { writeRemote } from "../../src/store/team/remote_file.ts";
import { type FormatRow, formatRows } from "../support/stores/format_rows.ts";
import { repository } from "../support/repository.ts";
import { ctxCommand, homeOf, isolatedEnv } from "../support/processes/run_ctx.ts";
import { ScriptedLlm } from "../support/servers/scripted_llm.ts";
import { git, projectFiles, tempProject, writeSources } from "../support/suggest_project.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const schemas = await rowSchemas();

/** What is wrong with rows, each with its place. */
function faultsOf(rows: readonly FormatRow[]): string[] {
  return rows.flatMap(({ schema, place, row }) => {
    const { error } = schemas[schema].safeParse(row);
    return error === undefined ? [] : [`${place}: ${schema}: ${JSON.stringify(error.issues)}`];
  });
}

function countsOf(rows: readonly FormatRow[]): Partial<Record<keyof RowSchemas, number>> {
  const found = Map.groupBy(rows, ({ schema }) => schema);
  return Object.fromEntries([...found].map(([schema, { length }]) => [schema, length]));
}

Deno.test("every row of the example store has its form, those of older versions too", () => {
  const rows = formatRows(`${repository}/.contextfs-example`);
  assert.deepEqual(faultsOf(rows), []);
  assert.deepEqual(countsOf(rows), {
    historyRow: 12,
    originalRow: 1,
    sessionEvent: 5,
    pin: 2,
    trace: 4,
    suggestionEvent: 3,
    subscriptionEvent: 1,
    state: 1,
  });
  const traces = rows.filter(({ schema }) => schema === "trace").map(({ row }) =>
    isObject(row) && [row.v, row.command]
  );
  assert.deepEqual(traces, [[1, "search"], [2, "search"], [2, "get"], [2, "timeline"]]);
});

Deno.test("what ctx writes has the forms; without what must be there it has not", async () => {
  await using t = await tempProject();
  const rows = [
    ...await playSessions(),
    ...await workAlone(t),
    ...await workInTeam(),
  ];
  assert.deepEqual(faultsOf(rows), []);
  // Otherwise that nothing is wrong proves nothing. The first two are older or short-lived.
  const unseen = Object.keys(schemas).filter((name) => !(name in countsOf(rows)));
  assert.deepEqual(unseen, ["originalRow", "move"]);
  for (const { schema, place, row } of rows) {
    assert.ok(isObject(row));
    assert.equal(schemas[schema].safeParse({ ...row, x_future: [1] }).success, true, place);
    for (const name of neededOf(schema)) {
      const { [name]: value, ...rest } = row;
      assert.equal(schemas[schema].safeParse(rest).success, false, `${place} without ${name}`);
      const other: unknown = isObject(value) || Array.isArray(value) ? "text" : [value];
      const changed: unknown = { ...row, [name]: other };
      assert.equal(schemas[schema].safeParse(changed).success, false, `${place}, ${name} changed`);
    }
  }
});

/** The fields that are there in every form of a row. */
function neededOf(name: keyof RowSchemas): string[] {
  const { def } = schemas[name];
  const shapes = "options" in def ? def.options.map((one) => one.def.shape) : [def.shape];
  return Object.keys(shapes[0]).filter((field) =>
    shapes.every((shape) => {
      const found: unknown = Object.entries(shape).find(([key]) => key === field)?.[1];
      return isObject(found) && isObject(found.def) && found.def.type !== "optional";
    })
  );
}

/** Two sessions of an agent: captures, injections, what is held, records, and what is said of them. */
async function playSessions(): Promise<FormatRow[]> {
  await using t = await tempStore();
  const { workspace } = t;
  const home = homeOf(workspace);
  const options = { program: ctxCommand(), workspace, home, env: isolatedEnv(workspace) };
  const played = new PlayedWorkspace(options);
  const now = Date.now();
  for (const [i, session] of playedSessions.slice(0, 2).entries()) {
    await played.play(session, now - (2 - i) * 86_400_000);
  }
  const prompt = { hook_event_name: "UserPromptSubmit", session_id: "held", cwd: workspace };
  await played.run(["hook", "claude-code"], JSON.stringify({ ...prompt, prompt: "What is next?" }));
  const edit = {
    tool_name: "Write",
    tool_input: { file_path: `${workspace}/new.ts`, content: "1" },
  };
  await played.run(
    ["hook", "pre-edit"],
    JSON.stringify({ ...prompt, hook_event_name: "PreToolUse", ...edit }),
  );
  const { records } = await t.run<{ records: { id: string }[] }>("records");
  const [first, second, third] = records.map(({ id }) => [id]);
  await t.run("review reject", { ids: first });
  await t.run("review later", { ids: second });
  await t.run("review accept", { ids: third });
  return formatRows(t.root);
}

/** What a person does: saves, pins, corrections, documents, suggestions, a chat, a damaged line. */
async function workAlone(t: TempStore): Promise<FormatRow[]> {
  const { workspace } = t;
  await git(workspace, ["init", "-q"]);
  writeSources(t, { ...projectFiles, "guide/tokens.md": "# Tokens\n\nThey rotate.\n" });
  await t.run("session start", { title: "Tokens" });
  const save = async (text: string, more: object = {}): Promise<string> => {
    const { id } = await t.run<{ id: string }>("save", { text, ...more });
    return id;
  };
  const files = ["src/auth/token_service.ts"];
  const decided = await save("We rotate tokens on every use.", { type: "decision", files });
  const dropped = await save("A note that goes.");
  await t.run("save", { text: "We rotate tokens hourly.", supersedes: decided });
  const kept = await save("rotateToken stays in src/auth/token_service.ts", { type: "decision" });
  await t.run("confirm", { id: kept });
  await t.run("pin", { target: "Ask before changing the public API." });
  await t.run("pin", { target: kept });
  await t.run("unpin", { target: kept });
  await t.run("forget", { ids: [dropped] }, { confirm: () => Promise.resolve(true) });
  await t.run("undo");
  await t.run("forget", { ids: [dropped] }, { confirm: () => Promise.resolve(true) });
  await t.run("guard add", { rule: "never force push" });
  await t.run("guard pass", { id: "force-push" }, { confirm: () => true });
  await t.run("session title", { session: "current", title: "Rotation" });
  await t.run("config set", { key: "embedder.kind", value: "none" });
  await t.run("docs add", { name: "guide", paths: ["guide"] });
  await t.run("search", { query: "rotate tokens" });
  await t.fail("get", { ids: ["H-nope"] });
  await t.run("subscribe", { patterns: ["file:src/**", "topic@2:tokens"] });
  await t.ctx(["watch", "--once"]);
  const { id } = await t.run<{ id: string }>("suggest", { file: files[0] });
  await t.run("feedback", { suggestion: id, verdict: "used", item: 1 });
  await using llm = new ScriptedLlm([{ text: "They rotate." }]);
  const env = new Map([["CTX_LLM_MODEL", "scripted"], ["CTX_LLM_PROVIDER", llm.url], [
    "XDG_DATA_HOME",
    `${workspace}/data`,
  ]]);
  const agent = await openAgent(workspace, { env: (name) => env.get(name), use_case: "a review" });
  await agent.chat("What do tokens do?");
  t.append("history.ndjson", "no row at all\n");
  await t.run("doctor", { fix: true });
  await t.run("session end");
  // What models cost is in the user's own store.
  return [...formatRows(t.root), ...formatRows(`${workspace}/data/ctx/global/.contextfs`)];
}

/** What belongs to a space; its rows are made by the code that writes them. */
async function workInTeam(): Promise<FormatRow[]> {
  await using t = await tempStore({ entries: ["one"] });
  const store = t.open();
  writeRemote(store, {
    version: 1,
    space: "web",
    writer: crypto.randomUUID(),
    name: "ada",
    owner: true,
    encrypted: false,
    confirmed: "decisions",
  });
  const ts = new Date().toISOString();
  await store.write("share", (writer) =>
    writer.appendRows(store.layout.shares, [
      { ts, action: "share", id: "H-H1" },
      { ts, action: "unshare", session_id: "S-1" },
    ]));
  return formatRows(t.root);
}
