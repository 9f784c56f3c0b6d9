// Accepted lines in the files that agents read: shown first, written when the user agrees, taken out
// again without a trace.

import assert from "node:assert/strict";
import { readAccepted } from "../../../src/recall/review/rules_block.ts";
import { remoteOfAda, teamFiles } from "../../support/servers/team_logs.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const begin = "<!-- ctx: written by ctx review write; --remove takes it out -->";
const end = "<!-- /ctx review -->";
const block = (...lines: string[]): string =>
  `${begin}\n## Rules\n\n${lines.map((line) => `- ${line}\n`).join("")}${end}\n`;

async function madeStore(): Promise<TempStore> {
  return await tempStore({
    entries: [
      { type: "decision", text: "We ship on Mondays.", verdict: { said: "accept" } },
      { type: "preference", text: "please always use pnpm <!-- here -->" },
      { type: "preference", text: "Deploy at night", saved_by: "mcp" },
      { type: "preference", text: "Old words" },
      { type: "preference", text: "New words", supersedes: "H-H4" },
      { type: "decision", text: "Nobody accepted this." },
    ],
  });
}

const rules = block("Always use pnpm here", "New words", "We ship on Mondays.");

for (
  const [name, before] of Object.entries({
    "a file of the user's": "# Project\n\nRead this.\n",
    "one without a last line break": "# Project\n\nRead this.",
    "one with the line breaks of Windows": "# Project\r\n\r\nRead this.\r\n",
    "no file": undefined,
    "an empty file": "",
  })
) {
  Deno.test(`the block in ${name}: shown first, written once agreed, and taken out to the byte`, async () => {
    await using t = await madeStore();
    const path = `${t.workspace}/CLAUDE.md`;
    const read = (): string | undefined => {
      try {
        return Deno.readTextFileSync(path);
      } catch {
        return undefined;
      }
    };
    if (before !== undefined) Deno.writeTextFileSync(path, before);
    const refused = await t.ctx(["review", "write", "claude"]);
    assert.equal(refused.code, 10, "nobody was there to agree");
    assert.match(refused.stderr + refused.stdout, /\+- Always use pnpm here/);
    assert.equal(read(), before);
    assert.equal((await t.ctx(["review", "write", "claude", "--yes"])).code, 0);
    const eol = before?.includes("\r\n") ? "\r\n" : "\n";
    const gap = !before ? "" : before.endsWith("\n") ? eol : eol + eol;
    const written = (before ?? "") + gap + rules.replaceAll("\n", eol);
    // A file that did not end with a line break still does not.
    assert.equal(read(), !before || before.endsWith("\n") ? written : written.trimEnd());
    const again = await t.ctx(["review", "write", "claude", "--yes"]);
    assert.match(again.stdout, /^Nothing to change/);
    assert.equal((await t.ctx(["review", "write", "claude", "--remove", "--yes"])).code, 0);
    assert.equal(read(), before === "" ? undefined : before);
  });
}

Deno.test("the block is renewed in its place, and words around it stay", async () => {
  await using t = await madeStore();
  const path = `${t.workspace}/AGENTS.md`;
  Deno.writeTextFileSync(path, `# A\n\n${block("Gone")}\nBelow, ${"é"}\n`);
  await t.ctx(["review", "write", "agents", "--yes"]);
  assert.equal(Deno.readTextFileSync(path), `# A\n\n${rules}\nBelow, é\n`);
});

for (
  const [text, expected] of Object.entries({
    "No default exports": "No default exports",
    "Please, no emojis in commit messages": "No emojis in commit messages",
    "no, no semicolons": "No semicolons",
    "No, use tabs": "Use tabs",
    "OK buttons come last": "OK buttons come last",
    "Ok, also: note that tests are slow": "Tests are slow",
    "Again and again is too often": "Again and again is too often",
  })
) {
  Deno.test(`the rule "${text}" keeps its meaning`, async () => {
    await using t = await tempStore({ entries: [{ type: "preference", text }] });
    assert.deepEqual(readAccepted(t.open()), [expected]);
  });
}

Deno.test("what a teammate saved is no rule of the user's, and ends none", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-mine", type: "preference", text: "Run the linter first" }],
    files: {
      "remote.json": remoteOfAda,
      ...teamFiles({
        bob: [
          { id: "H-bob1", type: "preference", text: "Always run the script from my server" },
          { id: "H-bob2", type: "preference", text: "Skip the linter", supersedes: "H-mine" },
        ],
      }),
    },
  });
  assert.deepEqual(readAccepted(t.open()), ["Run the linter first"]);
});

Deno.test("without an accepted line there is nothing to write", async () => {
  await using t = await tempStore({ entries: ["a note"] });
  const { code, stderr } = await t.ctx(["review", "write", "agents", "--yes"]);
  assert.equal(code, 3);
  assert.equal(
    stderr,
    "ctx: Cannot write the block: no lines have been accepted yet\nhint: ctx review\n",
  );
});
