// `ctx export`: everything out again, as NDJSON rows or as Markdown to read; a session as a page to hand
// on, or many sessions as an archive that searches itself.

import { type Entry, ownPools, pools } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { homeOf, normalizePath, resolvePath } from "../../core/platform_path.ts";
import { toSize } from "../../core/to_size.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { concat, decodeLossy, encodeExact } from "../../core/utf8.ts";
import { type NewFile, openNewFile } from "../../disk/write_new.ts";
import { parseRange } from "../../core/time/parse_when.ts";
import { listExtras } from "../../store/lifecycle/export_extras.ts";
import type { Row } from "../../store/store.ts";
import { parsePins, type Pin, readPinsText } from "../../store/logs/pins.ts";
import { type Context, define } from "../../command/command.ts";
import { anySession, sinceTime } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";
import { countOf } from "../../command/view.ts";
import { findSessions } from "../sessions/sessions.ts";

const formats = ["ndjson", "markdown", "html"] as const;

export const exportCommand = define({
  name: "export",
  summary: "Export entries or sessions as NDJSON, Markdown or HTML.",
  description:
    "Markdown and HTML are meant for sharing: secrets are redacted once more and home directories are written as ~. `ctx export --html SESSION --out session.html` makes one file without scripts or external resources, with a list of prompts, edits as diffs, and the session's sub-agents. Without a session, `ctx export --html --out archive.html` makes an archive of all sessions, or of those that --project, --since and --until select: one file that opens from disk in any browser, searches itself (with typo tolerance, and by agent, role, type and day) and loads nothing. NDJSON rows are the lines of the log, byte for byte, including fields ctx does not know. Forgotten entries are left out; session events and pins come last. `ctx import contextfs --root FILE` imports an export unchanged. With --json the rows are part of the result.",
  input: {
    format: s.choice("Output format.", formats, "ndjson"),
    html: s.flag("Same as --format html."),
    session: anySession,
    type: s.optionalText("Only entries of this type."),
    project: s.optionalText("Only projects whose path contains this."),
    since: sinceTime,
    until: s.optionalText("Only up to this time; a date includes the whole day."),
    team: s.flag("Include entries of other team members."),
    out: s.optionalText("Write to this file instead of printing."),
    force: s.flag("Replace the file if it exists."),
  },
  output: {
    format: s.oneOf(formats),
    ...s.each(s.number(), "entries", "bytes"),
    sessions: s.optional(s.number()),
    ...s.each(s.optional(s.text()), "path", "text"),
  },
  positional: ["session"],
  localInputs: ["out", "force"],
  effect: "read",
  paged: false,
  examples: [
    { argv: ["export", "--format", "markdown"], about: "Export everything as Markdown." },
    {
      argv: ["export", "--html", "S-1m2few700s4d0k3nc"],
      about: "Export a session as a page to share.",
    },
    {
      argv: ["export", "--html", "--since", "30d", "--out", "archive.html", "--force"],
      about: "Export the sessions of the last 30 days as one searchable file.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const session = resolveSession(input.session, store, context);
    const format = input.html ? "html" : input.format;
    const isRows = format === "ndjson";
    const home = homeOf(context.env);
    const { since, until } = parseRange(input, context.now());
    using sink = openSink(input, context);
    const put = (chunk: Uint8Array): void => sink.put(chunk);
    if (format === "html" && session === undefined && input.type === undefined) {
      const { exportArchive } = await import("../../read/share/export_archive.ts");
      const wanted = (await findSessions([store], { ...input, mine: false }, context.now()))
        .filter(({ message_count, author }) =>
          message_count > 0 && (input.team || author === undefined)
        );
      const name = input.project ?? store.layout.workspace.replace(/^.*\//, "");
      const made = await exportArchive(wanted, { name, store, context, put });
      return { format, ...made, ...sink.finish() };
    }
    if (format === "html" || (format === "markdown" && session !== undefined && !input.type)) {
      const id = getOne(session, input.type);
      using view = store.openView();
      const { readShared, countShared } = await import("../../read/share/shared_session.ts");
      const shared = await readShared({ store, view, id }, { home });
      const parts = format === "html"
        ? (await import("../../read/share/session_html.ts")).sessionHtml(shared)
        : (await import("../../read/share/session_markdown.ts")).sessionMarkdown(shared);
      for await (const part of parts) {
        put(encodeExact(part));
        if (isBreathDue()) await breathe(context.signal);
      }
      return { format, entries: countShared(shared), ...sink.finish() };
    }
    let entries = 0;
    const { shareEntry } = await import("../../read/share/shared_text.ts");
    const sessions = new Set<string>();
    const pinned = new Set(parsePins(readPinsText(store)).map(({ id }) => id));
    const exportedPins = new Set<string>();
    for (const row of store.entries({ pools: input.team ? pools : ownPools, lines: isRows })) {
      const { entry } = row;
      if (isBreathDue()) await breathe(context.signal);
      if (session !== undefined && entry.session_id !== session) continue;
      if (input.type !== undefined && entry.type !== input.type) continue;
      if (since !== undefined && entry.ts < since || until !== undefined && entry.ts > until) {
        continue;
      }
      if (input.project !== undefined && !entry.project?.includes(input.project)) continue;
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
      const isAll = [session, input.type, input.project, since, until].every((one) =>
        one === undefined
      );
      const isWanted = ({ id }: Pin): boolean => id === undefined ? isAll : exportedPins.has(id);
      for (const extra of listExtras(store, { sessions, isWanted })) put(encodeRow(extra));
    }
    return { format, entries, ...sink.finish() };
  },
  render: (data, view) => view.streamed || data.path ? `ctx: ${exported(data)}\n` : data.text ?? "",
  note: (data, view) => view.streamed || data.path || data.entries > 0 ? undefined : exported(data),
});

/** The session that a page is made of. */
function getOne(session: string | undefined, type: string | undefined): string {
  if (session !== undefined && type === undefined) return session;
  throw new CtxError(
    "USAGE",
    `Cannot export entries of type "${type}" as HTML: it shows sessions`,
    {
      hint: `ctx export --format markdown --type ${type}`,
    },
  );
}

/** Where an export goes: to a file, to whoever prints it, or into the result. */
interface Sink extends Disposable {
  put(chunk: Uint8Array): void;
  /** What the result says of it. */
  finish(): { bytes: number; path?: string; text?: string };
}

function openSink({ out, force }: { out?: string; force: boolean }, context: Context): Sink {
  let bytes = 0;
  const kept: Uint8Array[] = [];
  const file = out === undefined ? undefined : openOut(out, force, context);
  const write = context.write;
  return {
    put(chunk) {
      bytes += chunk.length;
      if (file !== undefined) file.write(chunk);
      else if (write !== undefined) write(chunk);
      else kept.push(chunk);
    },
    finish() {
      if (file !== undefined) return { bytes, path: file.finish() };
      return write === undefined ? { bytes, text: decodeLossy(concat(kept)) } : { bytes };
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  };
}

/** A file that is there only when it is whole; servers write none. */
function openOut(out: string, force: boolean, { cwd, files, surface }: Context): NewFile {
  if (surface === "mcp" || surface === "http") {
    throw new CtxError("DENIED", "Cannot write to a file from a server", {
      hint: "ctx export --out FILE in a terminal",
    });
  }
  return openNewFile(files, normalizePath(resolvePath(out, cwd)), { force });
}

function exported(
  { entries, bytes, path, sessions }: {
    entries: number;
    bytes: number;
    path?: string;
    sessions?: number;
  },
): string {
  const of = sessions === undefined ? "" : ` of ${countOf(sessions, "session")}`;
  const to = path === undefined ? "" : ` to ${path}`;
  return `exported ${countOf(entries, "entry", "entries")}${of}${to}, ${toSize(bytes)}`;
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
