// Rows that move from the hot log to the archive while a search is under way are found: the two steps
// of a move are done at every n-th call of the file layer.

import assert from "node:assert/strict";
import { catchUp } from "../../src/index/catch_up.ts";
import { toOwnPath } from "../../src/core/platform_path.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import { diskFiles, type Files } from "../../src/disk/files.ts";
import { Store } from "../../src/store/store.ts";
import { rowOf } from "../support/stores/temp_store.ts";

const now = Date.parse("2026-01-31T00:00:00Z");
const request = {
  query: "common",
  k: 50,
  offset: 0,
  mode: "lexical",
  scope: "all",
  explain: false,
  include_thinking: false,
} as const;

const archived = lines(0, 6);
const hot = lines(6, 16);
/** What a move leaves in the hot log. */
const stays = (_line: string, i: number): boolean => i % 3 !== 0;

for (const archive of [[], archived]) {
  // How many of the hot rows are indexed.
  for (const indexed of [0, 11, hot.length]) {
    for (const isWarm of [false, true]) {
      const name = `${archive.length} archived, ${indexed} of ${hot.length} indexed` +
        (isWarm ? ", index open" : "");
      Deno.test(`a search beside a move misses nothing: ${name}`, async () => {
        for (const gap of [1, 4]) {
          for (let at = 1; at < 200; at++) {
            if (await searchBesideMove({ archive, indexed, isWarm, at, gap }) < at) break;
          }
        }
      });
    }
  }
}

/** Searches once, with a move from the given call on; returns how many calls there were. */
async function searchBesideMove(
  options: { archive: string[]; indexed: number; isWarm: boolean; at: number; gap: number },
): Promise<number> {
  const { archive, indexed, isWarm, at, gap } = options;
  const workspace = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-move-" }));
  try {
    const root = `${workspace}/.contextfs`;
    const paths = { hot: `${root}/history.ndjson`, archive: `${root}/history.archive.ndjson` };
    Deno.mkdirSync(root);
    if (archive.length > 0) Deno.writeTextFileSync(paths.archive, archive.join(""));
    Deno.writeTextFileSync(paths.hot, hot.slice(0, indexed).join(""));
    if (indexed > 0) await catchUp(storeOf(workspace, diskFiles), { sealBytes: 1 });
    Deno.writeTextFileSync(paths.hot, hot.slice(indexed).join(""), { append: true });
    await storeOf(workspace, diskFiles).write("test", () => {});
    let calls = 0;
    let isMoving = false;
    const files = counted(diskFiles, () => {
      if (!isMoving) return;
      calls++;
      if (calls === at) {
        const leaving = hot.filter((line, i) => !stays(line, i));
        Deno.writeTextFileSync(paths.archive, leaving.join(""), { append: true });
      }
      if (calls === at + gap) {
        Deno.writeTextFileSync(`${paths.hot}.new`, hot.filter(stays).join(""));
        Deno.renameSync(`${paths.hot}.new`, paths.hot);
      }
    });
    using store = storeOf(workspace, files);
    if (isWarm) await search(store, request);
    isMoving = true;
    const { rows, total } = await search(store, request);
    const expected = archive.length + hot.length;
    const found = new Set(rows.map(({ id }) => id)).size;
    assert.deepEqual([found, rows.length, total], [expected, expected, expected], `call ${at}`);
    closeIndex(store);
    return calls;
  } finally {
    Deno.removeSync(workspace, { recursive: true });
  }
}

function lines(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const text = `common word number${from + i} ${"pad ".repeat(i % 5)}`;
    return JSON.stringify(rowOf({ text }, from + i)) + "\n";
  });
}

function storeOf(workspace: string, files: Files): Store {
  let drawn = 0;
  return new Store({
    workspace,
    files,
    now: () => now,
    random: () => `r${drawn++}`,
    warn: () => {},
  });
}

/** The same files; a function is called before and after each call, also of open readers. */
function counted(files: Files, tick: () => void): Files {
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(own, name) {
        const value = Reflect.get(own, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          tick();
          const result = value.apply(own, args);
          tick();
          return name === "openReader" && result ? wrap(result) : result;
        };
      },
    });
  return wrap(files);
}
