// Which files agents read by themselves, and how their rules are cut.

import assert from "node:assert/strict";
import { cutRules } from "../../../src/intake/agent_files/cut_rules.ts";
import { findAgentFiles, loadedBy } from "../../../src/intake/agent_files/find_agent_files.ts";
import { hasLinks } from "../../support/not_on_windows.ts";
import { realPath } from "../../../src/core/platform_path.ts";

Deno.test("a rule has its headings and lines, whatever is around it", () => {
  const text = [
    "---",
    "alwaysApply: true",
    "---",
    "# Top",
    "First line",
    "goes on.",
    "<!-- not",
    "this -->",
    "## Lists",
    "- [ ] One",
    "  continued",
    "  - Child",
    "1. Two",
    "```sh",
    "npm test",
    "```",
    "| a | b |",
    "| - | - |",
  ].join("\r\n");
  const rules = cutRules(text).map(({ line, end, kind, text, headings, hasChildren }) =>
    `${line}-${end} ${kind}${hasChildren ? "+" : ""} ${headings.join(">")}: ${text}`
  );
  assert.deepEqual(rules, [
    "5-6 paragraph Top: First line goes on.",
    "10-11 item+ Top>Lists: One continued",
    "12-12 item Top>Lists: Child",
    "13-13 item Top>Lists: Two",
    "15-15 code Top>Lists: npm test",
    "17-17 row Top>Lists: | a | b |",
  ]);
});

Deno.test("files of every agent are found; home only where it is given; imports stay inside", async () => {
  const root = realPath(await Deno.makeTempDir());
  const [workspace, home] = [`${root}/w`, `${root}/h`];
  const slug = workspace.replace(/[^A-Za-z0-9]/g, "-");
  const files: Record<string, string> = {
    "w/CLAUDE.md": "@docs/more.md and @../outside.md and @~/.secret/x.md, not `@docs/code.md`",
    "w/docs/more.md": "- More",
    "w/docs/code.md": "- Code",
    "outside.md": "- Outside",
    "h/.secret/x.md": "- Secret",
    "w/pkg/CLAUDE.md": "- Nested",
    "w/AGENTS.md": "- Agents",
    "w/.cursor/rules/a.mdc": "- Cursor",
    "w/.github/copilot-instructions.md": "- Copilot",
    "w/memory-bank/progress.md": "- Cline",
    "w/node_modules/x/CLAUDE.md": "- Not ours",
    "h/.claude/CLAUDE.md": "- Mine",
    "h/.codex/memories/MEMORY.md": "- Codex",
    [`h/.claude/projects/${slug}/memory/MEMORY.md`]: "- Memory",
    [`h/.claude/projects/other/memory/MEMORY.md`]: "- Other",
  };
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${root}/${path}`, text);
  }
  if (hasLinks) await Deno.symlink(`${root}/outside.md`, `${workspace}/GEMINI.md`);
  const names = findAgentFiles({ workspace }).map(({ name }) => name).sort();
  assert.deepEqual(names, [
    ".cursor/rules/a.mdc",
    ".github/copilot-instructions.md",
    "AGENTS.md",
    "CLAUDE.md",
    "docs/more.md",
    "memory-bank/progress.md",
    "pkg/CLAUDE.md",
  ]);
  const all = findAgentFiles({ workspace, home });
  assert.deepEqual(
    all.map(({ name }) => name).filter((name) => name.startsWith("~")).sort(),
    [
      "~/.claude/CLAUDE.md",
      `~/.claude/projects/${slug}/memory/MEMORY.md`,
      "~/.codex/memories/MEMORY.md",
    ].sort(),
  );
  assert.deepEqual(loadedBy(all, "claude-code").map(({ name }) => name), [
    "CLAUDE.md",
    "docs/more.md",
    "~/.claude/CLAUDE.md",
    `~/.claude/projects/${slug}/memory/MEMORY.md`,
  ]);
  await Deno.remove(root, { recursive: true });
});

Deno.test("lines that nobody writes are left out, and cost no time", () => {
  const long = [`# a${" ".repeat(120_000)}b`, `- ${"[".repeat(150_000)}`, "- Run the tests"];
  assert.deepEqual(cutRules(long.join("\n")).map(({ line, text }) => `${line} ${text}`), [
    "3 Run the tests",
  ]);
});
