// The command table itself: every example of every command works on a copy of the example store,
// as text and under --json, and the JSON is what the command's output schema says.

import assert from "node:assert/strict";
import { aliases, commandNames, findCommand, loadCommands } from "../../src/commands/mod.ts";
import { accepts, inputSchemaOf, parseInput } from "../../src/command/parse_input.ts";
import { type FieldSchema, objectSchemaOf } from "../../src/command/shape.ts";
import { repository } from "../support/repository.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

for (const command of await loadCommands()) {
  for (const { argv, input, after, env, server, terminal } of command.examples) {
    if (server || terminal) continue;
    Deno.test(`the example ctx ${argv.join(" ")} works as text and as JSON`, async () => {
      await using t = await exampleStore(after);
      const asText = await t.ctx([...argv], { stdin: input ?? "", env });
      assert.equal(asText.code, 0, asText.stderr);
      // A list without rows gives a pipe nothing, and says so beside it.
      assert.notEqual(asText.stdout + (command.list ? asText.stderr : ""), "");
      await using again = await exampleStore(after);
      const asJson = await again.ctx([...argv, "--json"], { stdin: input ?? "", env });
      assert.equal(asJson.code, 0, asJson.stderr);
      assert.equal(asJson.stdout.split("\n").length, 2, "the result is one line");
      assert.ok(accepts(objectSchemaOf(command.output), JSON.parse(asJson.stdout)), asJson.stdout);
    });
  }
}

Deno.test("every command has an example, a summary that is a sentence, and strict input", async () => {
  for (const command of await loadCommands()) {
    assert.ok(command.examples.length > 0, command.name);
    assert.match(command.summary, /^[A-Z].*[.…]$/, command.name);
    const given = Object.fromEntries(
      Object.entries(command.input).map(([field, { schema }]) => [field, sampleOf(schema)]),
    );
    assert.deepEqual(parseInput(command, given), given, command.name);
    assert.throws(
      () => parseInput(command, { ...given, no_such_field: 1 }),
      /unknown option "no_such_field"/,
      command.name,
    );
  }
});

Deno.test("the loader's names and aliases are the commands' own", async () => {
  for (const name of commandNames) {
    const command = await findCommand(name);
    assert.equal(command?.name, name);
    for (const alias of command?.aliases ?? []) assert.equal(aliases[alias], name);
  }
  for (const [alias, name] of Object.entries(aliases)) {
    assert.ok((await findCommand(name))?.aliases?.includes(alias), alias);
  }
});

Deno.test("every flag of every command has a description", async () => {
  for (const command of await loadCommands()) {
    for (const [field, schema] of Object.entries(inputSchemaOf(command).properties)) {
      assert.ok(schema.description, `${command.name} ${field}`);
    }
  }
});

/** A value that a field takes. */
function sampleOf(schema: FieldSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.type === "array") return [sampleOf(schema.items ?? {})];
  if (schema.type === "string") return "word";
  return schema.type === "boolean" ? true : schema.minimum ?? 1;
}

/** A workspace with a copy of the example store, after some commands. */
async function exampleStore(after: string[][] = []): Promise<TempStore> {
  const t = await tempStore({ init: false });
  Deno.mkdirSync(t.root);
  for (const { name, isFile } of Deno.readDirSync(`${repository}/.contextfs-example`)) {
    if (isFile) Deno.copyFileSync(`${repository}/.contextfs-example/${name}`, t.path(name));
  }
  Deno.mkdirSync(`${t.workspace}/src/queue`, { recursive: true });
  Deno.writeTextFileSync(`${t.workspace}/src/queue/retry.ts`, "// waits\n".repeat(20));
  for (const words of after) assert.equal((await t.ctx(words)).code, 0, words.join(" "));
  return t;
}
