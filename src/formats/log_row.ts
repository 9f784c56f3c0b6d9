// The rows of the logs beside history: sessions, traces, and what hooks and people did.

import * as z from "zod/mini";
import { pools } from "../core/entry.ts";
import { actKinds, guardModes, trialVerdicts } from "../core/row_kinds.ts";
import { count, maybe, needed, texts, time } from "./row_schema.ts";

const ts = needed(time, "when");

/** A row of `sessions.ndjson`. */
export const sessionEvent = z.looseObject({
  event: needed(
    z.enum([
      ...["opened", "titled", "imported", "untitled", "distilled", "asked", "closed"] as const,
      ...["quarantined", "released"] as const,
    ]),
    "what happened to it",
  ),
  session_id: needed(z.string(), "the session"),
  ts,
  title: maybe(z.string(), "the title"),
  title_from: maybe(
    z.string(),
    "where an agent's title came from: `summary`, `agent`, `ai` or `custom`; absent for titles set by the user",
  ),
  source: maybe(z.string(), "the agent it was imported from"),
  project: maybe(z.string(), "the directory or the name of its project"),
  branch: maybe(z.string(), "the git branch"),
  current: maybe(z.boolean(), "for `opened`: false if it does not become the current session"),
  conversation: maybe(z.string(), "for `imported`: the agent's id of it"),
  parent: maybe(z.string(), "for `imported`: the session that started it"),
  distilled: maybe(
    z.string(),
    "for `distilled`: the state of the session when records were derived",
  ),
  quarantined: maybe(
    z.boolean(),
    "true for `quarantined` (nothing derived from the session is sent to agents), false for `released`",
  ),
  asked: maybe(time, "for `asked`: when the agent was asked to save notes for later sessions"),
});

export const traceRow = z.looseObject({
  id: needed(z.string(), "the entry"),
  pool: maybe(z.enum(pools), "the log that it is in"),
  rank_source: maybe(z.string(), "how it was found"),
  score_lex: maybe(z.number(), "its score by words"),
  score_vec: maybe(z.nullable(z.number()), "its score by meaning"),
  score_final: maybe(z.number(), "the score it is ranked by"),
  summary: maybe(
    z.string().check(z.maxLength(120)),
    "at most 120 characters, cut at a word",
  ),
});

const counts = z.record(z.string(), z.number());

/** A row of `retrieval.traces.ndjson`. */
export const trace = z.looseObject({
  trace_id: needed(z.string(), "`T-…`"),
  ts,
  v: needed(
    z.union([z.literal(1), z.literal(2)]),
    "2; in version 1, `inputs` were ids and rows had no summaries",
  ),
  command: needed(z.string(), "the command"),
  args: needed(z.looseObject({}), "its input including defaults: enough to run it again"),
  query: maybe(z.string().check(z.maxLength(2000)), "the query, at most 2,000 characters"),
  inputs: maybe(
    z.union([counts, texts]),
    "number of rows in each pool (`hot`, `archive`); for search, those searched, with their sum as `entries`",
  ),
  ranking: needed(z.array(traceRow).check(z.maxLength(50)), "what was found, at most 50 rows"),
  total: maybe(count, "all hits"),
  candidates: maybe(counts, "rows considered by each retrieval leg"),
  branch: maybe(z.enum(["lexical", "vector", "hybrid"]), "how it was searched"),
  engine: maybe(z.string(), "`index` or `scan`"),
  session: maybe(z.string(), "the session filter"),
  budgets: maybe(
    z.record(z.string(), z.optional(z.number())),
    "the limits in effect: `k`, `entries`, `head`, `summary_chars`, `snippet_chars`, `tokens` …",
  ),
  truncation: maybe(
    z.looseObject({}),
    "what was truncated or did not fit: `texts`, `summaries`, `rows`, `missing`, `skipped_ids` …",
  ),
  state_revision: needed(count, "the store's revision; the same revision gives the same ranking"),
  duration_ms: needed(z.number(), "how long it took"),
  ok: needed(z.boolean(), "whether it succeeded"),
  error: maybe(
    z.looseObject({
      code: needed(z.string(), "as in [ERRORS.md](ERRORS.md)"),
      message: needed(z.string(), "in words"),
    }),
    "why it failed",
  ),
  asker: maybe(z.string(), "on a team's server: the name on the access token"),
  surface: needed(z.string(), "`cli`, `mcp`, `http` or `library`"),
  pinned_session: maybe(z.string(), "the session that the writer was limited to"),
});

export const injectedLine = z.looseObject({
  id: needed(z.string(), "the entry; `pins.md` and `summary.md` stand for lines without an id"),
  tokens: needed(count, "its length"),
});

const agent = needed(z.string(), "the agent");

/** A row of `injections.ndjson` about what was given. */
export const given = z.looseObject({
  ts,
  agent,
  conversation: maybe(z.string(), "the agent's id of it"),
  event: needed(z.string(), "the agent's name for the hook"),
  reason: maybe(z.string(), "for a session start: `startup`, `resume`, `clear` or `compact`"),
  lines: needed(z.array(injectedLine), "the lines that were sent"),
  tokens: needed(count, "the length of the whole block"),
});

/** A row of it about what was used. */
export const uptake = z.looseObject({
  ts,
  agent,
  conversation: needed(z.string(), "the agent's id of it"),
  event: needed(z.literal("uptake"), "marks the evaluation after the conversation"),
  given: needed(texts, "ids of the lines sent so far"),
  used: needed(texts, "those that were used"),
});

/** A row of it about a session of the trial. */
export const coin = z.looseObject({
  ts,
  agent,
  conversation: needed(z.string(), "the agent's id of it"),
  event: needed(z.literal("coin"), "marks a session of the trial (`inject.trial`)"),
  withheld: needed(z.boolean(), "whether the session gets no context"),
});

/** A row of it about a look at the trial. */
export const look = z.looseObject({
  ts,
  event: needed(z.literal("look"), "marks an evaluation of the trial"),
  sessions: needed(count, "the sessions so far"),
  p: needed(z.number(), "how likely such a difference is by chance"),
  verdict: maybe(z.enum(trialVerdicts), "the result, once the trial has ended"),
});

/** A row of `injections.ndjson`. */
export const injection = z.union([uptake, coin, look, given]);

/** A row of `captures.ndjson`. */
export const capture = z.looseObject({
  event: needed(
    z.enum(["live", "ended", "captured", "failed"]),
    "the session was seen, ended, was captured, or could not be captured",
  ),
  ts,
  agent,
  hook: maybe(z.string(), "the agent's name for the hook"),
  conversation: maybe(z.string(), "the agent's id of it"),
  entries: maybe(count, "how many entries were captured"),
  problem: maybe(z.string(), "what failed, at most 500 characters"),
});

export const lineSpan = z.looseObject({
  from: needed(count, "the first line, counted from 0"),
  to: needed(count, "the line after the last; equal to `from` where lines are only added"),
  lines: needed(count, "how many lines replace them"),
});

/** A row of `live.ndjson`. */
export const liveRow = z.looseObject({
  ts,
  session: needed(z.string(), "the agent's id for the session"),
  agent: maybe(z.string(), "the agent, if its message shows it"),
  tree: maybe(z.string(), "the top of the checkout"),
  file: maybe(z.string(), "the file about to be edited, relative to `tree`"),
  spans: maybe(
    z.array(lineSpan),
    "the lines that are replaced: `from`, `to`, `lines`; none for a shell command",
  ),
  warned: maybe(z.literal(true), "the edit was blocked and its session was warned"),
  ended: maybe(z.literal(true), "the session ended"),
});

/** A row of `guards.ndjson`. */
export const guardEvent = z.looseObject({
  event: needed(
    z.enum(["caught", "passed", "pass"]),
    "a breach was caught, a breach was allowed, or a pass was given",
  ),
  ts,
  guard: needed(z.string(), "its id in `guards.jsonc`"),
  mode: maybe(z.enum(guardModes), "how it acted; `shadow` if the guard is not approved"),
  what: maybe(z.string(), "the command or file, redacted, at most 300 characters"),
  found: maybe(z.string(), "the part that broke it"),
  session: maybe(z.string(), "the agent's id of the conversation"),
  file: maybe(z.string(), "the file of an edit"),
  line: maybe(z.string(), "a digest of a line that a refused edit had"),
});

/** The one row of a file in `held/`. */
export const heldWords = z.looseObject({
  ts,
  agent,
  conversation: needed(z.string(), "the agent's id of it"),
  role: needed(z.enum(["user", "assistant"]), "who said it"),
  text: needed(z.string(), "the text, redacted"),
});

export const pinPlace = z.looseObject({
  at: needed(count, "the line in `pins.md`"),
  id: maybe(z.string(), "the entry"),
  text: maybe(z.string(), "the text of the line, if it has no entry"),
  waiting: maybe(z.literal(true), "an agent requested it and the user has not accepted it yet"),
});

export const givenTitle = z.looseObject({
  session: needed(z.string(), "the session"),
  ts: needed(time, "the event in `sessions.ndjson` with the title"),
});

export const writtenFile = z.looseObject({
  path: needed(z.string(), "where it was written"),
  sha256: needed(z.string(), "SHA-256 of its bytes; undo removes only a file that still matches"),
});

/** A row of `acts.ndjson`. */
export const act = z.looseObject({
  act_id: needed(z.string(), "`A-…`"),
  ts,
  session_id: maybe(z.string(), "the caller's session, if any"),
  surface: needed(z.string(), "`cli`, `mcp`, `http` or `library`"),
  agent: maybe(z.string(), "the agent that did it through a server, if it was not the user"),
  act: needed(
    z.enum(actKinds),
    "what was done. `restore` undoes a `forget`. `erase` cannot be undone; `share` and `unshare` undo each other",
  ),
  undoes: maybe(z.string(), "the act that this one undid"),
  redo: maybe(z.boolean(), "true if the act it undid was itself an undo"),
  ids: maybe(
    texts,
    "for `save`, `restore` and a `pin` that saved an entry: the entries. For `share` and `unshare`: entries and sessions",
  ),
  supersedes: maybe(z.string(), "for `save`: the entry that was corrected"),
  count: maybe(count, "for `forget`, `restore`, `erase`: how many entries"),
  tombstones: maybe(texts, "for `forget`: the rows that hide them"),
  pins: maybe(
    z.array(pinPlace),
    "for `pin`, `unpin`, `forget`: the lines that were added or removed",
  ),
  untitled: maybe(
    z.looseObject({
      ts: needed(time, "when"),
      sessions: needed(texts, "the sessions"),
    }),
    "for `forget`: the sessions whose titles it removed",
  ),
  title: maybe(givenTitle, "for `title`: which title; undo removes the event"),
  key: maybe(z.string(), "for `config`: the setting"),
  user: maybe(z.boolean(), "for `config` and `handoff`: whether it concerns the user's own files"),
  wrote: maybe(z.array(writtenFile), "for `handoff`: the files"),
  made: maybe(texts, "for `handoff`: the directories that were made for them"),
  workspace: maybe(
    z.string(),
    "for `config` and `handoff`: the workspace where the user did it",
  ),
  before: maybe(z.unknown(), "for `config`: the value in that file before; absent for secrets"),
  after: maybe(z.unknown(), "for `config`: the value after; absent for secrets"),
  command: maybe(z.string(), "the command, if it differs from `act`"),
});

/** A row of `shares.ndjson`. */
export const share = z.looseObject({
  ts,
  action: needed(z.enum(["share", "unshare"]), "shared or unshared"),
  id: maybe(z.string(), "the entry"),
  session_id: maybe(z.string(), "the session, instead of an entry"),
}).check(z.refine(
  ({ id, session_id }) => (id === undefined) !== (session_id === undefined),
  "it names either an entry or a session",
));

/** A row of `collections.ndjson`. */
export const collectionEvent = z.looseObject({
  event: needed(z.enum(["added", "synced", "removed"]), "what happened to it"),
  collection: needed(z.string(), "its name"),
  ts,
  sources: maybe(
    texts,
    "for `added`: paths and patterns, relative to the workspace; whole ones in your own store only",
  ),
});

/** A row of `usage.ndjson`. */
export const modelUse = z.looseObject({
  ts,
  command: needed(z.string(), "the command that asked"),
  workspace: needed(z.string(), "where"),
  provider: needed(z.string(), "the address of the provider"),
  model: needed(z.string(), "the model"),
  input_tokens: needed(z.number(), "tokens sent"),
  output_tokens: needed(z.number(), "tokens received"),
  estimated: needed(
    z.boolean(),
    "true if they were estimated because the provider does not report them",
  ),
});

/** A row of `history.bad.ndjson`. */
export const quarantinedBytes = z.looseObject({
  ts,
  file: needed(z.string(), "the file the bytes were in"),
  offset: needed(count, "where in the file; for another member's row its `seq`"),
  reason: needed(
    z.string(),
    "`torn_tail`, `bad_json`, `bad_utf8`, `joined_rows`, `nul_bytes`, `not_an_entry`, `duplicate_id`, `conflict_mark`, `conflict_base`, `merged_summary`, or why a member's row was refused",
  ),
  text: needed(z.string(), "the bytes as text, redacted"),
  base64: maybe(z.string(), "the exact bytes, when they were not UTF-8"),
});
