// The layers of the design: each room of src/ imports only the rooms listed for it.

import assert from "node:assert/strict";
import { repository } from "../support/repository.ts";

const everything = [
  "core",
  "config",
  "store",
  "sources",
  "index",
  "retrieval",
  "suggest",
  "documents",
  "llm",
  "commands",
  "app",
  "mcp",
  "web",
  "version",
];
const mayImport: Record<string, string[]> = {
  core: [],
  config: ["core"],
  store: ["core"],
  sources: ["core"],
  index: ["core", "store"],
  retrieval: ["core", "store", "index"],
  suggest: ["core", "store", "index", "retrieval"],
  documents: ["core", "store"],
  llm: ["core"],
  commands: [
    "core",
    "config",
    "store",
    "sources",
    "index",
    "retrieval",
    "suggest",
    "documents",
    "llm",
    "version",
  ],
  app: ["core", "config", "store", "index", "llm", "commands"],
  mcp: ["core", "commands"],
  web: ["core", "commands"],
  cli: everything,
  version: [],
};
/** Packages that only some rooms may load; anything else is free. */
const packageRooms: Record<string, string[]> = {
  "zod/mini": ["commands", "cli"],
  "zod": [],
  "tokenx": ["core"],
  "jsonc-parser": ["config", "suggest"],
  "smol-toml": ["config"],
  "@sqlite.org/sqlite-wasm": ["sources"],
};

const files = [...sourceFiles(`${repository}/src`)];

Deno.test("there are source files to look at", () => {
  assert.ok(files.length > 30);
});

Deno.test("every room of src/ has its place in the layers", () => {
  const rooms = new Set(files.map(roomOf));
  assert.deepEqual([...rooms].filter((room) => !Object.hasOwn(mayImport, room)), []);
});

Deno.test("no layer imports upwards", () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      if (!specifier.startsWith(".")) continue;
      const target = new URL(specifier, `file://${file}`).pathname;
      if (!target.startsWith(`${repository}/src/`)) continue;
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from !== to && !mayImport[from]?.includes(to)) {
        wrong.push(`${short(file)} → ${short(target)}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("packages are loaded only where they belong, node: in importers only, @std nowhere", () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith(".")) continue;
      // Importers read databases, git packs are compressed, Deno's caches are databases, webhooks go
      // to an address that was checked, servers bound what clients take up: Deno's own API cannot.
      // They load late.
      const mayUseNode = ["sources", "suggest"].includes(roomOf(file)) ||
        ["src/cli/settle_caches.ts", "src/web/listen.ts"].includes(short(file));
      const isForbidden = /^(jsr:|npm:|https?:|@std\/)/.test(specifier) ||
        (specifier.startsWith("node:") && !mayUseNode);
      const rooms = packageRooms[specifier];
      if (isForbidden || (rooms && !rooms.includes(roomOf(file)))) {
        wrong.push(`${short(file)} → ${specifier}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("only the command line prints, and only mod.ts and it exit", () => {
  const wrong = files.filter((file) => roomOf(file) !== "cli").filter((file) =>
    /\bconsole\.|Deno\.(stdout|stderr|exit|exitCode)\b/.test(withoutComments(file))
  );
  assert.deepEqual(wrong.map(short), []);
});

Deno.test("only the store, the configuration command and the command line touch files", () => {
  const writes = /Deno\.(write|create|remove|rename|truncate|mkdir|symlink|link|chmod|open)\w*\(/;
  const wrong = files.filter((file) => !["store", "sources", "cli"].includes(roomOf(file)))
    .filter((file) => writes.test(withoutComments(file)));
  assert.deepEqual(wrong.map(short), []);
});

Deno.test("no file is a junk drawer, and each opens by saying what it is for", () => {
  const junk = /\/(index|utils?|helpers?|common|types)\.ts$/;
  assert.deepEqual(files.filter((file) => junk.test(file)).map(short), []);
  const silent = files.filter((file) => !/^(\/\/ |\/\*\*)/.test(Deno.readTextFileSync(file)));
  assert.deepEqual(silent.map(short), []);
});

function* sourceFiles(directory: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) yield* sourceFiles(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

/** Static and dynamic imports and re-exports, types included: a type is knowledge too. */
function importsOf(file: string): string[] {
  const text = withoutComments(file);
  const pattern = /\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g;
  return [...text.matchAll(pattern)].map((match) => match[1]);
}

function withoutComments(file: string): string {
  return Deno.readTextFileSync(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

function roomOf(file: string): string {
  return short(file).split("/")[1].replace(/\.ts$/, "");
}

function short(file: string): string {
  return file.slice(repository.length + 1);
}
