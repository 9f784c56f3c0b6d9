// Questions that one of our own commands answers: what is left open, what was done in some time, why a
// line is as it is. Only questions about nothing else; any further word is a subject, to be searched.

import { CtxError } from "../core/errors.ts";
import { timesIn } from "../core/time/times_in.ts";
import { execute } from "../command/execute.ts";
import type { AnyCommand } from "../command/command.ts";
import type { AnswerSource } from "./answer.ts";
import type { AskTools } from "./ask_tools.ts";

/** A command and its input. */
export interface OwnQuestion {
  command: "records" | "summarize" | "why";
  input: Record<string, unknown>;
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
    return { command: "records", input: { types: ["open"], limit: mostRows, ...range } };
  }
  const input = time ? range : /lately|recently/.test(words) ? { period: "week" } : undefined;
  if (input !== undefined && asksDone.test(words)) {
    return { command: "summarize", input: { ...input, budget: summaryTokens } };
  }
  return undefined;
}

/** What a command answers, quoted; undefined if it does not know the line, or may not be asked here. */
export async function answerOwn(
  { command: name, input }: OwnQuestion,
  { context, shown }: Pick<AskTools, "context" | "shown">,
): Promise<{ answer: string; sources: AnswerSource[] } | undefined> {
  const command: AnyCommand | undefined = await context.findCommand(name);
  if (command === undefined) return undefined;
  try {
    const sources = toSources(await execute(command, input, context));
    for (const { entry_id } of sources) shown.add(entry_id);
    const lines = sources.map(({ entry_id, quote, title }) =>
      `${title ? `${title}: ` : ""}${quote.replace(/\s+/g, " ")} [${entry_id}]`
    );
    if (sources.length > 0) return { answer: lines.join("\n"), sources };
    return name === "why" ? undefined : { answer: nothingOf[name], sources };
  } catch (error) {
    if (error instanceof CtxError) return undefined;
    throw error;
  }
}

const nothingOf = {
  records: "Nothing is recorded as left open.",
  summarize: "Nothing is recorded in that time.",
};
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

interface Told {
  records?: { id: string; ts: string; text: string; session_id?: string }[];
  items?: { id: string; ts: string; kind: string; text: string; session_id?: string }[];
  results?: {
    session_id?: string;
    missing?: boolean;
    prompt?: { id: string; ts: string; text: string };
    decisions: { id: string; ts: string; text: string }[];
  }[];
}

/** The rows that a result tells of, as sources. */
function toSources({ records = [], items = [], results = [] }: Told): AnswerSource[] {
  const toSource = (
    { id, ts, text, session_id }: { id: string; ts: string; text: string; session_id?: string },
    title?: string,
  ): AnswerSource => ({
    entry_id: id,
    quote: text,
    ts,
    ...(session_id === undefined ? {} : { session: session_id }),
    ...(title === undefined ? {} : { title }),
  });
  return [
    ...records.map((record) => toSource(record)),
    ...items.map((item) => toSource(item, item.kind)),
    ...results.flatMap(({ prompt, decisions, session_id }) => [
      ...(prompt === undefined ? [] : [toSource({ ...prompt, session_id }, "asked")]),
      ...decisions.slice(0, 2).map((one) => toSource({ ...one, session_id }, "decided")),
    ]),
  ];
}
