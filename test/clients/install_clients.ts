// Installs the real clients by their pinned versions, outside the repository, and says where each
// program is and how large it is. Packages' own scripts do not run: the programs are in the packages.

import { repository } from "../support/repository.ts";

/** The clients that are driven, and the versions that the figures are about. */
export const pinnedClients = {
  "claude-code": { package: "@anthropic-ai/claude-code", version: "2.1.325" },
  "codex": { package: "@openai/codex", version: "0.166.0" },
  "opencode": { package: "opencode-ai", version: "1.18.18" },
  "gemini": { package: "@google/gemini-cli", version: "0.61.0" },
  "qwen": { package: "@qwen-code/qwen-code", version: "0.24.4" },
} as const;

/** The name of a client. */
export type ClientName = keyof typeof pinnedClients;

/** The names of all. */
export const clientNames = Object.keys(pinnedClients) as ClientName[];

/** A client on this machine. */
export interface InstalledClient {
  name: ClientName;
  version: string;
  /** The words that start it. */
  words: string[];
  sizeMb: number;
}

/** Finds a client in the cache, or installs it there. */
export async function installClient(name: ClientName): Promise<InstalledClient> {
  const { version, package: source } = pinnedClients[name];
  const directory = await installTool(`${name}-${version}`, `${source}@${version}`);
  const words = findProgram(name, `${directory}/node_modules`);
  return { name, version, words, sizeMb: await sizeOf(directory) };
}

/** Installs a package in a directory of the cache, which is given; empty where it may not. */
export async function installTool(
  name: string,
  source: string,
  { installs = true } = {},
): Promise<string> {
  const directory = `${cacheDirectory()}/${name}`;
  if (directory.startsWith(`${repository}/`)) {
    throw new Error(`Cannot install ${name} in "${directory}": it is inside the repository`);
  }
  const mark = `${directory}/installed`;
  if (exists(mark)) return directory;
  if (!installs) return "";
  await Deno.mkdir(directory, { recursive: true });
  await Deno.writeTextFile(`${directory}/package.json`, "{}\n");
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", source];
  await runQuietly("npm", words, directory);
  await Deno.writeTextFile(mark, `${source}\n`);
  return directory;
}

/** Where clients are kept between runs. */
function cacheDirectory(): string {
  const home = Deno.env.get("HOME") ?? "/tmp";
  return `${Deno.env.get("XDG_CACHE_HOME") ?? `${home}/.cache`}/ctx-clients`;
}

function findProgram(name: ClientName, modules: string): string[] {
  const arch = Deno.build.arch === "aarch64" ? "arm64" : "x64";
  const triple = `${Deno.build.arch}-unknown-linux-musl`;
  switch (name) {
    case "claude-code":
      return [`${modules}/@anthropic-ai/claude-code-linux-${arch}/claude`];
    case "codex":
      return [`${modules}/@openai/codex-linux-${arch}/vendor/${triple}/bin/codex`];
    case "opencode":
      return [`${modules}/opencode-linux-${arch}/bin/opencode`];
    case "gemini":
      return ["node", `${modules}/@google/gemini-cli/bundle/gemini.js`];
    case "qwen":
      return ["node", `${modules}/@qwen-code/qwen-code/cli.js`];
  }
}

async function sizeOf(directory: string): Promise<number> {
  const text = await runQuietly("du", ["-sm", directory], "/");
  return Number(/^\d+/.exec(text)?.[0] ?? 0);
}

async function runQuietly(program: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  if (code !== 0) {
    throw new Error(`Cannot run ${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  }
  return new TextDecoder().decode(stdout);
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
