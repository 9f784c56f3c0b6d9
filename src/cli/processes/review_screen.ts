// The screen of `ctx review`: one line, where it comes from, and the keys. Each key runs a command.

import { openContext } from "../../app/app.ts";
import { CtxError, toCtxError } from "../../core/errors.ts";
import type { ResultOf } from "../../command/command.ts";
import { execute } from "../../command/execute.ts";
import { readAllActs } from "../../command/own_acts.ts";
import { type reviewAccept, reviewList } from "../../commands/memory/review_list.ts";
import { countOf, type View, withoutMarks } from "../../command/view.ts";
import type { Act } from "../../store/logs/act_log.ts";
import { makeTerminalView } from "../../view/terminal_view.ts";
import { wantsColor } from "../line/terminal.ts";
import { toTerminal } from "../line/to_terminal.ts";
import { QueryLine } from "../picker/query_line.ts";
import { Screen } from "../picker/screen.ts";

type Line = ResultOf<typeof reviewList>["lines"][number];

export interface ReviewState {
  lines: Line[];
  at: number;
  answers: Map<string, string>;
  /** The entry that each line comes from, by the line's id. */
  sources: ReadonlyMap<string, { ts: string; text: string }>;
  isEditing: boolean;
  message?: string;
}

const answerOf: Record<string, string> = { a: "accept", r: "reject", l: "later" };
const keys = [
  ["a", "accept"],
  ["e", "edit"],
  ["r", "reject"],
  ["l", "later"],
  ["u", "undo"],
  ["j/k", "move"],
  ["q", "quit"],
];
const sourceLines = 8;

/** Shows lines until the last one is answered or the user quits. */
export async function runReview(
  input: { all: boolean; limit: number; offset: number },
  workspace: string | undefined,
): Promise<{ accepted: number; answers: number }> {
  using context = openContext({ surface: "cli", workspace, consent: true });
  const run = async (name: string, given: object): Promise<unknown> => {
    const command = await context.findCommand(name);
    return command === undefined ? undefined : await execute(command, given, context);
  };
  const { lines } = withoutMarks(await execute(reviewList, input, context));
  const store = await context.openStore();
  const found = store.find(lines.flatMap(({ evidence }) => evidence.slice(0, 1)));
  const sources = new Map(lines.flatMap(({ id, evidence }) => {
    const entry = found.get(evidence[0])?.row?.entry;
    return entry === undefined ? [] : [[id, withoutMarks({ ts: entry.ts, text: entry.text })]];
  }));
  const state: ReviewState = { lines, at: 0, answers: new Map(), sources, isEditing: false };
  using screen = new Screen("stdout");
  const color = wantsColor("stdout");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  using line = new QueryLine("", {
    look: { prompt: "❯ ", placeholder: "" },
    onKey: (name, typed) => press(name, typed),
  });
  const paint = (): void => {
    const { columns, rows } = screen;
    const view = makeTerminalView({ color, width: columns, now: Date.now() });
    const frame = drawReview(state, { view, rows }).map(toTerminal);
    if (state.isEditing) frame[rows - 2] = line.draw(columns);
    screen.paint(frame);
  };
  /** Answers one after the other: a key that is pressed quickly waits for the one before. */
  let working = Promise.resolve();
  const work = (job: () => Promise<void>): void => {
    working = working.then(job).catch((thrown) => {
      const { message, hint } = toCtxError(thrown);
      state.message = hint ? `${message} (${hint})` : message;
    }).then(paint);
  };
  /** What was done for each answer, by the line's id. */
  const acts = new Map<string, string | undefined>();
  const answer = (said: string, text?: string): void =>
    work(async () => {
      const { id } = state.lines[state.at] ?? {};
      if (id === undefined || state.answers.has(id)) return;
      const done = text === undefined
        ? await run(`review ${said}`, { ids: [id] })
        : await run("review edit", { id, text });
      const written = (done as ResultOf<typeof reviewAccept>).lines.flatMap(({ ids }) => ids);
      const isDone = ({ ids }: Act): boolean => ids?.includes(written[0]) === true;
      acts.set(id, readAllActs(store, context).findLast(isDone)?.act_id);
      state.answers.set(id, said);
      move(1);
    });
  const move = (by: number): void => {
    state.at = Math.max(0, Math.min(state.lines.length, state.at + by));
    state.message = undefined;
  };
  const undo = (): void =>
    work(async () => {
      const last = [...state.answers.keys()].at(-1);
      if (last === undefined) return;
      // Another program may have done something since: only this answer is taken back.
      const act = acts.get(last);
      const hint = "ctx undo --list shows all changes";
      if (act === undefined) {
        throw new CtxError("NOT_FOUND", "Cannot undo this answer: its change was not found", {
          hint,
        });
      }
      const isThere = readAllActs(store, context).every(({ undoes }) => undoes !== act);
      if (isThere) await run("undo", { act });
      state.answers.delete(last);
      state.at = state.lines.findIndex(({ id }) => id === last);
      state.message = "Undone.";
    });
  function press(name: string, typed: string): boolean {
    queueMicrotask(paint);
    if (state.isEditing) {
      if (name === "escape" || name === "ctrl+c") state.isEditing = false;
      else if (name === "enter" || name === "return") {
        state.isEditing = false;
        if (line.value.trim() !== "") answer("accept", line.value);
      } else return false;
      return true;
    }
    const current = state.lines[state.at];
    if (typed === "q" || name === "escape" || name === "ctrl+c" || name === "ctrl+d") {
      void working.then(() => resolve());
    } else if (typed === "j" || name === "down") work(() => Promise.resolve(move(1)));
    else if (typed === "k" || name === "up") work(() => Promise.resolve(move(-1)));
    else if (typed === "u") undo();
    else if (Object.hasOwn(answerOf, typed)) answer(answerOf[typed]);
    else if (typed === "e" && current !== undefined && !state.answers.has(current.id)) {
      state.isEditing = true;
      line.value = current.text;
    }
    return true;
  }
  const typing = async (): Promise<void> => {
    for await (const chunk of screen.readKeys()) line.take(chunk);
    resolve();
  };
  screen.onResize(paint);
  paint();
  typing().catch(reject);
  await promise;
  const said = [...state.answers.values()];
  return { accepted: said.filter((word) => word === "accept").length, answers: said.length };
}

/** The lines of the screen, from the top to the last. */
export function drawReview(
  { lines, at, answers, sources, isEditing, message }: ReviewState,
  { view, rows }: { view: View; rows: number },
): string[] {
  const line = lines[at];
  const width = Math.min(view.width, 100);
  const body = line === undefined
    ? drawEnd({ count: lines.length, answers }, view)
    : drawLine(line, sources.get(line.id), { view, width });
  const said = line && answers.get(line.id);
  const told = message ?? (said && `Answered: ${said}. Press u to undo the last answer.`) ??
    (isEditing ? "Enter accepts this wording, Esc cancels" : undefined);
  const foot = told === undefined ? drawKeys(view) : view.cut(` ${told}`);
  const head = line === undefined ? "" : view.dim(` ${at + 1} of ${lines.length}`);
  const shown = [head, "", ...body].slice(0, rows - 3);
  return [...shown, ...Array<string>(rows - 1 - shown.length).fill(""), foot];
}

/** The keys that fit; the least important ones are left out first. */
function drawKeys(view: View): string {
  const shown = keys.filter(([key]) => key !== "j/k" || view.width >= 70);
  return ` ${shown.map(([key, word]) => `${view.bold(key)} ${view.dim(word)}`).join("   ")}`;
}

function drawLine(
  { text, type, why, ts }: Line,
  source: { ts: string; text: string } | undefined,
  { view, width }: { view: View; width: number },
): string[] {
  const within = { width, first: " ", indent: " " };
  const facts = [type, ...why, view.age(ts)].join(" · ");
  const from = source === undefined || source.text.replace(/\s+/g, " ").trim() === text ? [] : [
    "",
    view.dim(` From ${view.time(source.ts)}:`),
    ...view.wrap(source.text.replace(/\s+/g, " ").trim(), {
      width,
      first: "   ",
      indent: "   ",
      lines: sourceLines,
    }).split("\n").map((one) => view.dim(one)),
  ];
  return [
    ...view.wrap(text, within).split("\n").map((one) => view.bold(one)),
    "",
    ...view.wrap(view.dim(facts), within).split("\n"),
    ...from,
  ];
}

function drawEnd(
  { count, answers }: { count: number; answers: ReadonlyMap<string, string> },
  view: View,
): string[] {
  if (count === 0) return [` ${view.title("Nothing to review.")}`];
  const number = (word: string): number =>
    [...answers.values()].filter((said) => said === word).length;
  return [
    ` ${view.title("That was the last one.")}`,
    "",
    ` ${number("accept")} accepted, ${number("reject")} rejected, ${number("later")} for later, ${
      countOf(count - answers.size, "line")
    } unanswered`,
  ];
}
