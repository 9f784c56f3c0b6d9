// An entry as agents are told it: what a reader needs beside the text, and nothing that is empty.

import { type CodeChange, type FreshnessName, isStale } from "../code/fresh/freshness.ts";
import { briefMeasure, kindOf, minuteOf, withoutEmpty } from "../command/brief.ts";

/** What `get` shows of an entry. */
interface ShownEntry extends Record<string, unknown> {
  ts: string;
  role: string;
  type: string;
  source?: { agent: string };
  truncated: boolean;
  original_chars: number;
  offset: number;
  freshness?: FreshnessName;
  changed?: CodeChange;
}

/** The entry in fewer words; how long the whole is only where there is more of it. */
export function briefEntry(item: ShownEntry): object {
  const { id, session_id, title, tags, files, collection, document, section, text } = item;
  const { supersedes, superseded_by, also_in, freshness, changed, caution, next_offset } = item;
  const { author, superseded_author } = item;
  return withoutEmpty({
    id,
    ts: minuteOf(item.ts),
    kind: kindOf(item),
    session_id,
    agent: item.source?.agent,
    author,
    title,
    tags,
    files,
    collection,
    document,
    section,
    supersedes,
    superseded_by,
    superseded_author,
    also_in,
    freshness: isStale(freshness) ? freshness : undefined,
    changed: changed?.says,
    caution,
    offset: item.offset || undefined,
    next_offset,
    chars: item.truncated ? item.original_chars : undefined,
    text,
  });
}

/** What it costs an agent. */
export const tokensOf = briefMeasure<ShownEntry>("mcp", briefEntry);
