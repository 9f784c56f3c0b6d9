// `deno task bench [NAME…] [--rows N,N] [--repository PATH] [--weights PATH,PATH]
// [--data DIR [--late]] [--corpus FILE] [--set NAME] [--only PART,PART] [--git DIR]`: runs the benches,
// prints their tables and keeps them under bench/results/. Numbers are ratios within one run wherever a
// machine's noise would matter. --rows chooses the sizes of those that generate rows; then the file is
// named after them. --repository is for `blame`: another history than our own; --weights is for `tune`:
// only these. Nothing is kept of either. --data is for `import`, transcripts of your own, of which nothing is kept
// either; for `why`: a repository with the sessions behind its commits, and --late also measures
// what no weight was chosen on; for `audit`: checkouts with rule files; for `answers`: directories with stores; for `guard`: a checkout of MemoryCode; for `silence`: a checkout of BEAM; for `fresh`: a checkout with its
// sessions imported; for `compaction`: transcripts in which there are some, a directory per project. --corpus is for
// `redact`: another corpus than our own, of which nothing is kept either. --set, --only and --git are for
// `tell`: one set, some of what is measured, of which nothing is kept; and git history as well.

import { type BenchTable, round, toMarkdown } from "./support/table.ts";

const benches: Record<string, () => Promise<{ run: () => Promise<BenchTable[]> }>> = {
  startup: () => import("./startup.ts"),
  loaded: () => import("./loaded.ts"),
  binary: () => import("./binary.ts"),
  picker: () => import("./search/picker.ts"),
  ui: () => import("./ui.ts"),
  before: () => import("./before.ts"),
  append: () => import("./append.ts"),
  scan: () => import("./search/scan.ts"),
  graph: () => import("./suggest/graph.ts"),
  blame: () => import("./blame.ts"),
  suggest: () => import("./suggest/suggest.ts"),
  import: () => import("./import.ts"),
  browse: () => import("./search/browse.ts"),
  docs: () => import("./docs.ts"),
  lifecycle: () => import("./lifecycle.ts"),
  search: () => import("./search/search.ts"),
  answers: () => import("./search/answers.ts"),
  quality: () => import("./quality/quality.ts"),
  common: () => import("./search/common.ts"),
  skipping: () => import("./search/skipping.ts"),
  silence: () => import("./quality/silence.ts"),
  confidence: () => import("./quality/confidence.ts"),
  ask: () => import("./quality/ask.ts"),
  public: () => import("./public/public.ts"),
  tune: () => import("./quality/tune.ts"),
  recall: () => import("./recall/recall.ts"),
  mcp: () => import("./mcp.ts"),
  inject: () => import("./recall/inject.ts"),
  hook: () => import("./recall/hook.ts"),
  tokens: () => import("./tokens.ts"),
  loop: () => import("./recall/loop.ts"),
  redact: () => import("./redact.ts"),
  why: () => import("./why/why.ts"),
  fresh: () => import("./fresh.ts"),
  sync: () => import("./sync.ts"),
  team: () => import("./team.ts"),
  tell: () => import("./tell/tell.ts"),
  compaction: () => import("./recall/compaction.ts"),
  audit: () => import("./audit/audit.ts"),
  guard: () => import("./guard/guard.ts"),
  now: () => import("./recall/now.ts"),
  compare: () => import("./compare/compare.ts"),
};

const given = [...Deno.args];
const rows = takeOption("--rows");
const repository = takeOption("--repository");
const weights = takeOption("--weights");
const data = takeOption("--data");
const corpus = takeOption("--corpus");
const set = takeOption("--set");
const only = takeOption("--only");
const histories = takeOption("--git");
const isLate = given.includes("--late");
if (isLate) {
  given.splice(given.indexOf("--late"), 1);
  Deno.env.set("CTX_BENCH_LATE", "1");
}
if (corpus !== undefined) Deno.env.set("CTX_BENCH_CORPUS", corpus);
if (data !== undefined) Deno.env.set("CTX_BENCH_DATA", data);
if (set !== undefined) Deno.env.set("CTX_TELL_SET", set);
if (only !== undefined) Deno.env.set("CTX_TELL_ONLY", only);
if (histories !== undefined) Deno.env.set("CTX_TELL_GIT", histories);
if (weights !== undefined) Deno.env.set("CTX_BENCH_WEIGHTS", weights);
if (rows !== undefined) Deno.env.set("CTX_BENCH_ROWS", rows);
if (repository !== undefined) Deno.env.set("CTX_BENCH_REPOSITORY", repository);
// Without a file of before there is nothing to hold against; weights are tuned when asked for, and
// labelled sessions are not everywhere.
const all = Object.keys(benches).filter((name) =>
  !["tune", "why", "fresh", "tell", "public", "audit", "compaction", "guard", "answers", "compare"]
    .includes(name) &&
  (name !== "before" || Deno.env.has("CTX_BENCH_BEFORE"))
);
const names = given.length > 0 ? given : all;
for (const name of names) {
  const open = benches[name];
  if (open === undefined) {
    say(`unknown bench "${name}"; there are ${Object.keys(benches).join(", ")}\n`);
    Deno.exit(2);
  }
  const tables = await (await open()).run();
  // Others on the machine slow everything down: with a load above the cores, look at ratios only.
  const load = round(Deno.loadavg()[0], 1);
  const date = new Date().toISOString().slice(0, 10);
  const text = tables.map(toMarkdown).join("\n");
  say(`${text}\n`);
  if (tables.every(({ rows }) => rows.length === 0)) continue;
  const ownData = ["import", "fresh", "audit", "answers"].includes(name) ? data : undefined;
  if ((repository ?? weights ?? ownData ?? corpus ?? set ?? only) !== undefined) continue;
  const results = new URL("./results/", import.meta.url);
  await Deno.mkdir(results, { recursive: true });
  const words = name + (rows === undefined ? "" : ` --rows ${rows}`) +
    (data === undefined ? "" : ` --data DIR${isLate ? " --late" : ""}`) +
    (histories === undefined ? "" : " --git DIR");
  const head =
    `# ${name}\n\n\`deno task bench ${words}\`, ${date}, ${Deno.build.os} ${Deno.build.arch}, ${navigator.hardwareConcurrency} cores, load ${load}, Deno ${Deno.version.deno}\n\n`;
  const file = rows === undefined ? name : `${name}-${rows.replaceAll(",", "-")}`;
  await Deno.writeTextFile(new URL(`${file}.md`, results), head + text);
}

/** Takes an option and its value out of the words given. */
function takeOption(name: string): string | undefined {
  const at = given.indexOf(name);
  return at < 0 ? undefined : given.splice(at, 2)[1];
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
