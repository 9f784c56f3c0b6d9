// Imports a history that a test wrote, through `ctx import` as people run it, and reads what came in.

import type { Entry } from "../../../src/core/entry.ts";
import type { Receipt } from "../../../src/intake/import/receipt.ts";
import type { TempStore } from "./temp_store.ts";

/** What an import of one source came to. */
export interface ImportedRows {
  code: number;
  receipt: Receipt;
  /** All rows of the store, oldest first. */
  rows: Entry[];
  stderr: string;
}

/** Writes files below the workspace; gives the directory. Values that are no text become JSON. */
export function writeHistory(t: TempStore, files: Record<string, unknown>): string {
  const root = `${t.workspace}/agent`;
  for (const [path, value] of Object.entries(files)) {
    Deno.mkdirSync(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    const text = typeof value === "string" ? value : JSON.stringify(value);
    Deno.writeTextFileSync(`${root}/${path}`, text);
  }
  return root;
}

/** Runs `ctx import SOURCE --root ROOT`. */
export async function importRows(
  t: TempStore,
  { source, root }: { source: string; root: string },
): Promise<ImportedRows> {
  const words = ["import", source, "--root", root, "--all-projects", "--no-distil", "--json"];
  const { code, stdout, stderr } = await t.ctx(words);
  const history = t.exists("history.ndjson") ? t.read("history.ndjson").trim() : "";
  return {
    code,
    receipt: JSON.parse(stdout).sources[0],
    rows: history === "" ? [] : history.split("\n").map((line) => JSON.parse(line)),
    stderr,
  };
}

/** A row in brief: `user/turn: text`. */
export function briefOf({ role, type, text }: Entry): string {
  return `${role}/${type}: ${text}`;
}
