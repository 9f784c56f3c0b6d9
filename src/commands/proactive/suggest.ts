// `ctx suggest`: what is worth knowing about the file or symbol at hand, or nothing.

import { suggestionTypes, triggerTypes } from "../../core/row_kinds.ts";
import { CtxError } from "../../core/errors.ts";
import { makeId } from "../../core/id.ts";
import { explainScore, sayOnce } from "../../recall/edit/describe_item.ts";
import type { SuggestAnswer } from "../../recall/edit/run_suggest.ts";
import { splitSubject } from "../../recall/edit/graph/split_subject.ts";
import { toWorkspacePath } from "../../recall/edit/graph/workspace_path.ts";
import type { Store } from "../../store/store.ts";
import { type Context, define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { findNamedSession } from "../../command/session_scope.ts";
import { readSuggestSettings } from "../../recall/edit/suggest_settings.ts";
import { entryUrl, suggestedItem } from "../../recall/edit/suggested_item.ts";
import { minuteOf } from "../../command/brief.ts";
import { countOf, type View } from "../../command/view.ts";

const feedback = s.object({
  kind: s.optional(s.text()),
  ...s.each(s.number(), "used", "dismissed", "factor"),
});

const item = s.object({
  ...suggestedItem,
  explain: s.optional(s.object({
    evidence: s.listOf(s.object({
      ...s.each(s.text(), "kind", "note"),
      p: s.number(),
    })),
    combined: s.number(),
    feedback,
    item_feedback: feedback,
  })),
});

const result = {
  ...s.each(s.text(), "id", "created_at"),
  session_id: s.nullable(s.text()),
  /** Whoever asks is shown it. */
  status: s.oneOf(["shown"]),
  trigger: s.object({ type: s.oneOf(triggerTypes), source: s.text() }),
  suggestions: s.listOf(item),
  withheld: s.object({
    ...s.each(s.number(), "below_score", "repeated", "over_limit"),
  }),
  silenced: s.listOf(s.oneOf(suggestionTypes)),
  cooling_ms: s.number(),
  notes: s.listOf(s.text()),
};
type Result = s.ObjectOf<typeof result>;

export const suggestCommand = define({
  name: "suggest",
  summary: "Suggest what to know about a file or symbol.",
  description:
    "Looks for decisions, recent git changes, documents, related code and warnings about the file or symbol, and shows only what is probably relevant; often that is nothing. The score estimates the probability that an item is relevant. A session gets each suggestion once, and the same file is skipped for suggest.cooldown_ms; --repeat turns both off. Feedback changes later scores. With only --recent or --session, suggestions are about those files, or the files the session touched last.",
  input: {
    file: s.optionalText("The file or symbol you are working on."),
    line: s.optionalInteger("The line you are working on.", { min: 1 }),
    symbol: s.optionalText("The symbol you are working on."),
    recent: s.list("Other files you are working on."),
    session: s.naming("S or new", s.optionalText("A session id, or current.")),
    limit: s.optionalInteger("Maximum items (default: suggest.max_suggestions).", {
      min: 1,
      max: 50,
    }),
    min_score: s.optionalNumber("Minimum score (default: suggest.min_relevance_score).", {
      min: 0,
      max: 1,
    }),
    reports: s.list("A test report in JUnit XML."),
    repeat: s.flag("Include what was already shown."),
    explain: s.flag("Show how scores are computed."),
  },
  output: result,
  flags: { reports: "report" },
  positional: ["file"],
  list: {
    of: "suggestions",
    columns: ["entity_id", "type", "relevance_score", "title", "reason", "id"],
    unless: ({ suggestions }) => suggestions[0]?.explain !== undefined,
  },
  effect: "write",
  tool: "context_suggest",
  examples: [
    { argv: ["suggest", "src/queue/retry.ts"], about: "Show what to know before editing a file." },
    {
      argv: ["suggest", "rotateToken", "--explain"],
      about: "Look up a symbol, with scores explained.",
    },
  ],
  async run(input, context) {
    const isActivity = input.file === undefined && input.symbol === undefined;
    if (isActivity && input.recent.length === 0 && input.session === undefined) {
      throw new CtxError("USAGE", "Cannot suggest anything: no file or symbol was given", {
        hint: "ctx suggest FILE or a symbol, or ctx suggest --recent FILE",
      });
    }
    const store = await context.openStore();
    const settings = readSuggestSettings(await context.readConfig(), input);
    const session = findNamedSession(input.session, store, context);
    const { workspace } = store.layout;
    // Where there is a command line, paths are its own; elsewhere they start at the workspace.
    const cwd = context.surface === "cli" ? context.workspace ?? context.cwd : workspace;
    const at = { workspace, cwd };
    const { file, symbol } = splitSubject(input, at);
    const path = file === undefined ? undefined : toWorkspacePath(file, at);
    if (!settings.enabled) {
      const note = "suggestions are turned off: ctx config set suggest.enabled true";
      return silent({ session, source: path ?? symbol ?? "session", note }, context);
    }
    const recent = isActivity && input.recent.length === 0
      ? (await import("../../recall/edit/session_files.ts")).findSessionFiles(store, session)
      : input.recent.map((file) => toWorkspacePath(file, at));
    if (isActivity && recent.length === 0) {
      const note = "this session has touched no files yet";
      return silent({ session, source: "session", note }, context);
    }
    // A server lists this command at every start and seldom runs it.
    const { suggest } = await import("../../recall/edit/run_suggest.ts");
    const answer = await suggest({
      path,
      symbol,
      line: input.line,
      recent,
      ...(isActivity && input.recent.length === 0 ? { trigger: sessionTrigger } : {}),
      session,
      reports: input.reports,
      // Another score or number asks something else than before.
      cooldownMs: (input.min_score ?? input.limit) === undefined ? settings.cooldownMs : 0,
      recentChangeDays: settings.recentChangeDays,
      code: true,
      rank: settings.rank,
    }, { ...context, store });
    const result = toResult(answer, { session, explain: input.explain, context });
    return { ...result, suggestions: await withFreshness(result.suggestions, store) };
  },
  trace(input, data) {
    return {
      args: { ...input },
      session: data?.session_id ?? input.session,
      total: data?.suggestions.length,
      ...(data ? { candidates: { said: data.suggestions.length, ...data.withheld } } : {}),
    };
  },
  brief({ id, created_at, status, trigger, suggestions, silenced, cooling_ms, notes }) {
    return {
      // An empty one is not kept: nobody can give feedback on it.
      ...(suggestions.length > 0 ? { id, created_at: minuteOf(created_at), status } : {}),
      trigger,
      suggestions: suggestions.map(({ action_url: _url, ...row }) => ({
        ...row,
        action: row.action?.replace(/^ctx /, ""),
      })),
      silenced,
      ...(cooling_ms > 0 ? { cooling_ms } : {}),
      notes,
    };
  },
  render(data, view) {
    if (data.suggestions.length === 0) return renderNothing(data);
    const rows = data.suggestions.map((row, i) => renderItem(row, i + 1, view));
    const feedback =
      `ctx suggest feedback ${data.id} used --item 1 (or dismissed) improves later ones`;
    return `${rows.join("\n")}\n${view.wrap(view.dim(feedback))}\n`;
  },
  note: (data) => data.notes.length > 0 ? data.notes.join("; ") : undefined,
});

function toResult(
  answer: SuggestAnswer,
  { session, explain, context }: {
    session: string | undefined;
    explain: boolean;
    context: Context;
  },
): Result {
  const { id, created_at, trigger, items, withheld, silenced, cooling_ms, notes } = answer;
  return {
    ...nameNothing(context),
    ...(id === null || created_at === null ? {} : { id, created_at }),
    session_id: session ?? null,
    status: "shown",
    trigger: { type: trigger.type, source: trigger.source },
    suggestions: items.map((row) => ({
      type: row.type,
      title: row.title,
      summary: row.summary,
      relevance_score: row.relevance_score,
      entity_id: row.entity_id,
      reason: row.reason,
      ...(row.action === undefined ? {} : { action: row.action }),
      ...(row.type === "decision" || row.type === "doc"
        ? { action_url: entryUrl(row.entity_id) }
        : {}),
      ...(explain ? { explain: { ...row.explain } } : {}),
    })),
    withheld,
    silenced,
    cooling_ms,
    notes,
  };
}

/** Items that are entries, with what is told of the code that they stand on where it has changed. */
async function withFreshness(
  suggestions: Result["suggestions"],
  store: Store,
): Promise<Result["suggestions"]> {
  const ids = suggestions.map(({ entity_id }) => entity_id).filter((id) => id.startsWith("H-"));
  if (ids.length === 0) return suggestions;
  const { findStaleNames } = await import("../../recall/pack/find_stale_ids.ts");
  const stale = await findStaleNames(store, ids);
  return suggestions.map((row) => {
    const told = stale.get(row.entity_id);
    return told === undefined ? row : { ...row, freshness: told };
  });
}

/** What a session is doing, by the files it touched. */
const sessionTrigger = { type: "activity", source: "session" } as const;

/** What an answer without suggestions is called: it has the shape of any other, but is not kept. */
function nameNothing({ now, random }: Context): Pick<Result, "id" | "created_at"> {
  const ms = now();
  return { id: makeId("G", ms, random()), created_at: new Date(ms).toISOString() };
}

function silent(
  { session, source, note }: { session: string | undefined; source: string; note: string },
  context: Context,
): Result {
  const answer: SuggestAnswer = {
    id: null,
    created_at: null,
    trigger: { type: "activity", source },
    items: [],
    withheld: { below_score: 0, repeated: 0, over_limit: 0 },
    silenced: [],
    cooling_ms: 0,
    notes: [note],
  };
  return toResult(answer, { session, explain: false, context });
}

function renderNothing(data: Result): string {
  const { repeated, below_score } = data.withheld;
  if (data.cooling_ms > 0) {
    return `Nothing new: you just asked about ${data.trigger.source} (--repeat shows it again).\n`;
  }
  if (repeated > 0) {
    return `Nothing new: ${
      countOf(repeated, "item")
    } shown before in this session (--repeat shows them).\n`;
  }
  const below = below_score > 0 ? ` ${countOf(below_score, "item")} below the minimum score.` : "";
  return `No suggestions for ${data.trigger.source}.${below}\n`;
}

function renderItem(row: Result["suggestions"][number], number: number, view: View): string {
  const { head, rest } = sayOnce(row);
  // Most titles begin with what it is.
  const isNamed = /^(?:decision|doc|recent change): /i.test(head);
  const score = view.dim(`${isNamed ? "" : `${row.type} `}${row.relevance_score.toFixed(2)}`);
  const indent = " ".repeat(3);
  const first = `${number}. `.padEnd(indent.length);
  const lines = [view.wrap(`${view.bold(head)} ${score}`, { first, indent })];
  const add = (text: string): void => void lines.push(view.wrap(text, { first: indent, indent }));
  if (rest !== "" && rest !== row.reason) add(rest);
  if (row.freshness !== undefined) {
    add(view.warning(`code changed since: ${row.freshness}`));
  }
  add(view.dim(`why: ${row.reason}`));
  if (row.action !== undefined) add(view.dim(`next: ${row.action}`));
  for (const line of row.explain === undefined ? [] : explainScore(row.explain)) {
    lines.push(view.wrap(view.dim(line), { first: "     ", indent: "     " }));
  }
  return lines.join("\n");
}
