// The tree that a release puts on its branch `plugins`: one place from which Claude Code, Codex and
// Gemini CLI install ctx as a plugin or extension, each with its own list at the root.

import { writeFiles } from "./write_files.ts";
import { facts, homepage, hooksOf, needsCtx, serversOf } from "./package_facts.ts";

const { name, version, description, author } = facts;

/** Writes the tree. */
export async function writePlugins(into: string): Promise<void> {
  await writeFiles(into, {
    "README.md": readme(),
    ".claude-plugin/marketplace.json": {
      name,
      owner: author,
      metadata: { description: "The ctx plugin", version },
      plugins: [{ name, source: "./claude-code", description, version, category: "memory" }],
    },
    "claude-code/.claude-plugin/plugin.json": facts,
    "claude-code/.mcp.json": { mcpServers: await serversOf("claude-code") },
    "claude-code/hooks/hooks.json": { hooks: await hooksOf("claude-code") },
    "claude-code/README.md": readmeOf("Claude Code", [
      "claude plugin marketplace add ctx-memory/ctx@plugins",
      "claude plugin install ctx@ctx",
    ]),
    ".agents/plugins/marketplace.json": {
      name,
      plugins: [{
        name,
        source: { source: "local", path: "./codex" },
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
        category: "Productivity",
      }],
    },
    "codex/.codex-plugin/plugin.json": {
      ...facts,
      mcpServers: "./.mcp.json",
      interface: {
        displayName: name,
        shortDescription: description,
        developerName: author.name,
        category: "Productivity",
        websiteURL: homepage,
      },
    },
    // Codex keeps its servers in TOML; the entry is the one that Claude Code has.
    "codex/.mcp.json": { mcpServers: await serversOf("claude-code") },
    "codex/hooks/hooks.json": { hooks: await hooksOf("codex", { namesWindows: true }) },
    "codex/README.md": readmeOf("Codex", [
      "codex plugin marketplace add ctx-memory/ctx@plugins",
      "codex plugin add ctx@ctx",
    ]),
    // Gemini CLI reads an extension from the root of a branch.
    "gemini-extension.json": {
      name,
      version,
      description,
      mcpServers: await serversOf("gemini"),
    },
    "hooks/hooks.json": { hooks: await hooksOf("gemini") },
  });
}

function readme(): string {
  return `# ${name} ${version}: plugins

${description}. Made by \`deno task packages\`; [the source](${homepage}).

- Claude Code: \`claude plugin marketplace add ctx-memory/ctx@plugins\`, then \`claude plugin install ctx@ctx\`
- Codex: \`codex plugin marketplace add ctx-memory/ctx@plugins\`, then \`codex plugin add ctx@ctx\`
- Gemini CLI: \`gemini extensions install ${homepage} --ref plugins\` (on Windows: \`ctx setup gemini\`)

${needsCtx}
`;
}

function readmeOf(title: string, lines: string[]): string {
  return `# ${name} for ${title}

${description}. Sessions start with context from earlier work,
turns are captured, and the agent can search past sessions.

\`\`\`sh
${lines.join("\n")}
\`\`\`

${needsCtx} \`ctx setup\` connects ${title} too, without a plugin; if you use both, the plugin's hooks
stay silent. [More](${homepage})
`;
}
