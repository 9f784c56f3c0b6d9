// `ctx get`: the exact text of entries, pageable to the last byte, and sessions. Layer 2 of retrieval.

import { authorOf, docType, type Entry, pools } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { correctedBy } from "../../core/rows/corrected_by.ts";
import { withCaution } from "../../core/instruction_like.ts";
import { firstLine, pageOf } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import { findEntries } from "../../read/find_entries.ts";
import { type CodeChange, type Freshness, freshnessNames } from "../../code/fresh/freshness.ts";
import { maySpeakOfCode } from "../../code/fresh/may_speak_of_code.ts";
import type { Lineage } from "../../read/lineage.ts";
import type { ReadExchange } from "../../read/read_exchange.ts";
import type { ShownSession } from "../../read/show_sessions.ts";
import { rowsOf } from "../../store/find.ts";
import type { Found, Row, Store } from "../../store/store.ts";
import { type Context, define, type ResultOf } from "../../command/command.ts";
import { fitRows } from "../../command/budget.ts";
import { type ReadingFormat, readingFormats } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";
import type { View } from "../../command/view.ts";

function gotEntry() {
  return s.object({
    ...s.each(s.text(), "id", "ts", "role", "type", "text"),
    ...s.each(s.optional(s.text()), "session_id", "title", "collection", "document", "section"),
    ...s.each(s.optional(s.text()), "supersedes", "superseded_by", "superseded_author"),
    ...s.each(s.optional(s.text()), "caution", "author", "saved_by"),
    freshness: s.optional(s.oneOf(freshnessNames)),
    changed: s.optional(s.objectLike<CodeChange>()),
    ...s.each(s.optional(s.listOf(s.text())), "tags", "files", "refs", "also_in"),
    /** Of a record: how far it is trusted, by the rows that it was derived from. */
    lineage: s.optional(s.objectLike<Lineage>()),
    source: s.optional(s.openObject({ agent: s.text() })),
    pool: s.oneOf(pools),
    ...s.each(s.number(), "offset", "original_chars", "estimated_tokens"),
    truncated: s.boolean(),
    next_offset: s.optional(s.number()),
  });
}
type GotEntry = s.ValueOf<ReturnType<typeof gotEntry>>;

export const get = define({
  name: "get",
  summary: "Read entries by id, in full.",
  description:
    "Shows --head characters starting at --offset; next_offset is where the next page starts. When output is piped, texts are complete, and a single id prints exactly the bytes of its text. A session is read as with `ctx show`, up to 20,000 tokens; --before and --after show the messages around an entry, --exchange summarizes the exchange it belongs to (prompt, decisions, commands with results, outcome) in up to 800 tokens.",
  input: {
    ids: s.naming("H or S", s.someOf("Ids of entries or sessions (H-…, S-…).")),
    head: s.optionalInteger("Characters per text; 0 for all (default 1200, all when piped).", {
      min: 0,
    }),
    offset: s.integer("Character to start at.", { min: 0, default: 0 }),
    format: s.choice(
      "What to show; stripped omits tool output, outline has first lines.",
      readingFormats,
      "full",
    ),
    max_tokens: s.optionalInteger(
      "Stop at this many tokens; skipped_ids lists the rest.",
      { min: 1 },
    ),
    expand: s.optionalInteger("Only messages around this one (in a session).", { min: 0 }),
    before: s.optionalInteger("Messages before the entry.", { min: 0 }),
    after: s.optionalInteger("Messages after the entry.", { min: 0 }),
    exchange: s.flag("Summarize its exchange."),
    session: s.naming(
      "S",
      s.withDefault(s.text("Only this session: all, current or an id."), "all"),
    ),
  },
  get output() {
    return {
      layer: s.oneOf(["L2"]),
      results: s.listOf(gotEntry()),
      sessions: s.optional(s.listOf(s.objectLike<ShownSession>())),
      exchanges: s.optional(s.listOf(s.objectLike<ReadExchange>())),
      ...s.each(s.listOf(s.text()), "missing", "skipped_ids"),
      ...s.each(s.number(), "head", "estimated_tokens"),
    };
  },
  positional: ["ids"],
  effect: "read",
  quick: true,
  tool: "get",
  examples: [
    { argv: ["get", "H-1m2ff20hgvzrprjcr"], about: "Read one entry." },
    {
      argv: ["get", "H-1m2ff20hgvzrprjcr", "--head", "40", "--offset", "40"],
      about: "Read its second page.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const session = resolveSession(input.session, store, context);
    const head = input.head ?? (context.isPiped ? 0 : 1200);
    const ids = [...new Set(input.ids)];
    const isWindow = input.before !== undefined || input.after !== undefined;
    if (isWindow && input.exchange) throw twoWays();
    const isEntry = (id: string) => id.startsWith("H-");
    const isPlain = !isWindow && ids.every(isEntry);
    const inExchange = input.exchange ? ids.filter(isEntry) : [];
    const rest = input.exchange ? ids.filter((id) => !isEntry(id)) : ids;
    const more = isPlain && context.surface !== "mcp"
      ? undefined
      : await import("../../read/get_sessions.ts");
    const read = isPlain
      ? undefined
      : await more?.getSessions(store, rest, { ...input, ...context, session: session ?? "all" });
    const left = read?.left ?? input.max_tokens;
    const told = input.exchange
      ? await (await import("../../read/read_exchange.ts")).readExchanges(store, inExchange, {
        session,
        budgetTokens: left,
      })
      : undefined;
    const spent = told?.exchanges.reduce((sum, one) => sum + one.estimated_tokens, 0) ?? 0;
    const others = [...read?.others ?? rest, ...told?.others ?? []];
    const found = await findEverywhere(others, store, context);
    const fresh = await tellOf(found, store);
    const items: GotEntry[] = [];
    const missing: string[] = [];
    for (const id of others) {
      const hit = found.get(id);
      const rows = rowsOf(hit);
      const row = rows.find(({ entry }) => (session ?? entry.session_id) === entry.session_id);
      const known = row === hit?.row ? fresh?.get(id) : undefined;
      const lineage = row?.entry.record === undefined
        ? undefined
        : await (await loadLineage()).findLineage(store, row);
      if (row) {
        const item = toItem(row, { ...hit, ...input, head, rows });
        items.push({ ...item, ...known, ...(lineage ? { lineage } : {}) });
      } else missing.push(id);
    }
    if (missing.length === ids.length) {
      if (session !== undefined) await context.wholeIds("S", [input.session]);
      throw notFound(missing);
    }
    const { rows: results, estimated_tokens: entryTokens } = fitRows(
      items,
      left === undefined ? undefined : Math.max(0, left - spent),
      context.surface === "mcp" ? (await loadBrief()).tokensOf : undefined,
    );
    const over = items.slice(results.length).map(({ id }) => id);
    const got = {
      layer: "L2" as const,
      results,
      ...(told ? { exchanges: told.exchanges } : {}),
      missing,
      skipped_ids: [...told?.skipped_ids ?? [], ...over],
      head,
      estimated_tokens: entryTokens + spent,
    };
    return read ? read.join(got) : got;
  },
  trace(input, data) {
    const { missing = [], skipped_ids = [], results = [], head = input.head } = data ?? {};
    const texts = results.flatMap(({ id, truncated }) => truncated ? id : []);
    return {
      args: { ...input, head },
      session: input.session,
      ranking: results.map(({ id, pool, text }) => ({ id, pool, summary: firstLine(text, 160) })),
      total: data && results.length,
      budgets: { head, tokens: input.max_tokens },
      ...([...texts, ...missing, ...skipped_ids].length > 0
        ? { truncation: { texts, missing, skipped_ids } }
        : {}),
    };
  },
  async brief({ results, sessions, exchanges, missing, skipped_ids }) {
    const entries = results.map((await loadBrief()).briefEntry);
    const told = { exchanges, results: entries, missing, skipped_ids };
    if (sessions === undefined) return told;
    const { briefSession } = await import("../../read/get_sessions.ts");
    return { sessions: sessions.map(briefSession), ...told };
  },
  render(data, view) {
    if (isExact(data, view)) return data.results[0].text;
    const parts = data.results.map((item) => renderItem(item, view));
    for (const one of data.exchanges ?? []) parts.push(renderExchange(one, view));
    for (const { id, title, messages } of data.sessions ?? []) {
      const lines = messages.map(({ index, role, content }) => `${index} [${role}]\t${content}`);
      parts.push([`${view.bold(id)}  ${title}`, ...lines, ""].join("\n"));
    }
    if (data.missing.length > 0) parts.push(`Not found: ${data.missing.join(", ")}\n`);
    if (data.skipped_ids.length > 0) {
      parts.push(`Not shown, over the budget: ${data.skipped_ids.join(", ")}\n`);
    }
    return parts.join("\n");
  },
  note(data, view) {
    const [item] = data.results;
    if (!isExact(data, view)) return undefined;
    if (item.superseded_by) return correctedBy(item);
    if (item.changed?.says) return item.changed.says;
    if (!item.truncated) return undefined;
    return `more: --offset ${item.next_offset} for the next page, --head 0 for the whole text`;
  },
});

/** Looks ids up in history, among the user's own documents, and in the transcripts of chats. */
async function findEverywhere(
  ids: string[],
  store: Store,
  context: Context,
): Promise<Map<string, Found>> {
  const found = await findEntries(store, ids);
  const lost = ids.filter((id) => found.get(id)?.row === undefined);
  const user = lost.length > 0 ? await context.openUserStore() : undefined;
  for (const [id, hit] of user ? await findEntries(user, lost) : []) {
    if (hit.row?.entry.type === docType) found.set(id, hit);
  }
  const unknown = ids.filter((id) => found.get(id)?.row === undefined);
  if (unknown.length === 0) return found;
  const { ChatStore, hasChats } = await import("../../store/chat_log.ts");
  if (hasChats(store)) {
    for (const [id, hit] of new ChatStore(store).find(unknown)) if (hit.row) found.set(id, hit);
  }
  return found;
}

/** What is told of the code under the entries, where some may speak of code. */
async function tellOf(
  found: ReadonlyMap<string, Found>,
  store: Store,
): Promise<ReadonlyMap<string, Freshness> | undefined> {
  const entries = [...found.values()].flatMap(({ row }) => row?.entry ?? []);
  if (!maySpeakOfCode(store, entries)) return undefined;
  return (await import("../../code/fresh/tell_freshness.ts")).tellFreshness(store, entries, {
    isPatient: true,
  });
}

/** One entry on a pipe is its text and nothing else. */
function isExact(data: ResultOf<typeof get>, view: View): boolean {
  return data.results.length === 1 && !data.sessions?.length && !data.exchanges?.length &&
    !view.terminal &&
    data.missing.length === 0 &&
    data.skipped_ids.length === 0;
}

/** Only of records. */
const loadLineage = () => import("../../read/lineage.ts");

/** Only agents are told it so. */
const loadBrief = () => import("../../read/brief_entry.ts");

function toItem(
  row: Row,
  input: {
    head: number;
    offset: number;
    format: ReadingFormat;
    superseded_by?: string;
    superseded_author?: string;
    /** All that its id names. */
    rows: readonly Row[];
  },
): GotEntry {
  const { entry, pool } = row;
  const author = authorOf(row);
  const others = input.rows.flatMap((one) => one === row ? [] : one.entry.session_id ?? []);
  const whole = formatText(entry, input.format);
  const page = pageOf(whole, input.offset, input.head);
  return {
    id: entry.id,
    ts: entry.ts,
    role: entry.role,
    type: entry.type,
    session_id: entry.session_id,
    title: entry.title,
    tags: entry.tags,
    files: entry.files,
    refs: entry.refs,
    source: entry.source && { ...entry.source },
    ...placeOf(entry),
    supersedes: entry.supersedes,
    superseded_by: input.superseded_by,
    ...(others.length > 0 ? { also_in: others } : {}),
    ...withCaution(page.text),
    ...(author === undefined ? {} : { author }),
    ...(row.entry.saved_by === undefined ? {} : { saved_by: row.entry.saved_by }),
    ...(input.superseded_author && { superseded_author: input.superseded_author }),
    pool,
    text: page.text,
    offset: Math.min(input.offset, whole.length),
    truncated: page.truncated,
    next_offset: page.next_offset,
    original_chars: entry.text.length,
    estimated_tokens: countTokens(page.text),
  };
}

/** Where a section of a document stands. */
function placeOf(entry: Entry): Record<string, string> {
  const names = ["collection", "document", "section"];
  return Object.fromEntries(names.flatMap((name) => {
    const value = entry[name];
    return typeof value === "string" ? [[name, value]] : [];
  }));
}

function formatText(entry: Entry, format: ReadingFormat): string {
  if (format === "outline") {
    return `[${entry.role}] ${firstLine(entry.text, 120)} (${countTokens(entry.text)} tokens)`;
  }
  if (format === "stripped" && (entry.role === "tool" || entry.type === "tool_output")) {
    return `[tool output left out: ${entry.text.length} characters]`;
  }
  if (format === "user_only" && entry.role !== "user") return "";
  return entry.text;
}

function renderItem(item: GotEntry, view: View): string {
  const facts = [
    view.moment(item.ts),
    item.role,
    item.type,
    item.session_id,
    item.source?.agent,
    item.author && `by ${item.author}`,
    item.saved_by && "saved by an agent",
    item.pool,
  ];
  const head = `${view.bold(item.id)}  ${view.dim(facts.filter(Boolean).join(" · "))}`;
  const title = item.title ? `\n${view.bold(item.title)}` : "";
  const about = [["files", item.files], ["tags", item.tags]] as const;
  const named = about.flatMap(([name, values]) =>
    values?.length ? view.wrap(view.dim(`${name}: ${values.join(", ")}`)) : []
  ).map((line) => `\n${line}`).join("");
  const others = item.also_in
    ? `\n(its id also names an entry of ${item.also_in.join(", ")}: --session reads it)`
    : "";
  const replaced = item.superseded_by ? `\n(${correctedBy(item)})` : "";
  const stale = item.changed?.says ? view.warning(`\n(${item.changed.says})`) : "";
  const left = item.original_chars - (item.next_offset ?? 0);
  const more = item.truncated
    ? view.dim(
      `\n[+${view.count(left)} characters: --offset ${item.next_offset}, or --head 0 for all]`,
    )
    : "";
  const rests = item.lineage === undefined ? "" : `\n${renderLineage(item.lineage, view)}`;
  return `${
    view.wrap(head)
  }${title}${named}${replaced}${stale}${others}${rests}\n${item.text}${more}\n`;
}

/** What a record rests on, a line each. */
function renderLineage({ trust, evidence }: Lineage, view: View): string {
  const sent = trust === "outside" ? ", so it is never sent" : "";
  const lines = evidence.map(({ id, from, trust }) => `  ${id}  ${from} (${trust})`);
  return view.dim([`trust: ${trust}${sent}; derived from`, ...lines].join("\n"));
}

/** An exchange: each line with its entry; a command with what came of it. */
function renderExchange({ lines, left_out }: ReadExchange, view: View): string {
  const told = lines.map((line) => {
    const { id, part, text, result, failed, superseded_by } = line;
    const name = failed ? view.warning(`${part}, failed`) : part;
    const came = result === undefined ? "" : `\n${view.dim(`→ ${result}`)}`;
    const replaced = superseded_by ? `\n(${correctedBy(line)})` : "";
    return `${view.bold(id)}  ${view.dim(name)}${replaced}\n${text}${came}\n`;
  });
  const more = left_out > 0 ? [view.dim(`[+${left_out} lines: --max-tokens reads more]\n`)] : [];
  return [...told, ...more].join("\n");
}

function twoWays(): CtxError {
  return new CtxError("USAGE", "Cannot combine --exchange with --before or --after", {
    hint: "use --exchange alone, or --before and --after for the messages around an entry",
  });
}

function notFound(ids: string[]): CtxError {
  const names = ids.slice(0, 5).map((id) => `"${id}"`).join(", ");
  return new CtxError("NOT_FOUND", `Cannot get ${names}: there is no such entry or session`, {
    hint: "ctx search QUERY finds ids; ctx sessions lists sessions",
  });
}
