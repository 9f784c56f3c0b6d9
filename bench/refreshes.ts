// What a refresh of the symbol graph costs after nothing, one file or a tenth of all files changed,
// against a build from nothing: a branch switch must not cost a build.

import { diskFiles } from "../src/disk/files.ts";
import { layoutOf } from "../src/disk/layout.ts";
import { refreshGraph } from "../src/recall/edit/graph/refresh_graph.ts";
import { makeDenseTree, makeSourceTree, type SourceFile, writeTree } from "./source_tree.ts";
import { type BenchTable, medianOf, round } from "./table.ts";

const rounds = 3;

/** Measures refreshes of ordinary and of dense files. */
export async function raceRefreshes(): Promise<BenchTable> {
  const rows = [
    await measure("5000 files", [...makeSourceTree(5000)]),
    await measure("1000 dense files", [...makeDenseTree(1000)]),
  ];
  return {
    title: `Refresh after changes, as a share of a build from nothing (median of ${rounds})`,
    head: ["symbol graph", "build ms", "nothing changed", "one file", "a tenth of the files"],
    rows,
  };
}

async function measure(name: string, sources: SourceFile[]): Promise<(string | number)[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    writeTree(work, sources);
    const run = async (changed: SourceFile[]): Promise<number> => {
      for (const { path } of changed) {
        Deno.writeTextFileSync(`${work}/${path}`, `// ${changed.length}\n`, { append: true });
      }
      const start = performance.now();
      await refreshGraph({ files: diskFiles, layout: layoutOf(work) });
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
