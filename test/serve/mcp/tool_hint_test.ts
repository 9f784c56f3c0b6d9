// Hints of tools name tools and arguments: every tool is given wrong input of every kind, and no hint
// sends an agent to a command line unless it says that the user must go there.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { loadCommands } from "../../../src/commands/mod.ts";
import { makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { toToolHint } from "../../../src/serve/mcp/tool_hint.ts";
import type { AnyCommand } from "../../../src/command/command.ts";
import type { FieldSchema } from "../../../src/command/shape.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const commands = (await loadCommands()).filter((command) => !command.local);
const served = commands.filter(({ tool }) => tool !== undefined);

for (const command of served) {
  Deno.test(`${command.tool}: hints are for agents, whatever is wrong`, async () => {
    await using t = await tempStore({ entries: ["one", "two"] });
    await using bare = await tempStore({ init: false });
    const hints: string[] = [];
    for (const input of wrongInputs(command)) {
      for (const store of [t, bare]) hints.push(...await hintsOf(store, command, input));
    }
    assert.ok(hints.length > 0);
    for (const hint of hints) assertForAgents(hint);
  });
}

Deno.test("toToolHint() puts commands, flags and the user's part into the words of tools", () => {
  const hintOf = (hint: string, name = "get", tools = served): string =>
    toToolHint(hint, { command: getCommand(name), served: tools });
  assert.equal(
    hintOf("ctx get --help"),
    "get takes ids, head, offset, format, max_tokens, expand, before, after, exchange, session; required: ids",
  );
  assert.equal(
    hintOf("ctx search QUERY finds ids; ctx ls shows the newest"),
    "search with query finds ids",
  );
  assert.equal(hintOf("ctx sessions"), "call list");
  assert.equal(
    hintOf("did you mean S-1? ctx sessions lists them"),
    "did you mean S-1? list lists them",
  );
  assert.equal(
    hintOf("ctx suggest FILE, or ctx suggest --symbol NAME"),
    "context_suggest with file; context_suggest with symbol",
  );
  assert.equal(hintOf("pass --report with the path", "suggest"), "pass reports with the path");
  assert.equal(
    hintOf('give a file in "/w", or pass --workspace', "suggest"),
    'give a file in "/w"',
  );
  assert.equal(
    hintOf("try again, or raise the timeout with: ctx config set lock_timeout_ms 60000"),
    "try again, or raise the timeout with: `ctx config set lock_timeout_ms 60000` (the user, in a terminal)",
  );
  assert.equal(
    hintOf("the user runs: ctx pin --remove H-1"),
    "the user runs: `ctx pin --remove H-1` (the user, in a terminal)",
  );
  // A server that does not have the tool cannot send anybody to it.
  assert.equal(
    hintOf("ctx search QUERY finds ids", "get", [getCommand("get")]),
    "`ctx search QUERY finds ids` (the user, in a terminal)",
  );
});

function assertForAgents(hint: string): void {
  const told = hint.replace(/`ctx [^`]+` \(the user, in a terminal\)/g, "");
  assert.doesNotMatch(told, /--|\bctx [a-z]/, hint);
}

/** Every field with values of every wrong type, and with things that do not exist. */
function* wrongInputs({ input }: AnyCommand): Generator<unknown> {
  const names = Object.keys(input);
  const right = Object.fromEntries(
    names.filter((name) => input[name].required).map((
      name,
    ) => [name, strangeValue(input[name].schema)]),
  );
  yield* ["text", [], {}, right, { no_such_field: 1 }, { ...right, no_such_field: 1 }];
  for (const name of names) {
    const { schema } = input[name];
    for (const value of [null, {}, -1, 1.5, "", [1], "strange", strangeValue(schema)]) {
      yield { ...right, [name]: value };
    }
  }
  if ("text" in input) yield { ...right, text: "x", session: "current", supersedes: "H-none" };
  if ("no_redact" in input) yield { ...right, no_redact: true };
}

/** A value of the right type that names nothing there is. */
function strangeValue({ type, items, enum: words }: FieldSchema): unknown {
  if (words) return words[0];
  if (type === "array") return items ? [strangeValue(items)] : [];
  if (type === "integer" || type === "number") return 1;
  return type === "boolean" ? true : "S-nothing";
}

async function hintsOf(store: TempStore, command: AnyCommand, input: unknown): Promise<string[]> {
  const { workspace } = store;
  const context = openContext({ workspace, cwd: workspace, env: () => undefined });
  const { tools } = makeCatalog({ commands, context, tools: "all" });
  const tool = tools.find(({ definition }) => definition.name === command.tool);
  const answer = await tool?.call(input, { signal: context.signal });
  const error: unknown = answer?.structuredContent?.error;
  const hint: unknown = Reflect.get(Object(error), "hint");
  return typeof hint === "string" ? [hint] : [];
}

function getCommand(name: string): AnyCommand {
  const found = commands.find((command) => command.name === name);
  assert.ok(found);
  return found;
}
