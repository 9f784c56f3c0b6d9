// The layers of the design: each room of src/ imports only the rooms listed for it.

import assert from "node:assert/strict";
import { repository } from "../support/repository.ts";

interface Room {
  /** The rooms that it may import. */
  imports: string[];
  /**
   * Its folders, lowest first ("." is the room itself): each imports only those before it. Those in a
   * list of their own know nothing of each other.
   */
  folders?: (string | string[])[];
}

/** The house, lowest room first. */
const house: Record<string, Room> = {
  version: { imports: [] },
  core: { imports: [], folders: ["lines", "redact", ".", "voice", "rows", "titles", "time"] },
  formats: { imports: ["core"] },
  disk: { imports: ["core"] },
  config: { imports: ["core"] },
  store: {
    imports: ["core", "formats", "disk"],
    folders: ["logs", "team", ".", "lifecycle", "views"],
  },
  index: {
    imports: ["core", "disk", "store"],
    folders: ["text", "segment", "vectors", "lines", "."],
  },
  command: { imports: ["core", "config", "disk", "store", "index"] },
  code: {
    imports: ["core", "disk", "store", "index", "command"],
    folders: ["git", "blame", "fresh", "why"],
  },
  intake: {
    imports: ["core", "formats", "disk", "store", "index", "command", "code"],
    folders: [
      "agent_files",
      "documents",
      "sources/database",
      "sources",
      [
        "sources/aider",
        "sources/antigravity",
        "sources/claude_code",
        "sources/cline",
        "sources/codex",
        "sources/continue",
        "sources/copilot",
        "sources/crush",
        "sources/cursor",
        "sources/droid",
        "sources/gemini",
        "sources/goose",
        "sources/grok",
        "sources/kimi",
        "sources/kiro",
        "sources/memories",
        "sources/ndjson",
        "sources/opencode",
        "sources/openhands",
        "sources/pi",
        "sources/qwen",
        "sources/specstory",
        "sources/web_export",
        "sources/zed",
      ],
      "import",
    ],
  },
  guard: { imports: ["core", "formats", "disk", "config", "store"], folders: [".", "rules"] },
  setup: { imports: ["version", "core", "disk", "config", "store", "command"] },
  search: {
    imports: ["core", "disk", "store", "index", "command", "code"],
    folders: ["rank", "card", "stale", "spelling", ".", "reach", "typing"],
  },
  read: {
    imports: ["core", "disk", "store", "index", "command", "code", "intake"],
    folders: [".", "overview", "cost", "share"],
  },
  ask: {
    imports: ["core", "config", "store", "command", "intake", "search", "read"],
    folders: ["llm", "."],
  },
  team: {
    imports: ["core", "disk", "config", "store", "command", "read"],
    folders: ["trust", "schema", "remote", "carrier", "files", "sync"],
  },
  recall: {
    imports: [
      "guard",
      "core",
      "formats",
      "disk",
      "config",
      "store",
      "index",
      "command",
      "code",
      "intake",
      "search",
      "read",
    ],
    folders: [
      "distil/commits",
      "distil",
      "trial",
      "handoff",
      "pack",
      "compact",
      "prompt",
      "review",
      "pr",
      "edit/graph",
      "edit/signals",
      "edit",
      "edit/deliver",
      "live",
      "preview",
      "hook",
    ],
  },
  audit: { imports: ["core", "disk", "command", "code", "intake", "recall"] },
  view: {
    imports: ["core", "store", "command", "code", "intake", "search", "read", "recall"],
  },
  serve: {
    imports: ["version", "core", "command", "setup", "read", "ask"],
    folders: ["mcp", "web"],
  },
  commands: {
    imports: [
      "guard",
      "audit",
      "version",
      "core",
      "disk",
      "config",
      "store",
      "index",
      "command",
      "code",
      "intake",
      "setup",
      "search",
      "read",
      "ask",
      "team",
      "view",
      "recall",
    ],
    folders: [
      "retrieval",
      "memory",
      "sessions",
      "proactive",
      "documents",
      "agent",
      "team",
      "lifecycle",
      "setup",
      ".",
    ],
  },
  app: {
    imports: [
      "guard",
      "core",
      "disk",
      "config",
      "store",
      "index",
      "command",
      "intake",
      "read",
      "ask",
      "recall",
      "commands",
    ],
    folders: ["names", "."],
  },
  viewer: {
    imports: ["core", "read", "app"],
    folders: ["data", "code", "parts", "archive", ["session", "source"], "views", "."],
  },
  cli: {
    imports: [
      "setup",
      "version",
      "core",
      "disk",
      "config",
      "store",
      "command",
      "code",
      "intake",
      "search",
      "read",
      "ask",
      "team",
      "view",
      "recall",
      "serve",
      "commands",
      "app",
    ],
    folders: ["line", "completion", "picker", "processes", "."],
  },
};
/** Packages that only some rooms or folders may load; anything else is free. */
const packagePlaces: Record<string, string[]> = {
  "age-encryption": ["team/trust"],
  "postgres": ["team/remote"],
  "aws4fetch": ["team/carrier"],
  "ssh2": ["team/carrier"],
  "jsonc-parser": ["audit", "config"],
  "smol-toml": ["config"],
  "get-east-asian-width": ["view"],
  "pi-tui": ["cli"],
  "@sqlite.org/sqlite-wasm": ["intake/sources"],
  // Where data crosses a border: never on the way of a plain command (startup_test.ts).
  "zod/mini": [
    "serve/mcp",
    "team/remote",
    "team/files",
    "index/vectors",
    "ask/llm",
    "formats",
    "viewer",
  ],
};

const files = [...sourceFiles(`${repository}/src`)];
const imports = new Map(files.map((file) => [file, localImports(file)]));

Deno.test("there are source files to look at", () => {
  assert.ok(files.length > 30);
});

Deno.test("every folder of src/ has its place in the house, and every place its folder", () => {
  const found = new Set(files.map((file) => `${roomOf(file)}/${folderOf(file)}`));
  const named = Object.entries(house).flatMap(([room, { folders = ["."] }]) =>
    folders.flat().map((folder) => `${room}/${folder}`)
  );
  assert.deepEqual([...found].sort(), named.sort());
});

Deno.test("ARCHITECTURE.md shows every room and folder, lowest first, and no other", () => {
  const page = Deno.readTextFileSync(`${repository}/ARCHITECTURE.md`);
  const map = /```\nsrc\/\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const rooms = map.split(/^ {2}(?=\S)/m).filter((part) => part !== "");
  assert.deepEqual(rooms.map((part) => /^\w+/.exec(part)?.[0]), Object.keys(house));
  const wrong = Object.entries(house).flatMap(([room, { folders = ["."] }], i) => {
    const shown = [...rooms[i].matchAll(/\b(\w+)\/(?=\s)/g)].map(([, name]) => name).slice(1);
    const named = folders.flat().filter((folder) => folder !== ".")
      .map((folder) => folder.replace(/^.*\//, ""));
    return shown.sort().join() === named.sort().join() ? [] : [`${room}: ${named} ≠ ${shown}`];
  });
  assert.deepEqual(wrong, []);
});

Deno.test("no room imports upwards, and no folder within a room", () => {
  const wrong: string[] = [];
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [roomOf(file), roomOf(target)];
      const allowed = from === to ? mayReach(house[from], file, target) : house[from].imports;
      if (allowed !== true && !(allowed || []).includes(to)) {
        wrong.push(`${short(file)} → ${short(target)}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("the rooms are listed lowest first", () => {
  const order = Object.keys(house);
  const wrong = Object.entries(house).flatMap(([room, { imports }]) =>
    imports.filter((other) => order.indexOf(other) >= order.indexOf(room)).map((o) => [room, o])
  );
  assert.deepEqual(wrong, []);
});

Deno.test("no files of a room import each other in a circle", () => {
  const done = new Set<string>();
  const walk = (file: string, way: string[]): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of imports.get(file) ?? []) {
      const circle = walk(target, [...way, file]);
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  };
  const circles = files.map((file) => walk(file, [])).filter((circle) => circle !== undefined);
  assert.deepEqual(circles.map((circle) => circle.map(short)), []);
});

Deno.test("a folder holds at most 25 files, and no two files of src/ have one name", () => {
  const folders = Map.groupBy(files, (file) => short(file).replace(/\/[^/]*$/, ""));
  const full = [...folders].filter(([, found]) => found.length > 25).map(([folder]) => folder);
  assert.deepEqual(full, []);
  const names = Map.groupBy(files, (file) => file.replace(/^.*\//, ""));
  const twins = [...names.values()].filter((found) => found.length > 1);
  assert.deepEqual(twins.map((found) => found.map(short)), []);
});

Deno.test("test/ has the rooms of src/, and what is about the whole product", () => {
  const about = [
    "bench",
    "binary",
    "build",
    "clients",
    "contract",
    "crash",
    "docs",
    "format",
    "soak",
    "samples",
    "terminal",
    "wine",
  ];
  const others = [...about, "support", "serve/mcp/conformance"];
  const paths = files.map((file) => short(file).replace(/^src\/|\/?[^/]*$/g, ""));
  const folders = new Set(paths.flatMap((path) => [path, path.replace(/\/.*$/, "")]));
  const missing = [...testFolders(`${repository}/test`)].filter((folder) =>
    !folders.has(folder) && !others.some((name) => `${folder}/`.startsWith(`${name}/`))
  );
  assert.deepEqual(missing, []);
});

Deno.test("a test that is named after a file of src/ lies in that file's folder", () => {
  const homes = new Map(files.map((file) => [file.replace(/^.*\//, ""), short(file)]));
  const wrong = [...sourceFiles(`${repository}/test`)].map(short).flatMap((test) => {
    const home = homes.get(test.replace(/^.*\//, "").replace(/_test\.ts$/, ".ts"));
    const place = home?.replace(/^src\//, "test/").replace(/\.ts$/, "_test.ts");
    return !test.endsWith("_test.ts") || !place || place === test ? [] : [`${test} ≠ ${place}`];
  });
  assert.deepEqual(wrong, []);
});

Deno.test("a file of commands/ defines commands, and only mod.ts lists them", () => {
  const wrong = files.filter((file) => roomOf(file) === "commands")
    .filter((file) => !/\bdefine\(/.test(withoutComments(file)));
  assert.deepEqual(wrong.map(short), ["src/commands/mod.ts"]);
});

Deno.test("packages are loaded only where they belong, node: in importers only, @std nowhere", () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith(".")) continue;
      // Importers read databases, git packs are compressed, Deno's caches are databases, webhooks go
      // past proxies, servers bound what clients take up and see whether a client
      // started them on pipes, chains of rows are hashed without waiting, SSH takes Node's bytes: Deno's
      // own API cannot. They load late.
      const mayUseNode = isIn(file, [
        "intake/sources",
        "recall/edit",
        "code/git",
        "code/blame",
        "team/trust",
        "team/remote",
        "team/carrier",
        "cli/settle_caches.ts",
        "cli/processes/serve.ts",
        "serve/web/listen.ts",
      ]);
      const isForbidden = /^(jsr:|npm:|https?:|@std\/)/.test(specifier) ||
        (specifier.startsWith("node:") && !mayUseNode);
      const places = packagePlaces[specifier];
      if (isForbidden || (places && !isIn(file, places))) {
        wrong.push(`${short(file)} → ${specifier}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("the product's import map holds what the product imports, and nothing else", () => {
  // The page has packages of its own, which only it may load.
  const [own, pages] = ["deno.json", "src/viewer/deno.json"].map((name): string[] =>
    Object.keys(JSON.parse(Deno.readTextFileSync(`${repository}/${name}`)).imports)
  );
  const [page, rest] = [
    files.filter((file) => roomOf(file) === "viewer"),
    files.filter((file) => roomOf(file) !== "viewer"),
  ];
  const used = (from: readonly string[], named: string[]): string[] =>
    from.flatMap(importsOf).filter((name) => /^@?[a-z][\w./-]*$/.test(name)).map((name) =>
      named.find((key) => key.endsWith("/") && name.startsWith(key)) ?? name
    );
  const ofProduct = used([...rest, `${repository}/mod.ts`], own);
  assert.deepEqual([...new Set(ofProduct)].sort(), own.sort());
  const ofPage = used(page, pages);
  assert.deepEqual([...new Set(ofPage)].sort(), pages.sort());
});

Deno.test("only the command line prints, and only mod.ts and it exit", () => {
  const wrong = files.filter((file) => roomOf(file) !== "cli").filter((file) =>
    /\bconsole\.|Deno\.(stdout|stderr|exit|exitCode)\b/.test(withoutComments(file))
  );
  assert.deepEqual(wrong.map(short), []);
});

Deno.test("only the store, the configuration command and the command line touch files", () => {
  const writes = /Deno\.(write|create|remove|rename|truncate|mkdir|symlink|link|chmod|open)\w*\(/;
  const wrong = files.filter((file) => !isIn(file, ["disk", "store", "intake/sources", "cli"]))
    .filter((file) => writes.test(withoutComments(file)));
  assert.deepEqual(wrong.map(short), []);
});

Deno.test("no file is a junk drawer, and each opens by saying what it is for", () => {
  const junk = /\/(index|utils?|helpers?|common|types)\.tsx?$/;
  assert.deepEqual(files.filter((file) => junk.test(file)).map(short), []);
  assert.deepEqual(files.filter((file) => /\/test_[^/]*$/.test(file)).map(short), []);
  const silent = files.filter((file) => !/^(\/\/ |\/\*\*)/.test(Deno.readTextFileSync(file)));
  assert.deepEqual(silent.map(short), []);
});

/** Whether a file may import another of its room. */
function mayReach({ folders = ["."] }: Room, file: string, target: string): boolean {
  const [from, to] = [folderOf(file), folderOf(target)];
  const floorOf = (folder: string): number =>
    folders.findIndex((one) => [one].flat().includes(folder));
  return from === to || floorOf(to) < floorOf(from);
}

/** Whether a file is one of some files and folders of src/. */
function isIn(file: string, places: readonly string[]): boolean {
  return places.some((place) => `${short(file)}/`.startsWith(`src/${place}/`));
}

function* testFolders(directory: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    if (!isDirectory) continue;
    const path = `${directory}/${name}`;
    yield path.slice(`${repository}/test/`.length);
    yield* testFolders(path);
  }
}

function* sourceFiles(directory: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) yield* sourceFiles(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

/** Static and dynamic imports and re-exports, types included: a type is knowledge too. */
function importsOf(file: string): string[] {
  const text = withoutComments(file);
  const pattern = /\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g;
  return [...text.matchAll(pattern)].map((match) => match[1]);
}

function localImports(file: string): string[] {
  return importsOf(file).filter((name) => name.startsWith("."))
    .map((name) => new URL(name, `file://${file}`).pathname)
    .filter((path) => path.startsWith(`${repository}/src/`));
}

function withoutComments(file: string): string {
  return Deno.readTextFileSync(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

function roomOf(file: string): string {
  return short(file).split("/")[1].replace(/\.tsx?$/, "");
}

/** The folder within the room; "." for the room itself. */
function folderOf(file: string): string {
  return short(file).split("/").slice(2, -1).join("/") || ".";
}

function short(file: string): string {
  return file.slice(repository.length + 1);
}
