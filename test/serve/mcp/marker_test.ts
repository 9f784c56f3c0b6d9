// Whatever a tool tells of the store's texts stands behind the marker: a new tool that tells them in a
// field of its own name would hand them to the agent as if ctx had said them.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { exampleWords } from "../../../src/cli/line/doors.ts";
import { parseArgv } from "../../../src/cli/line/argv.ts";
import { loadCommands } from "../../../src/commands/mod.ts";
import { shortNotice } from "../../../src/core/rows/fence.ts";
import { makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { repository } from "../../support/repository.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const canary = "Canarywords";
const notice = new RegExp(`^${shortNotice}`, "m");
const commands = (await loadCommands()).filter((command) => !command.local);

for (const command of commands.filter(({ tool }) => tool !== undefined)) {
  for (const example of command.examples) {
    Deno.test(`${command.tool}: ctx ${example.argv.join(" ")} tells stored text marked`, async () => {
      await using t = await tempStore({ files: storeOfCanaries() });
      const context = openContext({ workspace: t.workspace, env: () => undefined });
      const { tools } = makeCatalog({ commands, context, tools: "all" });
      const tool = tools.find(({ definition }) => definition.name === command.tool);
      const { input } = parseArgv(exampleWords(command, example), command);
      const answer = await tool?.call(input, { signal: new AbortController().signal });
      const [content] = answer?.content ?? [];
      assert.equal(content?.type, "text");
      const [told] = content.text.split(notice);
      assert.ok(!told.includes(canary), told);
      // The other form says it too, before anything else.
      const data = JSON.stringify(answer?.structuredContent);
      if (data.includes(canary)) assert.ok(data.startsWith(`{"notice":"${shortNotice}"`), data);
      // What is left out everywhere proves nothing: rows do tell it.
      if (command.name === "get") assert.ok(content.text.includes(canary));
    });
  }
}

Deno.test("search: the values that facets count are told marked", async () => {
  await using t = await tempStore();
  await t.run("save", { text: "beacon", tags: [canary.toLowerCase()] });
  const { told, recalled } = await ask(t.workspace, { query: "beacon", facets: "tag" });
  assert.ok(!told.includes(canary.toLowerCase()), told);
  assert.match(recalled, new RegExp(`facets: .*${canary.toLowerCase()}`));
});

Deno.test("search: stored words in place of misspelled ones, and near them, are told marked", async () => {
  await using t = await tempStore();
  await t.run("save", { text: "the quillomintar beacon", session: "S-1" });
  const corrected = await ask(t.workspace, { query: "quillomintra beacon" });
  assert.ok(!corrected.told.includes("quillomintar"), corrected.told);
  assert.match(corrected.recalled, /corrected: .*quillomintar/);
  // What filters leave out is no correction.
  const near = await ask(t.workspace, { query: "quillomintra", session: "S-2" });
  assert.ok(!near.told.includes("quillomintar"), near.told);
  assert.ok(!near.recalled.includes("corrected"), near.recalled);
});

Deno.test("tools of documents: names, headings and texts of documents are told marked", async () => {
  await using t = await tempStore();
  Deno.mkdirSync(`${t.workspace}/pages`);
  const text = `# ${canary} title\n\n${canary} text.\n\n## ${canary} heading\n\nMore.\n`;
  Deno.writeTextFileSync(`${t.workspace}/pages/${canary}.md`, text);
  await t.run("docs add", { name: "pages", paths: ["pages"] });
  const document = `pages/${canary}.md`;
  const calls = {
    docs_list: { collection: "pages" },
    docs_outline: { document },
    docs_section: { document, heading: `${canary} heading` },
    docs_get: { document },
  };
  for (const [name, input] of Object.entries(calls)) {
    const { told, recalled } = await ask(t.workspace, input, name);
    assert.ok(!told.includes(canary), `${name}: ${told}`);
    assert.ok(recalled.includes(canary), `${name}: ${recalled}`);
  }
});

Deno.test("tools by the names of other documents tell stored text marked", async () => {
  const facts = { agent: "claude-code", conversation: "c", cwd: `/home/${canary}` };
  const entries = [{
    session_id: "S-1",
    role: "user" as const,
    type: "turn",
    text: `${canary} decided: beacon.ts`,
    source: facts,
    project: `/home/${canary}`,
  }];
  await using t = await tempStore({ entries });
  const calls = {
    dex_stats: {},
    dex_list: {},
    dex_search: { query: "beacon" },
    dex_get: { ids: ["S-1"] },
  };
  for (const [name, input] of Object.entries(calls)) {
    const { told, recalled } = await ask(t.workspace, input, name);
    assert.ok(!told.includes(canary), `${name}: ${told}`);
    assert.ok(recalled.includes(canary), `${name}: ${recalled}`);
  }
});

/** What a search says outside the marker and inside it. */
async function ask(
  workspace: string,
  input: object,
  name = "search",
): Promise<{ told: string; recalled: string }> {
  const context = openContext({ workspace, env: () => undefined });
  const { tools, findTool } = makeCatalog({ commands, context, tools: "all" });
  const tool = tools.find(({ definition }) => definition.name === name) ?? await findTool?.(name);
  const answer = await tool?.call(input, { signal: new AbortController().signal });
  const [content] = answer?.content ?? [];
  assert.equal(content?.type, "text");
  const [told, recalled = ""] = content.text.split(notice);
  return { told, recalled };
}

/** The example store, where every text, title and summary begins with the canary. */
function storeOfCanaries(): Record<string, string> {
  return Object.fromEntries(
    ["history.ndjson", "history.archive.ndjson", "sessions.ndjson", "pins.ndjson"].flatMap(
      (name) => {
        const path = `${repository}/.contextfs-example/${name}`;
        const text = existing(path);
        return text === undefined ? [] : [[name, text.replace(stored, `$1${canary} `)]];
      },
    ),
  );
}

const stored = /("(?:text|title|summary)":")/g;

function existing(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
