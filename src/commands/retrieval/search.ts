// `ctx search`: finds entries by what they say. Layer 0 of retrieval.

import { toShellWord } from "../../core/text.ts";
import { CtxError, toErrorBody } from "../../core/errors.ts";
import { isCut, summaryChars } from "../../core/rows/entry_summary.ts";
import { withCaution } from "../../core/instruction_like.ts";
import {
  type Coverage,
  scopes,
  type SearchAnswer,
  searchModes,
  type SearchUnit,
  searchUnits,
} from "../../search/request.ts";
import { ranksAllWords } from "../../search/query.ts";
import { type FoundRow, foundRow } from "../../search/row_shape.ts";
import { sealBytes } from "../../store/index_version.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { TraceRow } from "../../store/logs/trace_log.ts";
import { fitRows } from "../../command/budget.ts";
import type { Store } from "../../store/store.ts";
import { type Context, define } from "../../command/command.ts";
import { findCurrentSession, openReach, resolveSession } from "../../command/session_scope.ts";
import { anySession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { type Confidence, confidencesOf } from "../../search/rank/row_confidence.ts";
import { snippetChars } from "../../search/snippet.ts";
import { searchStores } from "../../search/reach/search_stores.ts";
import { countOf } from "../../command/view.ts";

const mostRows = 50;

export const search = define({
  name: "search",
  summary: "Search your history; best matches first.",
  description:
    'Words match in any form (search finds searching). "a phrase" ranks exact matches first, +"a phrase" requires it, NOT word and NOT "a phrase" exclude. Filters: role:, type:, tag:, file:, project:, branch:, source:, author:, session:, since: and until:. Everything else is text, including flags, code and paths. If nothing matches, the result says what was searched. Results are short: read one with `ctx get ID`, or see what was around it with `ctx timeline ID`.',
  input: {
    query: s.text("Words to search for.", 1),
    k: s.integer("Rows to show.", { min: 1, max: mostRows, default: 5 }),
    offset: s.integer("Rows to skip.", { min: 0, default: 0 }),
    scope: s.choice(
      "What to search; all means history and docs.",
      scopes,
      "all",
    ),
    mode: s.choice("How to search; auto uses vectors if available.", searchModes, "auto"),
    session: anySession,
    role: s.optionalText("Only this role."),
    type: s.optionalText("Only this type."),
    source: s.optionalText("Only this agent (codex, claude-code, …)."),
    model: s.optionalText("Only this model (or part of its name)."),
    project: s.optionalText("Only this project (or part of its path)."),
    branch: s.optionalText("Only this branch."),
    file: s.optionalText("Only this file (path or its last part)."),
    tag: s.optionalText("Only this tag."),
    author: s.optionalText("Only this team member."),
    mine: s.flag("Only your own entries."),
    collections: s.list("Only these document collections."),
    global: s.enabled("Include your own collections (--no-global to exclude)."),
    all_projects: s.flag("Search all of your projects."),
    since: s.optionalText("After this time (2026-11-15, 7d, yesterday)."),
    until: s.optionalText("Up to this time; a date includes the whole day."),
    include_current: s.flag("Include the current session (excluded over MCP)."),
    include_thinking: s.flag("Include agents' thinking."),
    fresh: s.flag("Leave out results whose code has changed."),
    exact: s.flag("Turn off spelling correction."),
    explain: s.flag("Show how each score is computed."),
    facets: s.optionalText("Count matches by fields (session,type)."),
    all_copies: s.flag("Include duplicates."),
    unit: s.optional(s.oneOf(searchUnits, "The unit of results.")),
    budget: s.optionalInteger("Token limit; results that do not fit are left out.", { min: 50 }),
    marks: s.flag("Include match positions."),
    typing: s.flag("For search as you type: match a partial last word; not traced."),
  },
  get output() {
    return {
      layer: s.oneOf(["L0"]),
      query: s.text(),
      ...s.each(s.number(), "k", "offset", "hits", "total", "over_budget", "estimated_tokens"),
      ...s.each(s.optional(s.number()), "matches", "copies", "joined"),
      /** The words that stood for what was typed. */
      searched: s.optional(s.text()),
      scope: s.oneOf(scopes),
      session: s.text(),
      mode: s.oneOf(searchModes),
      results: s.listOf(foundRow()),
      facets: s.optional(
        s.recordOf(s.object({ count: s.number(), values: s.recordOf(s.number()) })),
      ),
      retrieval: s.openObject({
        branch: s.oneOf(["lexical", "vector", "hybrid"]),
        engine: s.oneOf(["index", "scan"]),
        index: s.objectLike<SearchAnswer["index"]>(),
        candidates: s.objectLike<SearchAnswer["candidates"]>(),
        coverage: s.objectLike<Coverage>(),
        corrected: s.optional(s.recordOf(s.text())),
        notes: s.listOf(s.text()),
      }),
    };
  },
  positional: ["query"],
  short: { k: "k" },
  flags: { collections: "collection" },
  list: {
    of: "results",
    columns: ["id", "ts", "score_final", "type", "session_id", "title", "snippet"],
    // Rows of several projects name theirs, and those of others who wrote them.
    also: ["workspace", "author"],
    unless: ({ facets, results: [first] }) => facets !== undefined || first?.explain !== undefined,
  },
  localInputs: ["all_projects", "model", "marks", "typing"],
  effect: "read",
  access: "provider",
  quick: true,
  tool: "search",
  examples: [
    {
      argv: ["search", "what happens when a refresh token leaks"],
      about: "Search in plain words.",
    },
    {
      argv: ["search", "retry backoff", "--type", "decision", "--k", "3"],
      about: "Show at most three decisions.",
    },
    { argv: ["search", "丸の内", "--json"], about: "Search CJK text, with JSON output." },
    { argv: ["search", "refresh tokens", "--all-projects"], about: "Search all of your projects." },
  ],
  async run(input, context) {
    const { store, projects, notes = [] } = await openReach(context, input.all_projects);
    const session = resolveSession(input.session, store, context);
    const {
      query,
      k,
      offset,
      scope: _scope,
      mode: _mode,
      session: _session,
      budget,
      collections,
      include_current,
      all_copies,
      all_projects: _all,
      model,
      marks,
      typing,
      ...filters
    } = input;
    const unit = input.unit ?? (asksForKind(input) || typing ? "row" : await usualUnit(context));
    const scope = collections.length > 0 ? "docs" : input.scope;
    // What is still being typed has to be there before the next key.
    const mode = typing && input.mode === "auto" ? "lexical" : input.mode;
    const pins = [store, ...projects ?? []].flatMap((one) => parsePins(readPinsText(one)))
      .flatMap((pin) => pin.id ?? []);
    // A warning is for people; what asks for data gets it with the answer.
    const warnings: string[] = [];
    const warn = (message: string): void => {
      warnings.push(message);
      context.warn(message);
    };
    const whole = query.includes("session:")
      ? await (await import("../../command/session_filters.ts")).withWholeSessions(query, context)
      : { query, notes: [] };
    const asked = typing
      ? {
        ...whole,
        query: await completed(whole.query, { stores: [store, ...projects ?? []], warn }),
      }
      : whole;
    const facets = input.facets === undefined ? undefined : await import("../../search/facets.ts");
    const answer = await searchStores(store, { ...context, warn }, {
      ...filters,
      collection: collections,
      projects,
      query: asked.query,
      k,
      offset,
      scope,
      mode,
      unit,
      quotes: !context.showsColumns || facets !== undefined || input.explain,
      session: await withModel(session, { model, stores: [store, ...projects ?? []], context }),
      exclude_session: include_current || session !== undefined ? undefined : context.ownSession,
      current_session: findCurrentSession(store, context),
      now_ms: context.now(),
      facets: facets?.parseFacets(input.facets),
      ...(typing ? { exact: true, unasked: true } : { freshness: true }),
      fold: !all_copies,
      // What a terminal and a pipe get says less of each row.
      sessions: unit === "session" || !context.write && !typing,
      pins: new Set(pins),
    });
    if (answer.total === 0 && session !== undefined) {
      await context.wholeIds("S", [input.session]);
    }
    const { workspace: here } = store.layout;
    const sure = confidencesOf(answer.rows.map(({ score_final }) => score_final), {
      offset,
      top: answer.top,
    });
    const made = answer.rows.map((found, i) => toRow(found, { here, confidence: sure[i] }));
    const rows = marks || typing ? await withMarks(made, asked.query, answer.corrected) : made;
    // Others count as they show, and need not load it.
    const measure = context.surface === "mcp"
      ? (await import("../../view/brief_answer.ts")).briefMeasureOf(rows, {
        query,
        corrected: answer.corrected,
        grouped: unit === "session",
      })
      : undefined;
    const fitted = fitRows(rows, budget, measure);
    return {
      layer: "L0" as const,
      query,
      k,
      offset,
      scope,
      session: session ?? "all",
      mode,
      hits: fitted.rows.length,
      total: answer.total,
      ...(answer.matches === undefined ? {} : { matches: answer.matches }),
      ...(answer.copies === undefined ? {} : { copies: answer.copies }),
      ...(answer.joined === undefined ? {} : { joined: answer.joined }),
      results: fitted.rows,
      over_budget: fitted.over_budget,
      get estimated_tokens() {
        return fitted.estimated_tokens;
      },
      ...(asked.query === query || !typing ? {} : { searched: asked.query }),
      ...(answer.facets ? { facets: facets?.topFacets(answer.facets) } : {}),
      retrieval: {
        branch: answer.branch,
        engine: answer.engine,
        index: answer.index,
        candidates: answer.candidates,
        coverage: answer.coverage,
        ...(answer.corrected ? { corrected: answer.corrected } : {}),
        notes: [
          ...asked.notes,
          ...answer.notes,
          ...notes,
          ...(answer.total === 0 && /\bdeci(?:d|sion)/i.test(query) ? [decisionsNote] : []),
        ],
        ...(answer.provider_error ? { provider_error: toErrorBody(answer.provider_error) } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
      },
    };
  },
  trace(input, data) {
    if (input.typing) return undefined;
    const { results = [], retrieval, over_budget: rows = 0 } = data ?? {};
    const summaries = results.filter((row) => isCut(row.summary) || isCut(row.snippet)).length;
    return {
      args: { ...input },
      query: input.query,
      words: {
        unknown: [
          ...retrieval?.coverage.unknown_terms ?? [],
          ...Object.keys(retrieval?.corrected ?? {}),
        ],
        isWhole: data !== undefined && ranksAllWords(data.query),
        found: results.flatMap(({ title = "", summary, snippet }) => [title, summary, snippet]),
      },
      session: data?.session ?? input.session,
      ...(retrieval ? { inputs: toInputs(retrieval.coverage.searched) } : {}),
      ranking: results.map(toTraceRow),
      total: data?.total,
      branch: retrieval?.branch,
      engine: retrieval?.engine,
      candidates: retrieval && { ...retrieval.candidates },
      budgets: {
        k: mostRows,
        summary_chars: summaryChars,
        snippet_chars: snippetChars,
        tokens: input.budget,
      },
      ...(rows + summaries > 0 ? { truncation: { rows, summaries } } : {}),
    };
  },
  async brief(data) {
    const { briefAnswer } = await import("../../view/brief_answer.ts");
    return briefAnswer(data);
  },
  async render(data, view) {
    const { toSearchScreen } = await import("../../view/search_screen.ts");
    return await toSearchScreen(data, view);
  },
  note(data) {
    const removed = data.retrieval.coverage.removed_by_filter.docs ?? 0;
    const notes = [...data.retrieval.notes];
    if (data.hits === 0 && removed > 0) {
      notes.unshift(`${countOf(removed, "section")} of documents may match too: add --scope docs`);
    } else if (data.over_budget > 0) {
      notes.unshift(`${countOf(data.over_budget, "row")} did not fit the budget`);
    }
    return notes.length > 0 ? notes.join("; ") : undefined;
  },
  async after({ retrieval: { engine, index } }, context) {
    if (engine !== "index" || index.tail_bytes < sealBytes) return;
    const { sealAfterSearch } = await import("../../command/follow_write.ts");
    await sealAfterSearch(context);
  },
});

async function usualUnit(context: Context): Promise<SearchUnit> {
  const unit = (await context.readConfig()).get("search.unit");
  return searchUnits.find((name) => name === unit) ?? "exchange";
}

/** Whether rows of one kind are asked for: then each of them is a result. */
function asksForKind(
  { query, role, type }: { query: string; role?: string; type?: string },
): boolean {
  return role !== undefined || type !== undefined || /(?:^|\s)(?:role|type):/.test(query);
}

const decisionsNote = "to list decisions: ctx records --type decision";

/** What is typed, with its last word as it may become. */
async function completed(
  query: string,
  { stores, warn }: { stores: readonly Store[]; warn: (message: string) => void },
): Promise<string> {
  const { completeQuery } = await import("../../search/typing/complete_query.ts");
  return await completeQuery(stores, query, warn);
}

async function withMarks(
  rows: FoundRow[],
  query: string,
  corrected: Record<string, string> | undefined,
): Promise<FoundRow[]> {
  const { findMarks, termsToMark } = await import("../../search/typing/find_marks.ts");
  const terms = termsToMark(query, corrected);
  return rows.map((row) => {
    const { title, snippet } = row;
    const inTitle = title === undefined ? {} : { title: findMarks(title, terms) };
    return { ...row, marks: { ...inTitle, snippet: findMarks(snippet, terms) } };
  });
}

/** The sessions to look at, joined by commas, where a model says which. */
async function withModel(
  session: string | undefined,
  { model, stores, context }: { model?: string; stores: readonly Store[]; context: Context },
): Promise<string | undefined> {
  if (model === undefined) return session;
  const { findModelSessions } = await import("../../search/reach/model_sessions.ts");
  const found = await findModelSessions(stores, { model, signal: context.signal });
  if (session === undefined) return [...found].join(",");
  if (found.has(session)) return session;
  throw new CtxError(
    "NOT_FOUND",
    `Cannot search ${session} for "${model}": that model is not in it`,
  );
}

/** What was searched, for a trace: a pool outside the scope has none. */
function toInputs(searched: Record<string, number>): Record<string, number> {
  const entries = Object.values(searched).reduce((sum, count) => sum + count, 0);
  return { hot: 0, archive: 0, ...searched, entries };
}

function toTraceRow(row: FoundRow): TraceRow {
  const { id, pool, rank_source, score_lex, score_vec, score_final, summary } = row;
  return { id, pool, rank_source, score_lex, score_vec, score_final, summary };
}

function toRow(
  found: SearchAnswer["rows"][number],
  { here, confidence }: { here: string; confidence: Confidence },
): FoundRow {
  const { source, explain, ...fields } = found;
  const { id, workspace = here } = found;
  const quoted = found.quotes?.map(({ snippet }) => snippet) ?? [];
  const there = workspace === here ? "" : ` --workspace ${toShellWord(workspace)}`;
  return {
    ...fields,
    confidence,
    source,
    ...withCaution([found.title ?? "", found.summary, found.snippet, ...quoted].join("\n")),
    expand: { timeline: `timeline ${id}${there}`, get: `get ${id}${there}` },
    ...(explain ? { explain } : {}),
  };
}
