// The packages of single tools: a bundle for desktop apps (`.mcpb`), a module for OpenCode, an extension
// for VS Code. None has a copy of ctx in it: they start the one on the machine.

import manifest from "../../deno.json" with { type: "json" };
import { repository } from "../repository.ts";
import { facts, homepage, needsCtx, opencodeModule } from "./package_facts.ts";
import { writeFiles } from "./write_files.ts";

const { name, version, description, author, license, keywords } = facts;

/** Writes the directories from which `mcpb pack`, `npm pack` and `vsce package` make their files. */
export async function writeEditorPackages(into: string): Promise<void> {
  const read = (path: string): Promise<string> =>
    Deno.readTextFile(`${repository}build/packages/${path}`);
  const licence = await Deno.readTextFile(`${repository}LICENSE`);
  await writeFiles(`${into}/mcpb`, {
    "manifest.json": {
      manifest_version: "0.3",
      name,
      display_name: name,
      version,
      description,
      author,
      repository: { type: "git", url: `${homepage}.git` },
      homepage,
      license,
      keywords,
      server: {
        type: "node",
        entry_point: "main.cjs",
        mcp_config: { command: "node", args: ["${__dirname}/main.cjs", "${user_config.folder}"] },
      },
      tools_generated: true,
      user_config: {
        folder: {
          type: "directory",
          title: "Project",
          description: "The project folder with the store (.contextfs) that `ctx start` creates",
          required: true,
        },
      },
      compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=18" } },
    },
    "main.cjs": (await read("mcpb_main.cjs")).replace("@PACKAGE@", manifest.name),
  });
  await writeFiles(`${into}/opencode`, {
    "package.json": {
      name: "@ctx/opencode",
      version,
      description: `${description}: the plugin for OpenCode`,
      type: "module",
      main: "ctx.js",
      exports: "./ctx.js",
      files: ["ctx.js"],
      license,
      repository: { type: "git", url: `git+${homepage}.git` },
      keywords,
      publishConfig: { access: "public", provenance: true },
    },
    "ctx.js": opencodeModule(),
    "README.md":
      `# ctx for OpenCode\n\nAdd \`"plugin": ["@ctx/opencode"]\` to \`opencode.json\`. ${needsCtx}\n`,
    LICENSE: licence,
  });
  await writeFiles(`${into}/vscode`, {
    "package.json": vscodeManifest(),
    "extension.cjs": await read("vscode/extension.cjs"),
    "why.svg": await read("vscode/why.svg"),
    "README.md": `# ctx for VS Code

${description}. Shows in the gutter which lines an agent's session wrote; hover over a line for the
prompt and the decisions behind it. \`ctx: Search past sessions\` searches them.

Install ctx first: \`npm i -g ${manifest.name}\`, then \`ctx start\` in your project. [More](${homepage})
`,
    LICENSE: licence,
  });
}

function vscodeManifest(): object {
  return {
    name,
    displayName: name,
    publisher: "ctx-memory",
    version,
    description,
    license,
    repository: { type: "git", url: `${homepage}.git` },
    engines: { vscode: "^1.90.0" },
    categories: ["Other"],
    keywords,
    main: "./extension.cjs",
    activationEvents: ["workspaceContains:.contextfs"],
    capabilities: { untrustedWorkspaces: { supported: false } },
    contributes: {
      commands: [
        { command: "ctx.search", title: "Search past sessions", category: name },
        { command: "ctx.why", title: "Explain this line", category: name },
      ],
      configuration: {
        title: name,
        properties: {
          "ctx.why": {
            type: "boolean",
            default: true,
            description: "Mark lines that a session wrote, and explain them on hover.",
          },
          "ctx.path": {
            type: "string",
            default: name,
            scope: "machine",
            description: "The ctx program to run: a name on the PATH or a full path.",
          },
        },
      },
    },
  };
}
