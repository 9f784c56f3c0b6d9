// `ctx export`: everything out again, as NDJSON rows or as Markdown to read.

import * as z from "zod/mini";
import type { Entry } from "../core/entry.ts";
import { Pacer } from "../core/pacer.ts";
import { concat, decodeLossy, encodeExact } from "../core/utf8.ts";
import { define } from "./command.ts";
import { choice, optionalText, text, withDefault } from "./param.ts";
import { resolveSession } from "./session_scope.ts";
import { countOf } from "./view.ts";

/** Exports entries in log order. */
export const exportCommand = define({
  name: "export",
  group: "Lifecycle",
  summary: "Write all entries to standard output, as NDJSON or Markdown.",
  description:
    "NDJSON rows carry every field, also those ctx does not know. Forgotten entries are left out. `ctx import contextfs --root FILE` takes them in again as they are. With --json the rows come inside the result.",
  input: {
    format: choice("The form.", ["ndjson", "markdown"], "ndjson"),
    session: withDefault(text("all, current or a session's id.", 1), "all"),
    type: optionalText("Only entries of this type."),
  },
  output: () =>
    z.object({
      format: z.enum(["ndjson", "markdown"]),
      entries: z.number(),
      bytes: z.number(),
      text: z.optional(z.string()),
    }),
  effect: "read",
  examples: [{ argv: ["export", "--format", "markdown"], about: "The whole memory to read." }],
  async run(input, context) {
    const store = await context.openStore();
    const session = resolveSession(input.session, store, context);
    const toText = input.format === "ndjson" ? toRow : toMarkdown;
    const kept: Uint8Array[] = [];
    let entries = 0;
    let bytes = 0;
    const pacer = new Pacer(context.signal);
    for (const { entry } of store.entries()) {
      if (pacer.isDue) await pacer.rest();
      if (session !== undefined && entry.session_id !== session) continue;
      if (input.type !== undefined && entry.type !== input.type) continue;
      const chunk = encodeExact(toText(entry));
      entries++;
      bytes += chunk.length;
      if (context.write) context.write(chunk);
      else kept.push(chunk);
    }
    const text = context.write ? {} : { text: decodeLossy(concat(kept)) };
    return { format: input.format, entries, bytes, ...text };
  },
  render(data, view) {
    return view.streamed ? `ctx: ${exported(data)}\n` : data.text ?? "";
  },
  note(data, view) {
    return view.streamed || data.entries > 0 ? undefined : exported(data);
  },
});

function exported({ entries, bytes }: { entries: number; bytes: number }): string {
  return `exported ${countOf(entries, "entry", "entries")}, ${bytes} bytes`;
}

function toRow(entry: Entry): string {
  return JSON.stringify(entry) + "\n";
}

function toMarkdown(entry: Entry): string {
  const facts = [entry.ts, entry.role, entry.type, entry.session_id].filter(Boolean).join(" · ");
  const title = entry.title ?? entry.id;
  return `## ${title}\n\n${entry.id} · ${facts}\n\n${entry.text.trimEnd()}\n\n`;
}
