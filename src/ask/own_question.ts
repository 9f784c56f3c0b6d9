// Questions that one of our own commands answers: what is left open, what was done in some time, why a
// line is as it is. Only questions about nothing else; any further word is a subject, to be searched.

import { CtxError } from "../core/errors.ts";
import { timesIn } from "../core/time/times_in.ts";
import { execute } from "../command/execute.ts";
import type { AnyCommand, Context } from "../command/command.ts";
import { rowsOf } from "../store/find.ts";
import type { AnswerSource } from "./answer.ts";
import type { AskTools } from "./ask_tools.ts";
import { holdsQuote } from "./verify_sources.ts";

export interface OwnQuestion {
  command: "summarize" | "why";
  input: Record<string, unknown>;
  /** The one kind of items that is asked for. */
  kind?: "open";
}

/** The command that answers a question; undefined for one that must be searched for. */
export function findOwnQuestion(query: string, nowMs: number): OwnQuestion | undefined {
  const target = findLine(query);
  if (target !== undefined) return { command: "why", input: { target } };
  const [time, second] = timesIn(query, nowMs);
  if (second !== undefined || (time !== undefined && time.spans.length !== 1)) return undefined;
  const words = (time ? query.slice(0, time.start) + query.slice(time.end) : query)
    .toLowerCase().replaceAll("’", "'").replace(/[^a-z' ]+/g, " ").replace(/ +/g, " ").trim();
  const range = time === undefined ? {} : {
    since: new Date(time.spans[0].fromMs).toISOString(),
    until: new Date(time.spans[0].toMs - 1).toISOString(),
  };
  if (asksOpen.test(words)) {
    return { command: "summarize", input: { since: "1970-01-01", ...range }, kind: "open" };
  }
  const input = time ? range : /lately|recently/.test(words) ? { period: "week" } : undefined;
  if (input !== undefined && asksDone.test(words)) {
    return { command: "summarize", input: { ...input, budget: summaryTokens } };
  }
  return undefined;
}

/** What a command answers, quoted; undefined if it does not know the line, or may not be asked here. */
export async function answerOwn(
  { command: name, input, kind }: OwnQuestion,
  { context, shown }: Pick<AskTools, "context" | "shown">,
): Promise<{ answer: string; sources: AnswerSource[] } | undefined> {
  const command: AnyCommand | undefined = await context.findCommand(name);
  if (command === undefined) return undefined;
  try {
    const result: Told = await execute(command, input, context);
    const sources = await citeStored(toClaims(result, kind), context);
    for (const { entry_id } of sources) shown.add(entry_id);
    const lines = sources.map(({ entry_id, quote, title }) =>
      `${title ? `${title}: ` : ""}${quote.replace(/\s+/g, " ")} [${entry_id}]`
    );
    if (sources.length > 0) return { answer: lines.join("\n"), sources };
    const none = kind === undefined ? noSessions(result) : nothingOpen(result);
    return none === undefined ? undefined : { answer: none, sources };
  } catch (error) {
    if (error instanceof CtxError) return undefined;
    throw error;
  }
}

/** What is said of a time without sessions; those that have no records are searched. */
function noSessions({ sessions }: Told): string | undefined {
  return sessions?.length === 0 ? "No sessions recorded in that period." : undefined;
}

/** Said only if nothing is noted: then the records of all sessions are stored, and were read. */
function nothingOpen({ notes }: Told): string | undefined {
  return notes === undefined ? "No open points recorded." : undefined;
}

const mostRows = 5;
const summaryTokens = 600;
const asksOpen =
  /^(?:(?:and|so) )?(?:what(?:'s| is| was| were| are)?|which (?:things|points|tasks|todos) are|is there anything|are there any|any(?:thing)?) ?(?:did (?:we|i|you) leave |do (?:we|i) (?:still )?(?:have|need) )?(?:still )?(?:left ?(?:open|over|undone|unfinished|to do)?|open(?: (?:points?|tasks?|ends?|todos?|questions?))?|unfinished|undone|pending|outstanding|remains?(?: (?:open|to do|to be done))?|remaining|to do|todo|not done(?: yet)?)(?: (?:now|yet|here|for (?:me|us)|from|in|since))*$/;
const asksDone =
  /^(?:(?:and|so) )?(?:what (?:did|have) (?:we|i|you|the agents?) (?:do|done|been doing|work(?:ed)? on|get done|finish(?:ed)?|change[d]?|accomplish(?:ed)?|achieve[d]?)|what (?:happened|was done|got done)|(?:please )?summari[sz]e(?: (?:the )?work(?: of)?)?)(?: (?:all|lately|recently|on|in|during|since|over|the))*$/;

/** The line that a question is about: `why is src/a.ts:12 so?`, `why is line 12 of src/a.ts there?`. */
function findLine(query: string): string | undefined {
  if (!/^\W*(?:why|who|what|how come|explain)\b/i.test(query)) return undefined;
  const [, path, lines] = /(?<![\w/.-])([\w@./-]*\w\.[a-z]\w{0,9}):(\d+(?:-\d+)?)\b/i.exec(query) ??
    [];
  if (path !== undefined) return `${path}:${lines}`;
  const [, from, to, file] =
    /\blines? (\d+)(?: ?(?:-|to|–) ?(\d+))? (?:of|in) ["'`]?([\w@./-]*\w\.[a-z]\w{0,9})\b/i.exec(
      query,
    ) ?? [];
  return file === undefined ? undefined : `${file}:${from}${to === undefined ? "" : `-${to}`}`;
}

/** Words of a result, and the entries that may have them: its own, and those it was derived from. */
interface Claim {
  id: string;
  ts: string;
  text: string;
  refs?: string[];
  title?: string;
}

interface Told {
  items?: (Claim & { kind: string; superseded_by?: string })[];
  sessions?: unknown[];
  notes?: string[];
  results?: { prompt?: Claim; decisions: Claim[] }[];
}

function toClaims({ items = [], results = [] }: Told, kind?: string): Claim[] {
  if (kind !== undefined) {
    const wanted = items.filter((item) => item.kind === kind && item.superseded_by === undefined);
    return wanted.slice(0, mostRows);
  }
  return [
    ...items.map((item) => ({ ...item, title: item.kind })),
    ...results.flatMap(({ prompt, decisions }) => [
      ...(prompt === undefined ? [] : [{ ...prompt, title: "asked" }]),
      ...decisions.slice(0, 2).map((one) => ({ ...one, title: "decided" })),
    ]),
  ];
}

/** Claims as sources. A record that was derived for this answer is not stored: its evidence is cited. */
async function citeStored(claims: readonly Claim[], context: Context): Promise<AnswerSource[]> {
  const ids = claims.flatMap(({ id, refs = [] }) => [id, ...refs]);
  const found = (await context.openStore()).find(ids);
  return claims.flatMap(({ id, ts, text, refs = [], title }) => {
    const [own, ...evidence] = [id, ...refs].map((one) => rowsOf(found.get(one)));
    const rows = own.length > 0 ? own : evidence.flat();
    const { entry } = rows.find((row) => holdsQuote(row.entry, text)) ?? rows[0] ?? {};
    if (entry === undefined) return [];
    const session = entry.session_id ? { session: entry.session_id } : {};
    return [{ entry_id: entry.id, quote: text, ts, ...session, ...(title ? { title } : {}) }];
  });
}
