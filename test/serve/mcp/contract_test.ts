// One definition, every surface: each example of each command gives the same bytes on the command
// line and over HTTP, and over MCP what the command's brief form makes of them; a failure the same error,
// with a hint in the words of the surface.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { exampleWords } from "../../../src/cli/line/doors.ts";
import { parseArgv } from "../../../src/cli/line/argv.ts";
import type { AnyCommand, Context, Example } from "../../../src/command/command.ts";
import { encode, execute } from "../../../src/command/execute.ts";
import { findCommand, loadCommands } from "../../../src/commands/mod.ts";
import { toCtxError, toErrorBody } from "../../../src/core/errors.ts";
import { shortNotice } from "../../../src/core/rows/fence.ts";
import { toAgentView } from "../../../src/serve/mcp/agent_view.ts";
import { makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { isRecalled } from "../../../src/serve/mcp/recalled_text.ts";
import { toToolHint } from "../../../src/serve/mcp/tool_hint.ts";
import { accepts } from "../../../src/command/parse_input.ts";
import { makeWebHandler } from "../../../src/serve/web/web_handler.ts";
import { repository } from "../../support/repository.ts";

const nowMs = Date.parse("2026-11-15T12:00:00.000Z");
/** The same directory for every run, because some results hold its name. */
const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-contract-" }));
globalThis.addEventListener("unload", () => Deno.removeSync(root, { recursive: true }));
const commands = (await loadCommands()).filter((command) => !command.local);
const served = commands.filter((command) => command.tool !== undefined);

for (const command of commands) {
  for (const example of command.examples) {
    Deno.test(`contract: ctx ${example.argv.join(" ")} is the same everywhere`, async () => {
      const onCli = await runWith((context) => runCli(command, example, context));
      const onHttp = await runWith((context) => runHttp(command, example, context));
      assert.equal(onHttp, onCli);
      if (command.tool === undefined) return;
      const onMcp = await runWith((context) => runTool(command, example, context));
      assert.equal(onMcp, await toToolBytes(command, onCli));
    });
  }
}

Deno.test("contract: wrong input gives the same error everywhere", async () => {
  for (const command of commands) {
    const example = { argv: [], about: "" };
    const wrong = { no_such_field: 1 };
    const onHttp = await runWith((context) => runHttp(command, example, context, wrong));
    const { error } = JSON.parse(onHttp);
    assert.equal(error.code, "USAGE", command.name);
    if (command.tool === undefined) continue;
    const onMcp = await runWith((context) => runTool(command, example, context, wrong));
    assert.equal(onMcp, await toToolBytes(command, onHttp), command.name);
  }
});

/** What a tool tells of the bytes that the other surfaces give. */
async function toToolBytes(command: AnyCommand, bytes: string): Promise<string> {
  const result = JSON.parse(bytes);
  if (result.error !== undefined) {
    const { hint, ...error } = result.error;
    return encode({ error: { ...error, hint: toToolHint(hint, { command, served }) } });
  }
  const view = await toAgentView(command, result, served);
  return encode(isRecalled(view) ? { notice: shortNotice, ...view } : view);
}

/** Runs on a fresh copy of the example store with the clock and the dice fixed. */
async function runWith(run: (context: Context) => Promise<string>): Promise<string> {
  const workspace = `${root}/project`;
  try {
    Deno.mkdirSync(`${workspace}/.contextfs`, { recursive: true });
    for (const { name, isFile } of Deno.readDirSync(`${repository}/.contextfs-example`)) {
      if (!isFile) continue;
      const from = `${repository}/.contextfs-example/${name}`;
      Deno.copyFileSync(from, `${workspace}/.contextfs/${name}`);
    }
    let count = 0;
    const context = openContext({
      workspace,
      cwd: workspace,
      now: () => nowMs,
      random: () => `r${count++}`,
      env: (name) => name === "HOME" ? workspace : undefined,
    });
    // Servers are for agents, who may not do all that the user may (agent_words_test.ts).
    return await run({ ...context, agent: "test", ticks: () => 0 });
  } finally {
    Deno.removeSync(workspace, { recursive: true });
  }
}

async function runCli(command: AnyCommand, example: Example, context: Context): Promise<string> {
  const { input } = parseArgv(exampleWords(command, example), command);
  try {
    const bytes = new TextEncoder().encode(example.input ?? "");
    const data = await execute(command, input, {
      ...context,
      readInput: () => Promise.resolve(bytes),
    });
    return encode(data);
  } catch (thrown) {
    return encode({ error: toErrorBody(toCtxError(thrown)) });
  }
}

async function runTool(
  command: AnyCommand,
  example: Example,
  context: Context,
  input: object = inputOf(command, example),
): Promise<string> {
  const { tools } = makeCatalog({ commands, context, tools: "all" });
  const tool = tools.find(({ definition }) => definition.name === command.tool);
  const answer = await tool?.call(input, { signal: new AbortController().signal });
  const wire = JSON.parse(JSON.stringify(answer?.structuredContent));
  assert.equal(answer?.isError === true, wire.error !== undefined);
  const schema = tool?.definition.outputSchema;
  const { additionalProperties: _open, ...told } = { additionalProperties: true, ...schema };
  assert.ok(wire.error !== undefined || accepts(told, wire), `${command.name}: ${schema}`);
  return encode(wire);
}

async function runHttp(
  command: AnyCommand,
  example: Example,
  context: Context,
  input: object = inputOf(command, example),
): Promise<string> {
  const handler = makeWebHandler({
    context,
    findCommand,
    loadCommands,
    mcp: () => Promise.resolve(new Response()),
  });
  const url = `http://127.0.0.1/api/${command.name.replaceAll(" ", "/")}`;
  const body = JSON.stringify(input);
  const response = await handler(new Request(url, { method: "POST", body }));
  const text = await response.text();
  assert.ok(text.endsWith("\n"));
  return text.slice(0, -1);
}

/** What the words of an example mean; standard input becomes the text it stands for, --yes consent. */
function inputOf(command: AnyCommand, example: Example): Record<string, unknown> {
  const { input, flags } = parseArgv(exampleWords(command, example), command);
  return {
    ...input,
    ...(example.input !== undefined && input.text === "-" ? { text: example.input } : {}),
    ...(flags.yes ? { confirm: true } : {}),
  };
}
