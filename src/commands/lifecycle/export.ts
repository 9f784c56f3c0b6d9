// `ctx export`: everything out again, as NDJSON rows or as Markdown to read.

import type { Entry } from "../../core/entry.ts";
import { Pacer } from "../../core/pacer.ts";
import { concat, decodeLossy, encodeExact } from "../../core/utf8.ts";
import { listExtras } from "../../store/lifecycle/export_extras.ts";
import type { Row } from "../../store/store.ts";
import { parsePins, type Pin, readPinsText } from "../../store/logs/pins.ts";
import { define } from "../../table/command.ts";
import { anySession } from "../../table/inputs.ts";
import * as s from "../../table/shape.ts";
import { resolveSession } from "../../table/session_scope.ts";
import { countOf } from "../../table/view.ts";

/** Exports entries in log order. */
export const exportCommand = define({
  name: "export",
  group: "Lifecycle",
  summary: "Write all entries to standard output, as NDJSON or Markdown.",
  description:
    "NDJSON rows are the lines of the log byte for byte, also fields that ctx does not know. Forgotten entries are left out; events of sessions and pins come last, in lines of their own. `ctx import contextfs --root FILE` takes it all in again as it is. With --json the rows come inside the result.",
  input: {
    format: s.choice("The form.", ["ndjson", "markdown"], "ndjson"),
    session: anySession,
    type: s.optionalText("Only entries of this type."),
  },
  output: {
    format: s.oneOf(["ndjson", "markdown"]),
    ...s.each(s.number(), "entries", "bytes"),
    text: s.optional(s.text()),
  },
  effect: "read",
  examples: [{ argv: ["export", "--format", "markdown"], about: "The whole memory to read." }],
  async run(input, context) {
    const store = await context.openStore();
    const session = resolveSession(input.session, store, context);
    const isRows = input.format === "ndjson";
    const kept: Uint8Array[] = [];
    let entries = 0;
    let bytes = 0;
    const put = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (context.write) context.write(chunk);
      else kept.push(chunk);
    };
    const sessions = new Set<string>();
    const pinned = new Set(parsePins(readPinsText(store)).map(({ id }) => id));
    const exportedPins = new Set<string>();
    const pacer = new Pacer(context.signal);
    for (const row of store.entries({ lines: isRows })) {
      const { entry } = row;
      if (pacer.isDue) await pacer.rest();
      if (session !== undefined && entry.session_id !== session) continue;
      if (input.type !== undefined && entry.type !== input.type) continue;
      put(isRows ? toLine(row) : encodeExact(toMarkdown(entry)));
      entries++;
      if (entry.session_id !== undefined) sessions.add(entry.session_id);
      if (pinned.has(entry.id)) exportedPins.add(entry.id);
    }
    if (entries === 0 && input.type !== undefined) {
      context.warn(`no entry${session ? ` of ${session}` : ""} has type "${input.type}"`);
    }
    if (entries === 0 && session !== undefined) await context.wholeIds("S", [input.session]);
    if (isRows) {
      const isAll = session === undefined && input.type === undefined;
      const isWanted = ({ id }: Pin): boolean => id === undefined ? isAll : exportedPins.has(id);
      for (const extra of listExtras(store, { sessions, isWanted })) put(encodeRow(extra));
    }
    const text = context.write ? {} : { text: decodeLossy(concat(kept)) };
    return { format: input.format, entries, bytes, ...text };
  },
  render: (data, view) => view.streamed ? `ctx: ${exported(data)}\n` : data.text ?? "",
  note: (data, view) => view.streamed || data.entries > 0 ? undefined : exported(data),
});

function exported({ entries, bytes }: { entries: number; bytes: number }): string {
  return `exported ${countOf(entries, "entry", "entries")}, ${bytes} bytes`;
}

/** The line as it stands, which a number may need that is longer than numbers here can be. */
function toLine({ entry, line }: Row): Uint8Array {
  return line === undefined ? encodeRow(entry) : concat([line, newline]);
}

function encodeRow(row: object): Uint8Array {
  return encodeExact(JSON.stringify(row) + "\n");
}

const newline = Uint8Array.of(10);

function toMarkdown(entry: Entry): string {
  const facts = [entry.ts, entry.role, entry.type, entry.session_id].filter(Boolean).join(" · ");
  const title = entry.title ?? entry.id;
  return `## ${title}\n\n${entry.id} · ${facts}\n\n${entry.text.trimEnd()}\n\n`;
}
