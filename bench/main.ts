// `deno task bench [NAME…]`: runs the benches, prints their tables and keeps them under
// bench/results/. Numbers are ratios within one run wherever a machine's noise would matter.

import { type BenchTable, toMarkdown } from "./table.ts";

const benches: Record<string, () => Promise<{ run: () => Promise<BenchTable[]> }>> = {
  startup: () => import("./startup.ts"),
  binary: () => import("./binary.ts"),
  append: () => import("./append.ts"),
  scan: () => import("./scan.ts"),
  graph: () => import("./graph.ts"),
  suggest: () => import("./suggest.ts"),
  import: () => import("./import.ts"),
  browse: () => import("./browse.ts"),
  docs: () => import("./docs.ts"),
  lifecycle: () => import("./lifecycle.ts"),
  search: () => import("./search.ts"),
  quality: () => import("./quality.ts"),
  mcp: () => import("./mcp.ts"),
};

const names = Deno.args.length > 0 ? Deno.args : Object.keys(benches);
for (const name of names) {
  const load = benches[name];
  if (load === undefined) {
    say(`unknown bench "${name}"; there are ${Object.keys(benches).join(", ")}\n`);
    Deno.exit(2);
  }
  const tables = await (await load()).run();
  const date = new Date().toISOString().slice(0, 10);
  const text = tables.map(toMarkdown).join("\n");
  say(`${text}\n`);
  const results = new URL("./results/", import.meta.url);
  await Deno.mkdir(results, { recursive: true });
  const head =
    `# ${name}\n\n\`deno task bench ${name}\`, ${date}, ${Deno.build.os} ${Deno.build.arch}, ${navigator.hardwareConcurrency} cores, Deno ${Deno.version.deno}\n\n`;
  await Deno.writeTextFile(new URL(`${name}.md`, results), head + text);
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
