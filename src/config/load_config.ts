// The configuration in force: defaults, then the user's file, then the workspace's, then the
// environment. Validated on reading; comments in the files are kept on writing. Writes nothing.

import { CtxError, isAbsent, isDirectoryRead, linkedStoreError } from "../core/errors.ts";
import { findJson, isObject } from "../core/json.ts";
import { hasConflict, isConflictMark, splitSides } from "../core/lines/conflict_marks.ts";
import { homeOf, toOwnPath } from "../core/platform_path.ts";
import { guessAt, withoutMark } from "../core/text.ts";
import {
  type ConfigKey,
  configKeys,
  type ConfigName,
  environmentNameOf,
  findConfigFault,
  findConfigKey,
  isConfigName,
  listConfigNames,
  parseConfigValue,
  removedNote,
} from "./config_keys.ts";
import { Config } from "./merged_config.ts";
import { parseTrust } from "./trusted.ts";

export interface ConfigFile {
  origin: "user" | "workspace";
  path: string;
}

/** Reads and merges the files that exist, in order; the last one wins. */
export async function loadConfig(
  files: ConfigFile[],
  warn: (message: string) => void,
): Promise<Config> {
  const config = new Config();
  const removed = new Set<string>();
  for (const file of files) {
    const text = findText(file);
    if (text === undefined) continue;
    if (text instanceof CtxError) {
      // Such a file may come with a clone: it must not switch off every command.
      config.problem ??= text;
      warn(`${text.message}; the file is ignored`);
      continue;
    }
    const agreed = await findAgreed(text, file.path);
    if (agreed !== undefined) {
      warn(`${file.path} has merge conflict markers; both sides agree`);
    }
    const { trust, ...settings } = await parseConfigText(agreed ?? text, file.path);
    if (trust !== undefined && file.origin === "user") config.trust = parseTrust(trust, file.path);
    else if (trust !== undefined) warn(ignoredThere(file.path, "trust"));
    for (const [said, value] of flatten(settings)) {
      const name = await findName(said);
      if (name === undefined) {
        const guess = guessAt(said, listConfigNames());
        warn(`${file.path}: unknown key "${said}" is ignored${guess}`);
        continue;
      }
      const key: ConfigKey = configKeys[name];
      if (key.removed) {
        if (!removed.has(key.removed)) warn(`${file.path}: ${removedNote(name, key.removed)}`);
        removed.add(key.removed);
        continue;
      }
      if (key.userOnly && file.origin === "workspace") {
        warn(ignoredThere(file.path, name));
        continue;
      }
      const fault = findConfigFault(key, value);
      const own = fault && (await import("./other_keys.ts")).findOwnValue(name, value);
      if (fault && !own) throw invalid(file.path, name, fault);
      config.set(name, own || value, file.origin);
    }
  }
  return config;
}

/** Our name of a key; its other names are loaded when it is not one of ours. */
async function findName(said: string): Promise<ConfigName | undefined> {
  return isConfigName(said) ? said : (await import("./other_keys.ts")).findOwnKey(said);
}

function ignoredThere(path: string, name: string): string {
  return `${path}: "${name}" is ignored there; only your own config file can set it`;
}

/** Lets the environment win over the files: `llm.model` is CTX_LLM_MODEL. */
export function applyEnvironment(
  config: Config,
  env: (name: string) => string | undefined,
): Config {
  for (const name of listConfigNames()) {
    const variable = environmentNameOf(name);
    const text = env(variable);
    if (text === undefined || text === "") continue;
    const value = parseConfigValue(configKeys[name], text);
    const fault = findConfigFault(configKeys[name], value);
    if (fault) throw invalid("the environment", variable, fault);
    config.set(name, value, "environment");
  }
  return config;
}

/** The configuration files, the user's first. */
export function configFiles(
  workspaceFile: string | undefined,
  env: (name: string) => string | undefined,
): ConfigFile[] {
  const files: ConfigFile[] = [];
  // A relative path would depend on the workspace; the XDG specification ignores it too.
  const said = env("XDG_CONFIG_HOME");
  const own = homeOf(env);
  const home = said && /^(?:[/\\]|[A-Za-z]:)/.test(said)
    ? toOwnPath(said)
    : own && `${own}/.config`;
  if (home) files.push({ origin: "user", path: `${home}/ctx/config.jsonc` });
  if (workspaceFile) files.push({ origin: "workspace", path: workspaceFile });
  return files;
}

/** Where the user's own store is, beside all workspaces. */
export function userStoreDirectory(
  env: (name: string) => string | undefined,
): string | undefined {
  const said = env("XDG_DATA_HOME");
  const own = homeOf(env);
  const home = said ? toOwnPath(said) : own && `${own}/.local/share`;
  return home === undefined ? undefined : `${home}/ctx/global`;
}

/** The text of a configuration file with one key changed, comments kept; undefined removes it. */
export async function editConfigText(
  text: string,
  place: string[],
  value: unknown,
): Promise<string> {
  const { setJson } = await import("./set_json.ts");
  return setJson(text, place, value);
}

/** Of a file that git could not merge, one side, where both say the same. */
export async function findAgreed(text: string, path: string): Promise<string | undefined> {
  if (!hasConflict(text)) return undefined;
  const sides = splitSides(text);
  const [ours, theirs] = await Promise.all(sides.map((side) => parseSide(side, path)));
  return ours !== undefined && ours === theirs ? sides[0] : undefined;
}

/** What a side says, in one order of keys; undefined when it cannot be read. */
async function parseSide(side: string, path: string): Promise<string | undefined> {
  try {
    const settings = flatten(await parseConfigText(side, path));
    return JSON.stringify([...settings].sort(([a], [b]) => a < b ? -1 : 1));
  } catch {
    return undefined;
  }
}

/** Settings are short; parsers of nested text call themselves for every bracket. */
const maxConfigBytes = 256 << 10;
const maxBrackets = 1000;

/** What keeps a text from being parsed at all: no settings are so long, or nest so deep. */
function findExcess(text: string, path: string): CtxError | undefined {
  if (text.length > maxConfigBytes) return tooLong(path);
  const brackets = text.length > maxBrackets ? text.match(/[[{]/g)?.length ?? 0 : 0;
  return brackets > maxBrackets ? unparsed(path, "it has more than 1,000 brackets") : undefined;
}

function tooLong(path: string): CtxError {
  return unparsed(path, "it is longer than 256 kB");
}

function unparsed(path: string, what: string): CtxError {
  return new CtxError("CONFIG_INVALID", `Cannot read "${path}": ${what}`, {
    hint: "remove the file to go back to the defaults",
  });
}

/** Parses JSONC: plain JSON at once, the parser with comments only when it is needed. */
export async function parseConfigText(
  said: string,
  path: string,
): Promise<Record<string, unknown>> {
  const text = withoutMark(said);
  const excess = findExcess(text, path);
  if (excess !== undefined) throw excess;
  const plain = findJson(text);
  if (isObject(plain)) return plain;
  if (text.trim() === "") return {};
  if (hasConflict(text)) {
    const line = text.split("\n").findIndex(isConflictMark) + 1;
    throw new CtxError("CONFIG_INVALID", `Cannot read "${path}", line ${line}: a merge conflict`, {
      hint: `keep one side of it in the file, without the marks, or: git checkout --ours "${path}"`,
    });
  }
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: { error: number; offset: number; length: number }[] = [];
  const value = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(value)) {
    const line = text.slice(0, errors[0]?.offset ?? 0).split("\n").length;
    const what = errors[0]
      ? printParseErrorCode(errors[0].error).replaceAll(/\B[A-Z]/g, " $&").toLowerCase()
      : "it is not an object";
    throw new CtxError("CONFIG_INVALID", `Cannot read "${path}", line ${line}: ${what}`, {
      hint: `correct the file, or remove it to go back to the defaults`,
    });
  }
  return value;
}

/** The error for a value that does not fit its key. */
export function invalid(where: string, name: string, fault: string): CtxError {
  return new CtxError("CONFIG_INVALID", `Cannot use "${name}" in ${where}: it ${fault}`, {
    hint: "ctx config list",
  });
}

function* flatten(value: Record<string, unknown>, prefix = ""): Generator<[string, unknown]> {
  for (const [name, item] of Object.entries(value)) {
    if (isObject(item) && !findConfigKey(prefix + name)) {
      yield* flatten(item, `${prefix}${name}.`);
    } else yield [prefix + name, item];
  }
}

/** The text of a file; an error where it cannot be settings, whatever it says. */
function findText({ origin, path }: ConfigFile): string | CtxError | undefined {
  try {
    if (origin === "workspace") refuseLinks(path);
    if (Deno.statSync(path).size > maxConfigBytes) return tooLong(path);
    const text = Deno.readTextFileSync(path);
    return findExcess(text, path) ?? text;
  } catch (error) {
    if (error instanceof CtxError) throw error;
    if (isAbsent(error)) return undefined;
    const isDirectory = isDirectoryRead(error);
    const reason = isDirectory ? ": there is a directory where a file should be" : "";
    throw new CtxError("CONFIG_INVALID", `Cannot read "${path}"${reason}`, {
      hint: isDirectory
        ? "move the directory away, then run the same command again"
        : "make the file readable, or move it away to go back to the defaults",
      cause: error,
    });
  }
}

/** A cloned workspace could link its file to any file of the user; the user's own may be a link. */
function refuseLinks(path: string): void {
  const { isFile, isDirectory, isSymlink } = Deno.lstatSync(path);
  const directory = path.slice(0, path.lastIndexOf("/"));
  if (Deno.lstatSync(directory).isSymlink) throw linkedStoreError(directory);
  if (isSymlink) throw linkedStoreError(path);
  if (isFile || isDirectory) return;
  // Opening a pipe would never end.
  throw new CtxError("CONFIG_INVALID", `Cannot read "${path}": not a regular file`, {
    hint: "move it away to go back to the defaults",
  });
}
