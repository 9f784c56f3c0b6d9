// Whether two built files give the same answers: questions made from the rows of each store in --data
// DIR, asked of a server of each file in its own copy of the store. CTX_BENCH_BEFORE names the file of
// before, CTX_BENCH_AFTER the other (dist/ctx). Prints how many answers differ, and in what.

import { McpPipe } from "../support/mcp_pipe.ts";
import { seededRandom } from "../support/seeded_random.ts";
import type { BenchTable } from "../support/table.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

const perStore = Number(Deno.env.get("CTX_BENCH_ANSWERS") ?? 390);
const flags: object[] = [
  ...[{}, {}, {}, { mode: "lexical" }, { k: 20 }, { unit: "row" }, { type: "decision" }],
  ...[{ exact: true }, { role: "user" }, { since: "2024-02-01" }],
];
const kinds = ["same", "words", "order", "results", "failure"] as const;
type Kind = typeof kinds[number];

export async function run(): Promise<BenchTable[]> {
  const before = Deno.env.get("CTX_BENCH_BEFORE");
  const data = Deno.env.get("CTX_BENCH_DATA");
  if (before === undefined || data === undefined) {
    throw new Error("set CTX_BENCH_BEFORE to the built file of before and --data to the stores");
  }
  const rows: (string | number)[][] = [];
  const examples: (string | number)[][] = [];
  for (const { name } of [...Deno.readDirSync(data)].sort((a, b) => a.name < b.name ? -1 : 1)) {
    const work = await Deno.makeTempDir({ prefix: "ctx-answers-" });
    try {
      const counts = await compareStore(`${data}/${name}`, { work, before, examples });
      const all = kinds.reduce((sum, kind) => sum + counts[kind], 0);
      rows.push([name, all, ...kinds.slice(1).map((kind) => counts[kind])]);
      Deno.stderr.writeSync(new TextEncoder().encode(`${rows.at(-1)?.join(" ")}\n`));
    } finally {
      await Deno.remove(work, { recursive: true });
    }
  }
  const title = "Answers of two built files";
  const head = ["store", "answers", "other words", "other order", "other results", "one failed"];
  const example = { title: "Examples", head: ["kind", "question", "before", "after"] };
  return [{ title, head, rows }, { ...example, rows: examples }];
}

async function compareStore(
  store: string,
  { work, before, examples }: { work: string; before: string; examples: (string | number)[][] },
): Promise<Record<Kind, number>> {
  const built = fromFileUrl(new URL("../../dist/ctx", import.meta.url));
  const after = Deno.env.get("CTX_BENCH_AFTER") ?? built;
  const servers = [];
  for (const [name, program] of [["before", before], ["after", after]]) {
    const cwd = `${work}/${name}/store`;
    await Deno.mkdir(`${work}/${name}`);
    await new Deno.Command("cp", { args: ["-r", store, cwd] }).output();
    const env = { HOME: `${work}/${name}`, XDG_CACHE_HOME: `${work}/cache` };
    await new Deno.Command(program, { args: ["reindex"], cwd, env, stdout: "null" }).output();
    const server = new McpPipe(program, { args: ["mcp"], cwd, env });
    await server.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    await server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    servers.push(server);
  }
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const call of questionsOf(store)) {
    const asked = servers.map((server) => server.ask("tools/call", call));
    const [one, two] = (await Promise.all(asked)).map(toText);
    const kind = kindOf(one, two);
    counts[kind]++;
    if (kind === "same" || examples.length >= 40) continue;
    let at = 0;
    while (one[at] === two[at]) at++;
    const part = (text: string): string =>
      text.slice(Math.max(0, at - 60), at + 100).replace(/[|\s]+/g, " ");
    examples.push([kind, JSON.stringify(call.arguments), part(one), part(two)]);
  }
  for (const server of servers) await server[Symbol.asyncDispose]();
  return counts;
}

/** What is said, without what differs from call to call. */
function toText(line: string): string {
  const { result, error } = JSON.parse(line);
  if (error !== undefined || result.isError) return `failed: ${JSON.stringify(error ?? result)}`;
  const text: string = result.content.map((part: { text?: string }) => part.text).join("\n");
  return text.replace(/\bT-\w+/g, "T").replace(/"(took_ms|duration_ms)":[\d.]+/g, "")
    .replace(/#[0-9a-f]{4}\b/g, "#").replace(/\/(?:before|after)\/store\b/g, "");
}

function kindOf(one: string, two: string): Kind {
  if (one === two) return "same";
  if (one.startsWith("failed") !== two.startsWith("failed")) return "failure";
  const [ids, others] = [one, two].map((text) => text.match(/\b[A-Z]-[0-9a-z]{8,}/g) ?? []);
  if (ids.join() === others.join()) return "words";
  return ids.toSorted().join() === others.toSorted().join() ? "order" : "results";
}

/** Words of rows as queries, some of them misspelled or negated; and rows to read. */
function* questionsOf(store: string): Generator<{ name: string; arguments: object }> {
  const random = seededRandom(37);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)];
  const lines = Deno.readTextFileSync(`${store}/.contextfs/history.ndjson`).trimEnd().split("\n");
  for (let i = 0; i < perStore; i++) {
    const { id, text = "" } = JSON.parse(pick(lines));
    if (i % 13 === 0) yield { name: "get", arguments: { ids: [id] } };
    if (i % 13 === 1) yield { name: "timeline", arguments: { id } };
    if (i % 13 < 2) continue;
    const words = String(text).match(/[A-Za-z_][\w./-]{2,40}/g)?.slice(0, 400) ?? ["cache"];
    const count = pick([1, 1, 2, 3, 5, 8]);
    const start = Math.floor(random() * Math.max(1, words.length - count));
    const query = words.slice(start, start + count).join(" ");
    const form = pick(["", "", "", "", "", "", "zzq", "how do we ", "-"]);
    const asked = form === "-" ? `${query} -${pick(words)}` : `${form}${query}`;
    yield { name: "search", arguments: { query: asked, ...pick(flags) } };
  }
}
