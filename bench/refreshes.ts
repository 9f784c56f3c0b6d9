// What a refresh of the symbol graph and of the table of words costs after nothing, one file or a
// tenth of all files changed, against a build from nothing: a branch switch must not cost a build.

import { diskFiles } from "../src/store/files/files.ts";
import { layoutOf } from "../src/store/files/layout.ts";
import { refreshGraph, type RefreshOptions } from "../src/suggest/graph/refresh_graph.ts";
import { refreshWords } from "../src/suggest/words/refresh_words.ts";
import { makeDenseTree, makeSourceTree, type SourceFile, writeTree } from "./source_tree.ts";
import { type BenchTable, medianOf, round } from "./table.ts";

const rounds = 3;

/** Measures refreshes of ordinary and of dense files. */
export async function raceRefreshes(): Promise<BenchTable> {
  const rows = [
    await measure("symbol graph, 5000 files", [...makeSourceTree(5000)], refreshGraph),
    await measure("words, 5000 files", [...makeSourceTree(5000)], refreshWords),
    await measure("words, 1000 dense files", [...makeDenseTree(1000)], refreshWords),
    await measure("words, 5000 dense files", [...makeDenseTree(5000)], refreshWords),
  ];
  return {
    title: `Refresh after changes, as a share of a build from nothing (median of ${rounds})`,
    head: ["table", "build ms", "nothing changed", "one file", "a tenth of the files"],
    rows,
  };
}

async function measure(
  name: string,
  sources: SourceFile[],
  refresh: (options: RefreshOptions) => Promise<unknown>,
): Promise<(string | number)[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    writeTree(work, sources);
    const run = async (changed: SourceFile[]): Promise<number> => {
      for (const { path } of changed) {
        Deno.writeTextFileSync(`${work}/${path}`, `// ${changed.length}\n`, { append: true });
      }
      const start = performance.now();
      await refresh({ files: diskFiles, layout: layoutOf(work) });
      return performance.now() - start;
    };
    const build = await run([]);
    const share = async (changed: SourceFile[]): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < rounds; i++) times.push(await run(changed));
      return round(medianOf(times) / build, 3);
    };
    const tenth = sources.filter((_, i) => i % 10 === 0);
    const shares = [await share([]), await share(sources.slice(0, 1)), await share(tenth)];
    return [name, Math.round(build), ...shares];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
