// A change of very many files: `ctx suggest` answers from what it could read in time, says so, and
// goes on when it is asked again.

import assert from "node:assert/strict";
import { diskFiles } from "../../../../src/disk/files.ts";
import { layoutOf } from "../../../../src/disk/layout.ts";
import { graphPaths } from "../../../../src/recall/edit/graph/code_graph.ts";
import { refreshSources } from "../../../../src/recall/edit/open_sources.ts";
import { leastFiles, refreshGraph } from "../../../../src/recall/edit/graph/refresh_graph.ts";
import { suggest } from "../../../../src/recall/edit/run_suggest.ts";
import { tempProject, writeSources } from "../../../support/suggest_project.ts";
import { type TempStore, testNow } from "../../../support/temp_store.ts";

/** What is left after the first step is more than a delta holds. */
const left = 80;
const count = leastFiles + left;

Deno.test("suggest without time answers about the file, tells what is left, and gets all done", async () => {
  await using t = await tempProject({ sources: makeSources("first") });
  const asked = "src/unit_207.ts";
  const notes: string[][] = [];
  for (let call = 0; call < 3; call++) notes.push(await ask(t, asked, noTime()));
  const note = `${left} changed files have not been read yet: the next ctx suggest continues`;
  assert.deepEqual(notes.map((said) => said.filter((text) => text.includes("read yet"))), [
    [note],
    [],
    [],
  ]);
  assert.ok(!notes[0].some((note) => note.includes("not in the symbol graph")));
  assertWhole(t, await tablesOf(t));
  writeSources(t, makeSources("second edition"));
  assert.ok((await ask(t, asked, noTime())).includes(note));
  assert.deepEqual(await ask(t, asked, noTime()), await ask(t, asked));
  assertWhole(t, await tablesOf(t));
});

Deno.test("a hook after a turn keeps what it got done in its time", async () => {
  await using t = await tempProject({ sources: makeSources("first") });
  const store = t.open();
  const signal = new AbortController().signal;
  const options = { limitMs: 3000, signal };
  await refreshSources(store, { ...options, ticks: noTime() });
  const { layout } = store;
  assert.equal((await refreshGraph({ files: diskFiles, layout })).parsed, left);
});

/** A clock on which an hour passes between any two looks. */
function noTime(): () => number {
  let now = 0;
  return () => now += 3_600_000;
}

function makeSources(say: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [
    `src/unit_${i}.ts`,
    `import { work${i + 1} } from "./unit_${
      i + 1
    }.ts";\n/** ${say} */\nexport function work${i}(): void { work${i + 1}(); }\n`,
  ]));
}

/** Asks about a file; returns what is said about the answer. */
async function ask(t: TempStore, path: string, ticks = () => 0): Promise<string[]> {
  const rank = { limit: 5, minScore: 0, minPrecision: 0, enabled: new Set<never>(), repeat: true };
  const { notes } = await suggest({
    path,
    recent: [],
    reports: [],
    cooldownMs: 0,
    recentChangeDays: 7,
    refresh: true,
    rank,
  }, { store: t.open(), now: () => testNow, random: () => "x", ticks });
  return notes;
}

/** The table as it is, and as it is when it is built from nothing. */
async function tablesOf(t: TempStore): Promise<[Uint8Array, Uint8Array]> {
  const layout = layoutOf(t.workspace);
  const path = graphPaths(layout).table;
  const found = Deno.readFileSync(path);
  Deno.removeSync(path);
  await refreshGraph({ files: diskFiles, layout });
  return [found, Deno.readFileSync(path)];
}

function assertWhole(t: TempStore, [found, whole]: [Uint8Array, Uint8Array]): void {
  assert.ok(found.length === whole.length && found.every((byte, i) => byte === whole[i]), t.root);
}
