// `ctx export`: everything out again, as NDJSON rows or as Markdown to read; a session as a page to hand on.

import { type Entry, ownPools, pools } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { toSize } from "../../core/to_size.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { concat, decodeLossy, encodeExact } from "../../core/utf8.ts";
import { listExtras } from "../../store/lifecycle/export_extras.ts";
import type { Row } from "../../store/store.ts";
import type { SharedSession } from "../../read/share/shared_session.ts";
import { parsePins, type Pin, readPinsText } from "../../store/logs/pins.ts";
import { define } from "../../command/command.ts";
import { anySession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";
import { countOf } from "../../command/view.ts";

const formats = ["ndjson", "markdown", "html"] as const;

export const exportCommand = define({
  name: "export",
  summary: "Export all entries or one session as NDJSON, Markdown or HTML.",
  description:
    "Markdown and HTML are meant for sharing: secrets are redacted once more and home directories are written as ~. `ctx export --html SESSION > session.html` makes one file without scripts or external resources, with a list of prompts, edits as diffs, and the session's sub-agents. NDJSON rows are the lines of the log, byte for byte, including fields ctx does not know. Forgotten entries are left out; session events and pins come last. `ctx import contextfs --root FILE` imports an export unchanged. With --json the rows are part of the result.",
  input: {
    format: s.choice("Output format.", formats, "ndjson"),
    html: s.flag("Same as --format html."),
    session: anySession,
    type: s.optionalText("Only entries of this type."),
    team: s.flag("Include entries of other team members."),
  },
  output: {
    format: s.oneOf(formats),
    ...s.each(s.number(), "entries", "bytes"),
    text: s.optional(s.text()),
  },
  positional: ["session"],
  effect: "read",
  paged: false,
  examples: [
    { argv: ["export", "--format", "markdown"], about: "Export everything as Markdown." },
    {
      argv: ["export", "--html", "S-1m2few700s4d0k3nc"],
      about: "Export a session as a page to share.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const session = resolveSession(input.session, store, context);
    const format = input.html ? "html" : input.format;
    const isRows = format === "ndjson";
    const home = context.env("HOME");
    const kept: Uint8Array[] = [];
    let entries = 0;
    let bytes = 0;
    const put = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (context.write) context.write(chunk);
      else kept.push(chunk);
    };
    const text = (): { text?: string } => context.write ? {} : { text: decodeLossy(concat(kept)) };
    if (format === "html" || (format === "markdown" && session !== undefined && !input.type)) {
      const id = getOne(session, input.type);
      using view = store.openView();
      const { readShared } = await import("../../read/share/shared_session.ts");
      const shared = await readShared({ store, view, id }, { home });
      const parts = format === "html"
        ? (await import("../../read/share/session_html.ts")).sessionHtml(shared)
        : (await import("../../read/share/session_markdown.ts")).sessionMarkdown(shared);
      for await (const part of parts) {
        put(encodeExact(part));
        if (isBreathDue()) await breathe(context.signal);
      }
      return { format, entries: countShared(shared), bytes, ...text() };
    }
    const { shareEntry } = await import("../../read/share/shared_text.ts");
    const sessions = new Set<string>();
    const pinned = new Set(parsePins(readPinsText(store)).map(({ id }) => id));
    const exportedPins = new Set<string>();
    for (const row of store.entries({ pools: input.team ? pools : ownPools, lines: isRows })) {
      const { entry } = row;
      if (isBreathDue()) await breathe(context.signal);
      if (session !== undefined && entry.session_id !== session) continue;
      if (input.type !== undefined && entry.type !== input.type) continue;
      put(isRows ? toLine(row) : encodeExact(toMarkdown(shareEntry(entry, home))));
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
    return { format, entries, bytes, ...text() };
  },
  render: (data, view) => view.streamed ? `ctx: ${exported(data)}\n` : data.text ?? "",
  note: (data, view) => view.streamed || data.entries > 0 ? undefined : exported(data),
});

/** The session that a page is made of. */
function getOne(session: string | undefined, type: string | undefined): string {
  if (session !== undefined && type === undefined) return session;
  const what = session === undefined ? "everything" : `entries of type "${type}"`;
  throw new CtxError("USAGE", `Cannot export ${what} as HTML: a page shows one session`, {
    hint: "ctx sessions lists them; then: ctx export --html SESSION",
  });
}

function countShared({ messages, agents }: SharedSession): number {
  const own = messages.reduce((sum, { outputs }) => sum + 1 + outputs.length, 0);
  const started = [...messages.flatMap((message) => message.agents), ...agents];
  return started.reduce((sum, session) => sum + countShared(session), own);
}

function exported({ entries, bytes }: { entries: number; bytes: number }): string {
  return `exported ${countOf(entries, "entry", "entries")}, ${toSize(bytes)}`;
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
