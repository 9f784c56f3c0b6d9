// Every surface finds the same store from the same place: one definition of what a store is and of
// where it is looked for.

import assert from "node:assert/strict";
import { connectMcp } from "../support/mcp_client.ts";
import { homeOf, runCtx } from "../support/run_ctx.ts";

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
  "no store": { make: (root) => makeDirectory(`${root}/own`), finds: "STORE_MISSING" },
};

for (const [name, surrounding] of Object.entries(surroundings)) {
  Deno.test(`the command line and the server find the same store: ${name}`, async () => {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-surrounding-" }));
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
      Deno.removeSync(root, { recursive: true });
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

function makeDirectory(path: string): string {
  Deno.mkdirSync(path, { recursive: true });
  return path;
}
