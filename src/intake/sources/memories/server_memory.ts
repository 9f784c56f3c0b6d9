// The MCP reference server `server-memory`: a graph in one JSONL file, an entity with its observations
// or a relation per line. The file is written anew at each change and has no times.

import type { Json } from "../loose_json.ts";
import { otherType, type RecordFormat } from "../reading.ts";
import { memoryFileSource } from "./memory_file.ts";
import { memoryRow, toItems } from "./memory_row.ts";

const format: RecordFormat = {
  isRevised: "timeless",
  idOf: ({ type, name, from, relationType, to }) =>
    type === "entity" ? `entity:${name}` : `relation:${from}:${relationType}:${to}`,
  rows(line, base) {
    if (line.type === "relation") {
      return memoryRow([`${line.from} ${line.relationType} ${line.to}`], base);
    }
    if (line.type !== "entity") return otherType(line.type);
    const head = `${line.name} (${line.entityType})`;
    return memoryRow([head, toItems(line.observations)], base, { title: line.name });
  },
};

export const serverMemory = memoryFileSource({
  name: "server-memory",
  title: "MCP server-memory",
  files: /\.jsonl?$/,
  begins: /^\s*\{"type":\s*"(?:entity|relation)",/,
  values: (text) => text.split("\n"),
  format,
  isMemory: ({ type }: Json) => type === "entity" || type === "relation",
});
