// Every surface finds the same store from the same place: one definition of what a store is and of
// where it is looked for.

import assert from "node:assert/strict";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { homeOf, runCtx } from "../support/processes/run_ctx.ts";
import { realPath } from "../../src/core/platform_path.ts";
import { notOnWindows } from "../support/not_on_windows.ts";
import { removeTree } from "../support/remove_tree.ts";

interface Surrounding {
  /** Makes directories below the root and returns where ctx is started. */
  make(root: string): string;
  words?: (root: string) => string[];
  env?: (root: string) => Record<string, string>;
  /** The store that is found, by the directory that holds it, or the code of the failure. */
  finds: string;
}

const surroundings: Record<string, Surrounding> = {
  "a workspace": { make: (root) => makeStore(`${root}/own`), finds: "own" },
  "a folder inside a workspace": {
    make: (root) => makeDirectory(`${makeStore(`${root}/own`)}/src/deep`),
    finds: "own",
  },
  "foreign files in a .contextfs below a workspace": {
    make(root) {
      const below = makeDirectory(`${makeStore(`${root}/own`)}/below`);
      makeDirectory(`${below}/.contextfs`);
      Deno.writeTextFileSync(`${below}/.contextfs/config.yaml`, "sources: []\n");
      return below;
    },
    finds: "own",
  },
  "foreign files in a .contextfs, and nothing above": {
    make(root) {
      makeDirectory(`${root}/own/.contextfs`);
      Deno.writeTextFileSync(`${root}/own/.contextfs/config.yaml`, "sources: []\n");
      return `${root}/own`;
    },
    finds: "STORE_MISSING",
  },
  "an empty .contextfs below a workspace": {
    make: (root) =>
      makeDirectory(`${makeStore(`${root}/own`)}/below/.contextfs`).replace(/\/[^/]*$/, ""),
    finds: "own",
  },
  "a file named .contextfs below a workspace": {
    make(root) {
      const below = makeDirectory(`${makeStore(`${root}/own`)}/below`);
      Deno.writeTextFileSync(`${below}/.contextfs`, "");
      return below;
    },
    finds: "own",
  },
  "a link to a workspace": {
    make(root) {
      Deno.symlinkSync(makeStore(`${root}/own`), `${root}/link`);
      return `${root}/link`;
    },
    finds: "own",
  },
  "a link to a store, below a workspace": {
    make(root) {
      const below = makeDirectory(`${makeStore(`${root}/own`)}/below`);
      Deno.symlinkSync(`${makeStore(`${root}/other`)}/.contextfs`, `${below}/.contextfs`);
      return below;
    },
    finds: "DENIED",
  },
  "a name that ends with a line end, beside one without": {
    make(root) {
      makeStore(`${root}/own`);
      const lined = `${root}/own\n`;
      Deno.renameSync(makeStore(`${root}/lined`), lined);
      return lined;
    },
    finds: "lined",
  },
  "a workspace inside a workspace": {
    make(root) {
      makeStore(`${root}/own`);
      return makeDirectory(`${makeStore(`${root}/own/inner`)}/src`);
    },
    finds: "inner",
  },
  "a home below a workspace": {
    make: (root) => makeDirectory(`${makeStore(`${root}/own`)}/home`),
    env: (root) => ({ HOME: `${root}/own/home` }),
    finds: "own",
  },
  "--workspace": {
    make(root) {
      makeStore(`${root}/other`);
      return makeStore(`${root}/own`);
    },
    words: (root) => ["--workspace", `${root}/other`],
    finds: "other",
  },
  "--workspace inside a workspace": {
    make: (root) => makeDirectory(`${makeStore(`${root}/own`)}/src`),
    words: () => ["--workspace", "."],
    finds: "STORE_MISSING",
  },
  "a variable that ctx does not know": {
    make(root) {
      makeStore(`${root}/other`);
      return makeStore(`${root}/own`);
    },
    env: (root) => ({ CTX_WORKSPACE: `${root}/other` }),
    finds: "own",
  },
  "an archive without a history": {
    make: (root) => makeStore(`${root}/own`, "history.archive.ndjson"),
    finds: "own",
  },
  "a worktree of a workspace": {
    make: (root) => makeWorktree(makeStore(`${root}/own`), `${root}/tree`),
    finds: "own",
  },
  "a folder of a worktree, beside a store further up": {
    make(root) {
      makeStore(`${root}/up`);
      return makeDirectory(`${makeWorktree(makeStore(`${root}/own`), `${root}/up/tree`)}/src/deep`);
    },
    finds: "own",
  },
  "a folder of a worktree whose like has a store": {
    make(root) {
      makeStore(`${root}/own/packages/inner`);
      return makeDirectory(
        `${makeWorktree(makeStore(`${root}/own`), `${root}/tree`)}/packages/inner/src`,
      );
    },
    finds: "inner",
  },
  "a worktree with a store of its own": {
    make: (root) => makeStore(makeWorktree(makeStore(`${root}/own`), `${root}/tree`)),
    finds: "tree",
  },
  "a worktree of a repository without a store": {
    make: (root) => makeWorktree(makeDirectory(`${root}/own`), `${root}/tree`),
    finds: "STORE_MISSING",
  },
  "a .git that claims to be a worktree of another's repository": {
    make(root) {
      makeWorktree(makeStore(`${root}/own`), `${root}/tree`);
      const clone = makeDirectory(`${root}/clone`);
      Deno.copyFileSync(`${root}/tree/.git`, `${clone}/.git`);
      return clone;
    },
    finds: "STORE_MISSING",
  },
  "a .git whose repository is made up and names another's as the common one": {
    make(root) {
      makeStore(`${root}/own`);
      makeDirectory(`${root}/own/.git`);
      const clone = makeWorktree(makeDirectory(`${root}/fake`), `${root}/clone`);
      Deno.writeTextFileSync(`${root}/fake/.git/worktrees/clone/commondir`, `${root}/own/.git\n`);
      return clone;
    },
    finds: "STORE_MISSING",
  },
  "a .git that is a link to that of another's worktree": {
    make(root) {
      makeWorktree(makeStore(`${root}/own`), `${root}/tree`);
      const clone = makeDirectory(`${root}/clone`);
      Deno.symlinkSync(`${root}/tree/.git`, `${clone}/.git`);
      return clone;
    },
    finds: "STORE_MISSING",
  },
  "a worktree whose main checkout has a link for a store": {
    make(root) {
      const tree = makeWorktree(makeDirectory(`${root}/own`), `${root}/tree`);
      Deno.symlinkSync(`${makeStore(`${root}/other`)}/.contextfs`, `${root}/own/.contextfs`);
      return tree;
    },
    finds: "DENIED",
  },
  "a submodule of a workspace": {
    make(root) {
      const sub = makeDirectory(`${makeStore(`${root}/own`)}/sub`);
      makeDirectory(`${root}/own/.git/modules/sub`);
      Deno.writeTextFileSync(`${sub}/.git`, "gitdir: ../.git/modules/sub\n");
      return sub;
    },
    finds: "own",
  },
  "no store": { make: (root) => makeDirectory(`${root}/own`), finds: "STORE_MISSING" },
};

/** Links need a privilege on Windows, and no name there ends with a line end. */
const needsUnix = /\blink\b|line end/;

for (const [name, surrounding] of Object.entries(surroundings)) {
  Deno.test(`the command line and the server find the same store: ${name}`, {
    ignore: needsUnix.test(name) && notOnWindows("links or line ends in names"),
  }, async () => {
    const root = realPath(Deno.makeTempDirSync({ prefix: "ctx-surrounding-" }));
    try {
      const cwd = surrounding.make(root);
      const words = surrounding.words?.(root) ?? [];
      const env = { HOME: homeOf(root), ...surrounding.env?.(root) };
      const found = [
        await askCommandLine(cwd, words, env),
        // Confined by the launcher, which finds the store for it.
        await askServer(cwd, words, env),
        // Finds the store and confines itself.
        await askServer(cwd, words, { ...env, CTX_LLM_MODEL: "none" }),
      ];
      assert.deepEqual(found, found.map(() => surrounding.finds));
    } finally {
      await removeTree(root);
    }
  });
}

async function askCommandLine(
  cwd: string,
  words: string[],
  env: Record<string, string>,
): Promise<string> {
  const found = await runCtx(["search", "beacon", "--json", ...words], { cwd, env });
  return verdictOf(found.stdout + found.stderr);
}

async function askServer(
  cwd: string,
  words: string[],
  env: Record<string, string>,
): Promise<string> {
  await using session = await connectMcp(cwd, { words, env });
  return verdictOf((await session.call("search", { query: "beacon" })).text);
}

function verdictOf(text: string): string {
  return /(?<=the beacon of )\w+|STORE_MISSING|DENIED/.exec(text)?.[0] ?? text;
}

/** A store with one entry that names the directory. */
function makeStore(directory: string, log = "history.ndjson"): string {
  makeDirectory(`${directory}/.contextfs`);
  const name = directory.replace(/.*\//, "");
  const entry = {
    id: `H-${name}`,
    ts: "2026-01-01T00:00:00.000Z",
    role: "user",
    type: "note",
    session_id: "S-1",
    title: name,
    text: `the beacon of ${name}`,
  };
  Deno.writeTextFileSync(`${directory}/.contextfs/${log}`, `${JSON.stringify(entry)}\n`);
  return directory;
}

/** What `git worktree add` writes. */
function makeWorktree(main: string, tree: string): string {
  const name = tree.replace(/.*\//, "");
  const git = makeDirectory(`${main}/.git/worktrees/${name}`);
  makeDirectory(tree);
  Deno.writeTextFileSync(`${tree}/.git`, `gitdir: ${git}\n`);
  Deno.writeTextFileSync(`${git}/gitdir`, `${tree}/.git\n`);
  Deno.writeTextFileSync(`${git}/commondir`, "../..\n");
  return tree;
}

function makeDirectory(path: string): string {
  Deno.mkdirSync(path, { recursive: true });
  return path;
}

Deno.test("status says which store is used, why, and what it hides", async () => {
  const root = realPath(Deno.makeTempDirSync({ prefix: "ctx-surrounding-" }));
  try {
    const env = { HOME: homeOf(root) };
    const own = makeStore(`${root}/own`);
    const inner = makeStore(`${own}/inner`);
    const tree = makeWorktree(own, `${root}/tree`);
    const sub = makeDirectory(`${own}/sub`);
    Deno.writeTextFileSync(`${sub}/.git`, "gitdir: ../.git/modules/sub\n");
    const reasonOf = async (cwd: string, ...words: string[]): Promise<unknown> => {
      const { stdout } = await runCtx(["status", "--json", ...words], { cwd, env });
      const { store, why, hides } = JSON.parse(stdout);
      return [store, why, hides];
    };
    const store = `${own}/.contextfs`;
    assert.deepEqual(await reasonOf(own), [store, "found in this directory", undefined]);
    assert.deepEqual(await reasonOf(makeDirectory(`${own}/src`)), [
      store,
      "found in the nearest parent directory",
      undefined,
    ]);
    assert.deepEqual(await reasonOf(makeDirectory(`${tree}/src`)), [
      store,
      `${tree} is a git worktree of ${own}, whose store it shares`,
      undefined,
    ]);
    assert.deepEqual(await reasonOf(sub), [
      store,
      `${sub} is a git submodule without a store, so the one above it is used`,
      undefined,
    ]);
    assert.deepEqual(await reasonOf(inner), [
      `${inner}/.contextfs`,
      "found in this directory",
      own,
    ]);
    assert.deepEqual(
      (await reasonOf(root, "--workspace", own) as string[])[1],
      [
        "chosen with --workspace",
      ][0],
    );
    const { stdout } = await runCtx(["status"], { cwd: inner, env });
    assert.ok(
      stdout.includes(`found in this directory\nit hides the store in ${own}`),
    );
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
