// The rows of a store with the name of the schema that each must have: whatever is in a store has a
// form, and a file that nobody knows fails the test.

import { parsePins } from "../../../src/store/logs/pins.ts";
import { isObject } from "../../../src/core/json.ts";
import type { RowSchemas } from "../../../mod.ts";

/** One row, and where it is. */
export interface FormatRow {
  schema: keyof RowSchemas;
  place: string;
  row: unknown;
}

const logs: Record<string, keyof RowSchemas> = {
  "sessions.ndjson": "sessionEvent",
  "retrieval.traces.ndjson": "trace",
  "suggestions.ndjson": "suggestionEvent",
  "subscriptions.ndjson": "subscriptionEvent",
  "injections.ndjson": "injection",
  "captures.ndjson": "capture",
  "live.ndjson": "liveRow",
  "guards.ndjson": "guardEvent",
  "acts.ndjson": "act",
  "shares.ndjson": "share",
  "collections.ndjson": "collectionEvent",
  "usage.ndjson": "modelUse",
  "history.bad.ndjson": "quarantinedBytes",
};
const documents: Record<string, keyof RowSchemas> = {
  "state.json": "state",
  "remote.json": "remote",
  "move.json": "move",
};
/** Settings, what git is told, locks, and what people write. */
const others =
  /^(config\.jsonc|guards\.jsonc|summary\.md|\.gitignore|\.gitattributes|\.lock|\.(watch|follow)\.lock|watch\.json)$/;

/** Every row of a store's files, but for what is derived. */
export function formatRows(root: string): FormatRow[] {
  return [...Deno.readDirSync(root)].flatMap(({ name, isDirectory }) => {
    if (name === "index" || others.test(name)) return [];
    if (isDirectory) {
      return [...Deno.readDirSync(`${root}/${name}`)].flatMap((file) =>
        toRows(`${name}/${file.name}`, Deno.readTextFileSync(`${root}/${name}/${file.name}`))
      );
    }
    return toRows(name, Deno.readTextFileSync(`${root}/${name}`));
  });
}

function toRows(file: string, text: string): FormatRow[] {
  if (file === "pins.md") {
    return parsePins(text).map((row) => ({ schema: "pin", place: `pins.md: ${row.text}`, row }));
  }
  if (Object.hasOwn(documents, file)) {
    return [{ schema: documents[file], place: file, row: JSON.parse(text) }];
  }
  return text.split("\n").filter((line) => line !== "").map((line, i) => {
    const row: unknown = JSON.parse(line);
    return { schema: schemaOf(file, row), place: `${file}, line ${i + 1}`, row };
  });
}

function schemaOf(file: string, row: unknown): keyof RowSchemas {
  const type = isObject(row) ? row.type : undefined;
  if (file.startsWith("chat/")) return "chatRow";
  if (file.startsWith("held/")) return "heldWords";
  if (/^history(\.archive)?\.ndjson$/.test(file)) {
    if (type === "tombstone") return "tombstoneRow";
    if (type === "confirm") return "confirmRow";
    if (type === "verdict") return "verdictRow";
    if (type === "doc") return "documentRow";
    if (isObject(row) && row.record !== undefined) return "recordRow";
    return isObject(row) && typeof row.text !== "string" ? "originalRow" : "historyRow";
  }
  if (!Object.hasOwn(logs, file)) throw new Error(`no schema is known for ${file}`);
  return logs[file];
}
