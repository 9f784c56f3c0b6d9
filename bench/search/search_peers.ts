// The engines that search is measured against: SQLite's FTS5, MiniSearch and Orama as shipped, each
// on the same rows. As a script it runs one FTS5 query: deno run -A bench/search/search_peers.ts DB QUERY

import { DatabaseSync } from "node:sqlite";
import { diskFiles } from "../../src/disk/files.ts";
import { readLines } from "../../src/disk/lines.ts";

/** Engines that are ready to search. */
export interface Peers extends Disposable {
  engines: [string, (text: string) => unknown][];
}

/** Peers that keep everything in memory are left out above this. */
const inMemoryRows = 10_000;

/** Builds the peers' indexes from a history file. */
export async function openPeers(history: string, rows: number): Promise<Peers> {
  const path = history.replace(/\.contextfs\/.*$/, "fts.db");
  const database = buildFts(path, history);
  const engines: Peers["engines"] = [
    ["SQLite FTS5 (porter, OR)", (text) => searchFts(database, text)],
  ];
  if (rows <= inMemoryRows) {
    engines.push(await openMiniSearch(history), await openOrama(history));
  }
  return { engines, [Symbol.dispose]: () => database.close() };
}

interface PlainRow {
  id: string;
  text: string;
}

/** Line by line: a million rows do not fit into a string. */
function* readRows(history: string): Generator<PlainRow> {
  const decoder = new TextDecoder();
  for (const { bytes } of readLines(diskFiles, history)) yield JSON.parse(decoder.decode(bytes));
}

function buildFts(path: string, history: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(
    "CREATE VIRTUAL TABLE rows USING fts5(text, content='', tokenize='porter unicode61')",
  );
  const insert = database.prepare("INSERT INTO rows(rowid, text) VALUES (?, ?)");
  database.exec("BEGIN");
  let number = 1;
  for (const { text } of readRows(history)) insert.run(number++, text);
  database.exec("COMMIT");
  return database;
}

function searchFts(database: DatabaseSync, text: string): unknown {
  const words = text.match(/\w+/g)?.map((word) => `"${word}"`).join(" OR ") ?? '""';
  const query =
    "SELECT rowid, bm25(rows) AS score FROM rows WHERE rows MATCH ? ORDER BY score LIMIT 5";
  return database.prepare(query).all(words);
}

async function openMiniSearch(history: string): Promise<[string, (text: string) => unknown]> {
  const { default: MiniSearch } = await import("minisearch");
  const engine = new MiniSearch({ fields: ["text"] });
  engine.addAll([...readRows(history)].map(({ id, text }) => ({ id, text })));
  return ["MiniSearch 7", (text) => engine.search(text).slice(0, 5)];
}

async function openOrama(history: string): Promise<[string, (text: string) => unknown]> {
  const { create, insertMultiple, search } = await import("@orama/orama");
  const database = create({ schema: { text: "string" }, sort: { enabled: false } });
  await insertMultiple(database, [...readRows(history)].map(({ text }) => ({ text })));
  return ["Orama 3.1.18 as shipped", (text) => search(database, { term: text, limit: 5 })];
}

if (import.meta.main) {
  const [path, text] = Deno.args;
  const database = new DatabaseSync(path, { readOnly: true });
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(searchFts(database, text)) + "\n"));
}
