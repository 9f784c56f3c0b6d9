// Calls of ctx itself in an agent's history: each becomes one short row that says what was asked for,
// under the id of the call. What ctx answered is in the store already and is not stored again; the row
// of a save names the entry that it made, and one that failed says why. Pure.

import type { EntryTool } from "../../core/entry.ts";
import {
  type OwnTool,
  ownToolOf,
  recallType,
  savesEntry,
  toRecallText,
} from "../../core/rows/own_tool.ts";
import { firstLine } from "../../core/text.ts";
import type { SourceEntry } from "../sources/source.ts";

interface OpenCall {
  own: OwnTool;
  row: SourceEntry;
}

/** The calls of ctx in one conversation while it is read. */
export class OwnCalls {
  /** Calls that wait for their result, which may have more to say, by their ids. */
  readonly #open = new Map<string, OpenCall>();
  readonly #seen = new Set<string>();
  /** How many answers of ctx were left out. */
  answers = 0;

  /** The rows to store for one that was read: itself, if it is no call of ctx. */
  take(entry: SourceEntry): SourceEntry[] {
    const { tool, type } = entry;
    if (tool === undefined || (type !== "tool_call" && type !== "tool_output")) {
      return [...this.release(), entry];
    }
    return type === "tool_call" ? this.#takeCall(entry, tool) : this.#takeResult(entry, tool);
  }

  /** The calls whose results have not come. */
  release(): SourceEntry[] {
    const rows = [...this.#open.values()].map(({ row }) => row);
    this.#open.clear();
    return rows;
  }

  #takeCall(entry: SourceEntry, tool: EntryTool): SourceEntry[] {
    const own = ownToolOf(tool.name, tool.input);
    const id = idOf(tool);
    const before = this.#open.get(id);
    this.#open.delete(id);
    const rows = before === undefined ? [] : [before.row];
    if (own === undefined) return [...rows, entry];
    this.#seen.add(id);
    this.#open.set(id, { own, row: toRow(entry, own) });
    return rows;
  }

  #takeResult(entry: SourceEntry, tool: EntryTool): SourceEntry[] {
    const id = idOf(tool);
    const open = this.#open.get(id);
    if (open !== undefined) {
      this.#open.delete(id);
      this.answers++;
      return [complete(open, entry)];
    }
    const own = ownToolOf(tool.name, tool.input);
    if (own === undefined) return [entry];
    this.answers++;
    // Its call was read earlier, and is stored as it was then: only what it could not say is told.
    const late = complete({ own, row: toRow(entry, own) }, entry);
    const saysMore = late.refs !== undefined || tool.error !== undefined;
    return saysMore && !this.#seen.has(id) ? [late] : [];
  }
}

/** Agents without ids of calls write the result after its call. */
function idOf({ call_id }: EntryTool): string {
  return typeof call_id === "string" ? call_id : "";
}

function toRow(entry: SourceEntry, own: OwnTool): SourceEntry {
  const { files: _files, commits: _commits, recalled: _recalled, tool, ...rest } = entry;
  const call_id = tool?.call_id;
  return {
    ...rest,
    role: "tool",
    type: recallType,
    text: toRecallText(own),
    tool: { name: `ctx__${own.tool}`, ...(call_id === undefined ? {} : { call_id }) },
  };
}

function complete({ own, row }: OpenCall, { text, tool, usage }: SourceEntry): SourceEntry {
  const completed = usage === undefined || row.usage !== undefined ? row : { ...row, usage };
  if (tool?.error !== undefined) {
    const why = firstLine(text, maxWhyChars);
    const called = { name: `ctx__${own.tool}`, ...row.tool, error: true };
    return { ...completed, text: `${row.text} (failed: ${why})`, tool: called };
  }
  const id = savesEntry(own) ? savedId.exec(text)?.[0] : undefined;
  return id === undefined ? completed : { ...completed, refs: [id] };
}

const maxWhyChars = 200;
const savedId = /\bH-[0-9a-hjkmnp-tv-z]{17}\b/;
