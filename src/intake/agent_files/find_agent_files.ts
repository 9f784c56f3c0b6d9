// The files that agents read by themselves: rules of the project, the user's own, and what agents keep
// as their memory. Links are followed only inside the workspace: a clone could aim them anywhere. Files
// outside it are read only where a home directory is given: on the user's own command line.

import { normalizePath, resolvePath } from "../../core/platform_path.ts";
import { findRealPath, findSmallText, isDirectory } from "../../disk/outside_files.ts";
import { listFiles } from "./list_files.ts";

/** The agents that these files are of, as `ctx setup` calls them. */
export type FileClient =
  | ("claude-code" | "codex" | "gemini" | "opencode" | "qwen")
  | ("cursor" | "copilot" | "cline");

export interface AgentFile {
  path: string;
  /** Relative to the workspace, or from `~/`. */
  name: string;
  clients: readonly FileClient[];
  /** `start`: part of every session here. Others are read on the way, or by some of the agents. */
  loads: "start" | "later";
  text: string;
}

/** Where to look. */
export interface AgentFilePlaces {
  workspace: string;
  /** The user's own files too. */
  home?: string;
  /** The project's files, where they are known already. */
  files?: readonly string[];
}

type Kind = Pick<AgentFile, "clients" | "loads">;

/** Kinds by the name of the file; in a folder below the root it is read when work gets there. */
const byName: Record<string, readonly FileClient[]> = {
  "CLAUDE.md": ["claude-code"],
  "CLAUDE.local.md": ["claude-code"],
  "AGENTS.md": ["codex", "opencode", "cursor", "copilot", "qwen"],
  "AGENTS.override.md": ["codex"],
  "GEMINI.md": ["gemini"],
  "QWEN.md": ["qwen"],
  ".cursorrules": ["cursor"],
  ".clinerules": ["cline"],
};

const byFolder: [RegExp, readonly FileClient[]][] = [
  [/^\.claude\/rules\/.+\.md$/, ["claude-code"]],
  [/^\.cursor\/rules\/.+\.mdc?$/, ["cursor"]],
  [/^\.github\/copilot-instructions\.md$/, ["copilot"]],
  [/^\.github\/instructions\/.+\.instructions\.md$/, ["copilot"]],
  [/^\.clinerules\/.+\.md$/, ["cline"]],
  [/^memory-bank\/.+\.md$/, ["cline"]],
];

/** Finds the files of a workspace; with a home directory also the user's own. */
export function findAgentFiles({ workspace, home, files }: AgentFilePlaces): AgentFile[] {
  const found = new Map<string, AgentFile>();
  // What a clone imports is read only inside of it.
  const add = (path: string, kind: Kind, root: string, depth = 0): void => {
    const real = findRealPath(path);
    if (real === undefined || !isWithin(real, root)) return;
    const known = found.get(real);
    if (known !== undefined) {
      known.clients = [...new Set([...known.clients, ...kind.clients])];
      if (kind.loads === "start") known.loads = "start";
      return;
    }
    const text = findSmallText(real, maxFileBytes);
    if (text === undefined) return;
    found.set(real, { path: real, name: nameOf(path, { workspace, home }), text, ...kind });
    if (kind.clients.includes("claude-code") && path.endsWith(".md")) {
      if (depth === maxDepth) return;
      for (const one of importsOf(text, real, home)) add(one, kind, root, depth + 1);
    }
  };
  for (const path of files ?? listFiles(workspace)) {
    const kind = findKind(path);
    if (kind) add(`${workspace}/${path}`, withStart(kind, path), workspace);
  }
  if (home === undefined) return [...found.values()];
  for (const [path, kind] of ownFiles(home, workspace)) add(path, kind, home);
  return [...found.values()];
}

/** Those that are part of an agent's every session here. */
export function loadedBy(files: readonly AgentFile[], client: string): AgentFile[] {
  return files.filter(({ clients, loads }) =>
    loads === "start" && clients.some((one) => one === client)
  );
}

/** Whether a path relative to the workspace is that of a rule file. */
export function isRuleFile(path: string): boolean {
  return findKind(path) !== undefined;
}

function findKind(path: string): Kind | undefined {
  // Skills are read as a whole when they are used, whatever their files are called.
  if (/(?:^|\/)skills\//.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (Object.hasOwn(byName, name)) {
    const isRoot = path === name || path === `.claude/${name}`;
    return { clients: byName[name], loads: isRoot ? "start" : "later" };
  }
  const folder = byFolder.find(([pattern]) => pattern.test(path));
  return folder && { clients: folder[1], loads: "later" };
}

/** Of the rules in folders those are always loaded that say so, or are for no files in particular. */
function withStart(kind: Kind, path: string): Kind {
  return path === ".github/copilot-instructions.md" || path.startsWith(".clinerules/")
    ? { ...kind, loads: "start" }
    : kind;
}

function* ownFiles(home: string, workspace: string): Generator<[string, Kind]> {
  const always = (...clients: FileClient[]): Kind => ({ clients, loads: "start" });
  yield [`${home}/.claude/CLAUDE.md`, always("claude-code")];
  yield [`${home}/.codex/AGENTS.md`, always("codex")];
  yield [`${home}/.gemini/GEMINI.md`, always("gemini")];
  yield [`${home}/.qwen/QWEN.md`, always("qwen")];
  yield [`${home}/.config/opencode/AGENTS.md`, always("opencode")];
  const memory = `${home}/.claude/projects/${claudeSlug(workspace)}/memory`;
  yield [`${memory}/MEMORY.md`, always("claude-code")];
  const codex = `${home}/.codex/memories`;
  yield [`${codex}/memory_summary.md`, always("codex")];
  const folders: [string, FileClient][] = [[memory, "claude-code"], [codex, "codex"]];
  for (const [folder, client] of folders) {
    if (!isDirectory(folder)) continue;
    for (const name of listFiles(folder, 500)) {
      if (name.endsWith(".md")) yield [`${folder}/${name}`, { clients: [client], loads: "later" }];
    }
  }
}

/** How Claude Code calls the folder of a project. */
export function claudeSlug(workspace: string): string {
  return workspace.replace(/[^A-Za-z0-9]/g, "-");
}

/** What `@path` outside code brings in; such files may bring in others. */
function importsOf(text: string, path: string, home?: string): string[] {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const bare = text.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "");
  return [...bare.matchAll(/(?:^|\s)@((?:~\/|\.{0,2}\/)?[\w./-]*\w\.\w+)/g)].flatMap(([, to]) =>
    to.startsWith("~/")
      ? home === undefined ? [] : [`${home}/${to.slice(2)}`]
      : [normalizePath(resolvePath(to, folder))]
  );
}

function isWithin(path: string, root: string): boolean {
  return path.startsWith(`${findRealPath(root) ?? root}/`);
}

function nameOf(path: string, { workspace, home }: AgentFilePlaces): string {
  if (path.startsWith(`${workspace}/`)) {
    const name = path.slice(workspace.length + 1);
    // A folder of a clone may be called "~".
    return name.startsWith("~") ? `./${name}` : name;
  }
  return home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Nobody's rules are larger. */
const maxFileBytes = 256 << 10;
/** Files that bring in others that bring in others. */
const maxDepth = 5;
