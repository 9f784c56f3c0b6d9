// Puts chunks that are always loaded together into one file. The bundler makes a chunk for every
// set of lazy parts that share some code: dozens of small files, each of which costs a start about
// half a millisecond. Works on a bundle whose lazy imports are hidden.

import { hideLazyImports, listFiles } from "./bundle.ts";
import { runDeno } from "./run_deno.ts";

/** What some entries load, or only what others load too. */
interface StartPart {
  entries: readonly string[];
  also?: readonly string[];
}

const commandEntries = ["command", "argv", "app", "view", "get"];
const hookEntries = ["run_hook"];

/**
 * Parts that start together, in order: what any start needs, what `get` and `search` add to it. What
 * the hook before edits shares with these is apart, so that it need not load all of them.
 */
export const startGroups: readonly { file: string; parts: readonly StartPart[] }[] = [
  {
    file: "start.js",
    parts: [{ entries: ["mod", "main"] }, { entries: commandEntries, also: hookEntries }],
  },
  { file: "command_start.js", parts: [{ entries: commandEntries }] },
  { file: "terms_start.js", parts: [{ entries: ["search"], also: hookEntries }] },
  { file: "search_start.js", parts: [{ entries: ["search"] }] },
  { file: "hook_start.js", parts: [{ entries: hookEntries }] },
];

/** Merges the chunks of each group, in place. */
export async function mergeChunks(directory: string): Promise<void> {
  const done = new Set<string>();
  for (const { file, parts } of startGroups) {
    const code = readCode(directory);
    const needed = new Set(parts.flatMap((part) => [...chunksOf(part, code)]));
    const chunks = [...needed].filter((name) => !done.has(name)).sort();
    for (const name of chunks) done.add(name);
    if (chunks.length < 2) continue;
    await Deno.writeTextFile(`${directory}/merge.js`, mergeEntry(chunks, code));
    const outside = [...code.keys()].filter((name) => !chunks.includes(name));
    await runDeno([
      "bundle",
      "-q",
      "--no-config",
      "--minify",
      ...outside.flatMap((name) => ["--external", `./${name}`]),
      "--output",
      file,
      "merge.js",
    ], { cwd: directory });
    for (const name of [...chunks, "merge.js"]) await Deno.remove(`${directory}/${name}`);
    done.add(file);
    for (const [name, text] of readCode(directory)) {
      const linked = name === file ? hideLazyImports(text) : redirect(text, chunks, file);
      await Deno.writeTextFile(`${directory}/${name}`, linked);
    }
  }
}

function chunksOf({ entries, also }: StartPart, code: Map<string, string>): Set<string> {
  const chunks = closureOf(entries, code);
  return also === undefined ? chunks : chunks.intersection(closureOf(also, code));
}

/** The shared chunks that some entries load before they run. */
function closureOf(entries: readonly string[], code: Map<string, string>): Set<string> {
  const isEntry = (name: string): boolean =>
    entries.some((entry) =>
      name === `${entry}.js` || new RegExp(`^${entry}-\\w{8}\\.js$`).test(name)
    );
  const seen = new Set<string>();
  const visit = (name: string): void => {
    for (const [, , target] of (code.get(name) ?? "").matchAll(staticImport)) {
      if (seen.has(target) || !code.has(target)) continue;
      seen.add(target);
      visit(target);
    }
  };
  for (const name of code.keys()) if (isEntry(name)) visit(name);
  return new Set([...seen].filter((name) => name.startsWith("chunk-")));
}

/** A module that gives out everything of some chunks, under names that tell them apart. */
function mergeEntry(chunks: readonly string[], code: Map<string, string>): string {
  return chunks.map((name, at) => {
    const given = exportsOf(code.get(name) ?? "").map((item) => `${item} as ${mark(at)}${item}`);
    return `import "./${name}";export { ${given.join(", ")} } from "./${name}";\n`;
  }).join("");
}

/** Turns imports from merged chunks into imports from the merged file. */
function redirect(text: string, chunks: readonly string[], file: string): string {
  return text.replace(staticImport, (all, clause: string | undefined, target: string) => {
    const at = chunks.indexOf(target);
    if (at < 0) return all;
    if (!clause) return `import"./${file}"`;
    const names = clause.slice(1, -1).split(",").map((item) => {
      const [from, to = from] = item.trim().split(/\s+as\s+/);
      return `${mark(at)}${from} as ${to}`;
    });
    return `${all.startsWith("export") ? "export" : "import"}{${names.join(",")}}from"./${file}"`;
  });
}

function exportsOf(text: string): string[] {
  const list = /export\s*\{([^}]*)\}\s*;?\s*$/.exec(text)?.[1] ?? "";
  return list.split(",").map((item) => item.trim().split(/\s+as\s+/).at(-1) ?? "")
    .filter((item) => item !== "");
}

function mark(at: number): string {
  return `m${at}_`;
}

/** `import{a as b}from"./x.js"`, `export{a}from"./x.js"` or `import"./x.js"`. */
const staticImport = /\b(?:import|export)\s*(?:(\{[^}]*\})\s*from\s*)?"\.\/([\w.-]+\.js)"/g;

function readCode(directory: string): Map<string, string> {
  return new Map(
    listFiles(directory).filter((name) => name.endsWith(".js"))
      .map((name) => [name, Deno.readTextFileSync(`${directory}/${name}`)]),
  );
}
