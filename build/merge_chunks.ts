// Puts code that is always loaded together into one file. The bundler makes a chunk for every set of
// lazy parts that share some code: dozens of small files, each of which costs a start half a
// millisecond or more. Works on a bundle whose lazy imports are hidden.

import { entryName, hideLazyImports, listFiles } from "./bundle.ts";
import { runDeno } from "./run_deno.ts";

/** Parts that start together. */
interface StartGroup {
  file: string;
  /** A part is named by its file and, where packages have one of that name too, by what it exports. */
  entries: readonly string[];
  /** Whether chunks that others need too are copied, or which of them, so that those need not load this file. */
  copies?: boolean | readonly string[];
}

/** Small parts of `search` and of writing that other commands need too, which would else load all of it. */
const sharedParts = [
  ...[
    "parsePins",
    "fitRows",
    "edgesOf",
    "segmentVersion",
    "isRecord",
    "findCurrentSession",
    "define",
  ],
  ...["pageInputs", "markBeginning", "tryTakeLock", "hasForgotten", "appendRow", "isIndexBehind"],
].map((name) => `chunk#${name}`);

/**
 * What any start needs, with traces and lists; `get`; what redacts; what writes; `save`; what finds rows
 * in a long log; `timeline`; lists, and the ids that people shorten; whether the code of an entry that
 * was not searched for has changed; what the hooks before edits, of guards, of agents, at ends of turns
 * and at session starts need; what a turn of Claude Code brings; `why`; what tells that nothing can be
 * said about a prompt; what `search` needs with its usual embedder;
 * the same of code for what it finds; what a prompt needs beside a search; zod; how results are told to
 * agents; spelling; suggestions; and an MCP server. Those with copies keep nothing but caches: one file
 * less to load.
 */
export const startGroups: readonly StartGroup[] = [
  {
    file: "start.js",
    entries: [
      ...["mod", "main#runCli", "execute", "read_argv", "app", "trace_log", "show_list"],
      ...sharedParts,
    ],
  },
  { file: "get_start.js", entries: ["get"], copies: true },
  { file: "redact_start.js", entries: ["redact"] },
  { file: "write_start.js", entries: ["transact", "record_act", "follow_write"] },
  { file: "save_start.js", entries: ["save"], copies: true },
  { file: "find_start.js", entries: ["log_index"], copies: true },
  { file: "timeline_start.js", entries: ["timeline"], copies: true },
  {
    file: "list_start.js",
    entries: ["ls", "sessions", "session_list", "whole_input", "whole_ids"],
    copies: true,
  },
  { file: "tell_start.js", entries: ["tell_freshness"], copies: true },
  { file: "hook_start.js", entries: ["run_hook"], copies: true },
  {
    file: "guard_start.js",
    entries: [
      ...["guard_file", "check_call", "check_command", "check_edit", "added_lines", "load_config"],
    ],
    copies: true,
  },
  {
    file: "breach_start.js",
    entries: ["judge_breaches", "guard_words", "append_row", "redact_row"],
    copies: true,
  },
  { file: "agent_start.js", entries: ["agent_hook", "hold_prompt"], copies: true },
  { file: "capture_start.js", entries: ["capture", "project_list"], copies: true },
  { file: "session_start.js", entries: ["start_pack", "give_block"], copies: true },
  { file: "turn_start.js", entries: ["read_sessions", "read_claude"], copies: true },
  { file: "why_start.js", entries: ["why", "ask_why", "ask_lines"], copies: true },
  { file: "prompt_start.js", entries: ["prompt_context"], copies: true },
  {
    file: "search_start.js",
    entries: [
      ...["search", "embedder_local", "index_vectors"],
      // What almost every question loads: the quotes of its results, the words that it has.
      ...["choose_quotes", "known_query", "spell_query", "misspelled"],
    ],
  },
  { file: "fresh_start.js", entries: ["look_at_code"], copies: true },
  { file: "lines_start.js", entries: ["choose_prompt_lines"], copies: true },
  { file: "zod_start.js", entries: ["chunk#$ZodObject"] },
  { file: "answer_start.js", entries: ["session_catalog", "brief_answer"], copies: true },
  { file: "correct_start.js", entries: ["correct_words"], copies: true },
  { file: "suggest_start.js", entries: ["suggest", "feedback"], copies: true },
  {
    file: "mcp_start.js",
    entries: ["mcp#mcp", "catalog", "server_factory", "stdio", "confined_files"],
    // Pure functions. Imports, packs and turns need them, and would else load all of a server.
    copies: ["cutRecalled", "ageOf", "briefMeasure"].map((name) => `chunk#${name}`),
  },
];

/** Merges the parts of each group and the chunks they need, in place. */
export async function mergeChunks(directory: string): Promise<void> {
  const done = new Set<string>();
  for (const { file, entries, copies = false } of startGroups) {
    const code = readCode(directory);
    const needed = [...closureOf(entries, code)].filter((name) => !done.has(name)).sort();
    const parts = needed.filter((name) =>
      copies === true ? isEntry(entries, name, code) : !copies || !isEntry(copies, name, code)
    );
    await Deno.writeTextFile(`${directory}/merge.js`, mergeEntry(parts, code));
    const outside = [...code.keys()].filter((name) => !needed.includes(name));
    await runDeno([
      "bundle",
      "-q",
      "--no-config",
      ...outside.flatMap((name) => ["--external", `./${name}`]),
      "--output",
      file,
      "merge.js",
    ], { cwd: directory });
    for (const name of [...parts, "merge.js"]) await Deno.remove(`${directory}/${name}`);
    done.add(file);
    for (const [name, text] of readCode(directory)) {
      const hidden = name === file ? toAscii(hideLazyImports(text)) : text;
      await Deno.writeTextFile(`${directory}/${name}`, redirect(hidden, parts, file));
    }
  }
}

function isEntry(entries: readonly string[], name: string, code: Map<string, string>): boolean {
  return entries.some((entry) => {
    const [file, item] = entry.split("#");
    return new RegExp(`^${file}(-\\w{8})?\\.js$`).test(name) &&
      (item === undefined || exportsOf(code.get(name) ?? "").includes(item));
  });
}

/** Some entries and the chunks that they load before they run. */
function closureOf(entries: readonly string[], code: Map<string, string>): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name) || !code.has(name)) return;
    seen.add(name);
    for (const [, , target] of (code.get(name) ?? "").matchAll(staticImport)) visit(target);
  };
  for (const entry of entries) {
    const names = [...code.keys()].filter((name) => isEntry([entry], name, code));
    if (names.length === 0) throw new Error(`Cannot merge chunks: there is no "${entry}"`);
    names.forEach(visit);
  }
  // The main module stays what it is.
  seen.delete(entryName);
  return seen;
}

/**
 * A module that gives out everything of some parts: by name for who imports a name, under names that
 * tell the parts apart, and whole for who imports a part when it is needed.
 */
function mergeEntry(parts: readonly string[], code: Map<string, string>): string {
  return parts.map((name, at) => {
    const given = exportsOf(code.get(name) ?? "").map((item) => `${item} as ${mark(at)}${item}`);
    const whole = name.startsWith("chunk-") ? "" : `export * as ${mark(at)} from "./${name}";`;
    return `import "./${name}";export { ${given.join(", ")} } from "./${name}";${whole}\n`;
  }).join("");
}

/**
 * Turns imports from merged parts into imports from the merged file. One that takes nothing goes: the
 * bundler leaves it for the order in which parts run, and none of ours does anything as it is loaded.
 */
function redirect(text: string, parts: readonly string[], file: string): string {
  return text.replace(staticImport, (all, clause: string | undefined, target: string) => {
    const at = parts.indexOf(target);
    if (at < 0) return all;
    if (!clause) return "";
    const names = clause.slice(1, -1).split(",").map((item) => {
      const [from, to = from] = item.trim().split(/\s+as\s+/);
      return `${mark(at)}${from} as ${to}`;
    });
    return `${all.startsWith("export") ? "export" : "import"}{${names.join(",")}}from"./${file}"`;
  }).replace(lazyImport, (all, target: string) => {
    const at = parts.indexOf(target);
    return at < 0 ? all : `import((0,"./${file}")).then(m=>m.${mark(at)})`;
  });
}

function exportsOf(text: string): string[] {
  const list = /export\s*\{([^}]*)\}\s*;?\s*$/.exec(text)?.[1] ?? "";
  return list.split(",").map((item) => item.trim().split(/\s+as\s+/).at(-1) ?? "")
    .filter((item) => item !== "");
}

/** Only ASCII is taken as it is; other code Deno and V8 copy twice, as two bytes a character. */
function toAscii(code: string): string {
  // In these an escape is something else than the character.
  const raw = /\.raw`[^`]*[^\0-\x7f`]|\\[^\0-\x7f]/.exec(code);
  if (raw) throw new Error(`Cannot escape code that has ${JSON.stringify(raw[0])} in it`);
  return code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function mark(at: number): string {
  return `m${at}_`;
}

/** `import{a as b}from"./x.js"`, `export{a}from"./x.js"` or `import"./x.js"`. */
const staticImport = /\b(?:import|export)\s*(?:(\{[^}]*\})\s*from\s*)?"\.\/([\w.-]+\.js)"/g;

/** A lazy import that is hidden. */
const lazyImport = /\bimport\(\(0,\s*"\.\/([\w.-]+\.js)"\)\)/g;

function readCode(directory: string): Map<string, string> {
  return new Map(
    listFiles(directory).filter((name) => name.endsWith(".js"))
      .map((name) => [name, Deno.readTextFileSync(`${directory}/${name}`)]),
  );
}
