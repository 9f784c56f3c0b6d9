// mem0 and OpenMemory: memories as JSON, as `get_all()` returns and as exports hold them: a list, or an
// object with the list under `results` or `memories`. mem0 calls the text `memory`, OpenMemory `content`.

import { toList, toObject, toText } from "../loose_json.ts";
import type { RecordFormat } from "../reading.ts";
import { memoryFileSource } from "./memory_file.ts";
import { memoryRow } from "./memory_row.ts";

const format: RecordFormat = {
  isRevised: "timeless",
  timeOf: ({ created_at }) => typeof created_at === "number" ? created_at * 1000 : created_at,
  rows: ({ memory, content }, base) => memoryRow([toText(memory) ?? content], base),
};

/** Memories of mem0 and OpenMemory. */
export const mem0 = memoryFileSource({
  name: "mem0",
  title: "mem0",
  files: /\.json$/,
  begins: /^\s*(?:\[|\{\s*"[a-z_]+"\s*:)[\s\S]*"(?:memory|content)"\s*:\s*"/,
  values(_text, document) {
    const held = toObject(document);
    return toList(held?.results ?? held?.memories ?? document);
  },
  format,
  isMemory: ({ id, memory, content }) =>
    toText(id) !== undefined && (toText(memory) ?? toText(content)) !== undefined,
});
