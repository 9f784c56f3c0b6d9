// Decisions that a person made by answering the agent's question: the question names the subject, and
// the answer is the choice. What the user took back later in words of their own ("I changed my mind, we don't
// need those tests") is offered for review, and not told. Pure.

import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import { toSentences } from "../../core/rows/blocks.ts";
import { toLine } from "../../core/text.ts";
import { typedWords } from "../../core/voice/spans_of.ts";
import type { Run } from "../../core/rows/exchanges.ts";
import { projectEdits } from "./find_digest.ts";
import { keyWords } from "./key_words.ts";
import { joinBlocks } from "./quote.ts";
import type { Candidate, Scene } from "./scenes.ts";

/**
 * What the user answered, a record for the questions that were asked at once; told unasked where an
 * offered option was chosen and carried out.
 */
export function findAnswered(scenes: readonly Scene[]): Candidate[] {
  const edited = scenes.flatMap(({ runs }) =>
    // What was done outside the project is nothing that the project decided.
    runs.flatMap((run) => run.failed || projectEdits([run]).length === 0 ? [] : [run.at])
  ).at(-1) ?? -1;
  return scenes.filter(({ isSide }) => !isSide).flatMap((scene) =>
    scene.runs.flatMap((run): Candidate[] => {
      const answers = readAnswers(run).filter(({ question }) => !goesOn.test(question));
      const lasting = answers.filter(({ question, reason }) =>
        reason !== undefined && run.at < edited && !isErrand.test(question)
      );
      const told = lasting.length > 0 ? lasting : answers;
      if (told.length === 0) return [];
      const text = joinBlocks(told.map((one) => `${sayQuestion(one)} ${sayAnswer(one)}`));
      return [{
        type: "decision",
        // What was typed before may be about something else: the question speaks for itself.
        title: toLine(sayQuestion(told[0]), 100),
        text,
        evidence: told[0].evidence,
        scene,
        score: 7,
        // What was chosen is not understood where the line ends within it.
        isHeld: lasting.length > 0 && isClear(told[0]) && text.length <= maxLineChars,
        // Other questions are about the moment: what to do now, what was seen.
        narrow: /\bshould\b/i.test(sayQuestion(told[0])) ? true : "silent",
      }];
    })
  );
}

function sayAnswer({ answer, reason }: Answered): string {
  return `${reason === undefined ? "Answer" : "Chosen"}: ${answer}` + (reason ? `. ${reason}` : "");
}

/**
 * A question that leaves room for its answer: where it is long without what stands in brackets, else its last
 * sentence, cut where that is long too.
 */
function sayQuestion(answered: Answered): string {
  const { header } = answered;
  const question = answered.question.replace(/\s+/g, " ");
  // A short question is understood by the heading that it was asked under.
  const whole = header === undefined || keyWords(question).size >= 4
    ? question
    : `${header}: ${question}`;
  const room = Math.max(minQuestionChars, maxLineChars - sayAnswer(answered).length - 1);
  const plain = whole.replace(/ ?\([^()]*\)/g, "");
  const fits = [whole, plain].find(({ length }) => length <= room);
  return fits ?? toLine(toSentences(question).at(-1) ?? question, room);
}

/**
 * Whether it can be read alone: a question that points, is cut or asks what to do now is not understood later, and of what
 * was only agreed to nobody knows what it was.
 */
function isClear(answered: Answered): boolean {
  return keyWords(answered.question).size >= 4 && !agrees.test(answered.answer) &&
    !/^\(|…$|\bshould (?:I|we)\b|\b(?:this|these|those)\b/i.test(sayQuestion(answered));
}

const agrees =
  /^(?:yes|yep|yeah|sure|ok(?:ay)?|agreed?|approved?|confirm(?:ed)?|correct|right|perfect|(?:looks?|sounds?|all|that's|it's) (?:good|great|right|correct|fine)|good|great|fine)\b/i;

const maxLineChars = 240;
const minQuestionChars = 80;

const goesOn =
  /\b(?:push|PRs?|pull requests?|next|proceed|ready|continue|anything else|clarify|what (?:do|did) you mean)\b/i;
/** Questions that matter for the moment, mostly. */
const isErrand =
  /\b(?:commit(?:ted|s)?|branch(?:es)?|merge|rebase|bump(?:ed)?|review|the plan|would you like|do you want me|what do you want|right now|discuss)\b/i;

/** Answers that leave the choice to the agent. */
const leavesOpen =
  /^(?:(?:you|claude|agent) (?:decides?|chooses?|picks?)|up to you|your (?:call|choice)|(?:no|any) preference|either|doesn't matter|don't care)\b/i;

interface Answered {
  question: string;
  /** What the client shows above the question. */
  header?: string;
  answer: string;
  /** What the option was described with; undefined when the user typed something else. */
  reason?: string;
  evidence: Entry[];
}

/** The clients' own tools that ask the user; a server's tool may return anything. */
const asksUser =
  /^(?:AskUserQuestion|ask_user(?:_question)?|ask_followup_question|request_user_input|question)$/i;

function readAnswers({ call, output, failed }: Run): Answered[] {
  const input = isObject(call?.tool?.input) ? call.tool.input : {};
  if (!Array.isArray(input.questions) || call === undefined || output === undefined || failed) {
    return [];
  }
  if (!asksUser.test(call.tool?.name ?? "")) return [];
  return input.questions.flatMap((asked: unknown): Answered[] => {
    if (!isObject(asked) || typeof asked.question !== "string") return [];
    const { question } = asked;
    const said = answerTo(question, output.text);
    if (said === undefined) return [];
    const options = (Array.isArray(asked.options) ? asked.options : []).filter(isObject);
    const chosen = options.filter(({ label }) =>
      typeof label === "string" && hasLabel(said, label)
    );
    const labels = chosen.map(({ label }) => String(label));
    const isOffered = labels.length > 0 && labels.join(", ").length === said.length;
    if (!isOffered && (keyWords(said).size < 4 || /\?\W*$/.test(said))) return [];
    const reason = chosen.flatMap(({ description }) =>
      typeof description === "string" ? [description.trim()] : []
    ).join(" ");
    const answer = said.replace(/\s*\(recommended\)/gi, "");
    if (leavesOpen.test(answer)) return [];
    return [{
      question: question.trim(),
      ...(typeof asked.header === "string" && asked.header.trim() !== ""
        ? { header: asked.header.trim() }
        : {}),
      answer,
      ...(isOffered ? { reason } : {}),
      evidence: [output, call],
    }];
  });
}

/** The answer to a question, in the form that Claude Code returns answers in. */
function answerTo(question: string, text: string): string | undefined {
  const head = `"${question}"="`;
  const at = text.indexOf(head);
  if (at < 0) return undefined;
  const rest = text.slice(at + head.length);
  const end = /"(?=, "|\.? |\.?$)/.exec(rest)?.index;
  return end === undefined ? undefined : rest.slice(0, end).trim();
}

function hasLabel(said: string, label: string): boolean {
  return said === label || said.startsWith(`${label}, `) || said.endsWith(`, ${label}`) ||
    said.includes(`, ${label}, `);
}

/** Something that was taken back, when, and what it was. */
interface Withdrawal {
  ts: string;
  /** The exchange in which it was said, or the one before where it was said first of all. */
  scene: number;
  words: ReadonlySet<string>;
  /** Whether its words say that something is taken back. */
  isSure: boolean;
}

/** Candidates without the grade of those that the user took back later. */
export function withoutWithdrawn(
  found: readonly Candidate[],
  scenes: readonly Scene[],
): Candidate[] {
  const withdrawn = scenes.flatMap(findWithdrawals);
  if (withdrawn.length === 0) return [...found];
  return found.map((one) =>
    one.isHeld && one.type === "decision" && withdrawn.some((back) => isMeant(one, back))
      ? { ...one, isHeld: false }
      : one
  );
}

function findWithdrawals({ number, prompts, runs, isSide }: Scene): Withdrawal[] {
  if (isSide) return [];
  const said = prompts.map((prompt) => ({
    ts: prompt.ts,
    text: typedWords(prompt),
    scene: number - 1,
  }));
  const answered = runs.flatMap((run) =>
    readAnswers(run).filter(({ reason }) => reason === undefined)
      .map(({ answer, evidence: [{ ts }] }) => ({ ts, text: answer, scene: number }))
  );
  return [...said, ...answered].flatMap(({ text, ...where }) => {
    const back = toSentences(text).filter((sentence) => isBack(sentence));
    if (back.length === 0) return [];
    const about = (text.length <= maxBackChars ? text : back.join(" ")).replace(every, " ");
    return [{ ...where, words: keyWords(about), isSure: back.some((one) => takesBack.test(one)) }];
  });
}

/** A longer message speaks of more than what it takes back. */
const maxBackChars = 300;

function isBack(sentence: string): boolean {
  return takesBack.test(sentence) || removes.test(sentence);
}

const takesBack =
  /\b(?:(?:i(?:'ve| have)? )?changed? my mind|on second thoughts?|get rid of|scratch that|never ?mind|let'?s not|we (?:don'?t|do not|no longer) (?:need|want)|(?:undo|revert|roll back|back out|drop|remove) (?:that|this|it|those|these|all of|everything)|(?:actually|wait)\W+(?:\w+\W+){0,2}?(?:no|don'?t|remove|drop|undo|revert|skip))\b/i;
const every = new RegExp(takesBack, "gi");
/** A task as often as a change of mind. */
const removes = /^\W*(?:(?:please|now|ok(?:ay)?|and|also)\W+)*(?:remove|drop|delete|skip)\b/i;

/** Whether something is what was taken back: it was chosen before, and both name the same, or nothing is named. */
function isMeant({ text, evidence: [{ ts }], scene }: Candidate, back: Withdrawal): boolean {
  if (ts >= back.ts) return false;
  if (back.words.size === 0) return back.isSure && scene.number === back.scene;
  const shared = back.words.intersection(keyWords(text)).size;
  return shared >= (back.isSure && back.words.size <= 4 ? 1 : 2);
}
