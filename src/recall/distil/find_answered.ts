// Decisions that a person made by answering the agent's question: the question names the subject, and
// the answer is the choice. Pure.

import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import { toLine } from "../../core/text.ts";
import type { Run } from "../../core/rows/exchanges.ts";
import { keyWords } from "./key_words.ts";
import { joinBlocks } from "./quote.ts";
import type { Candidate, Scene } from "./scenes.ts";

/**
 * What the user answered, a record for the questions that were asked at once; told unasked where an
 * offered option was chosen and carried out.
 */
export function findAnswered(scenes: readonly Scene[]): Candidate[] {
  const edited =
    scenes.flatMap(({ runs }) =>
      runs.flatMap(({ effect, failed, at }) => effect === "edit" && !failed ? [at] : [])
    ).at(-1) ?? -1;
  return scenes.filter(({ isSide }) => !isSide).flatMap((scene) =>
    scene.runs.flatMap((run): Candidate[] => {
      const answers = readAnswers(run).filter(({ question }) => !goesOn.test(question));
      const lasting = answers.filter(({ question, reason }) =>
        reason !== undefined && run.at < edited && !isErrand.test(question)
      );
      const told = lasting.length > 0 ? lasting : answers;
      if (told.length === 0) return [];
      const [{ question, evidence }] = told;
      return [{
        type: "decision",
        // A short question is understood with what was asked for.
        ...(keyWords(question).size < 4 ? {} : { title: toLine(question, 100) }),
        text: joinBlocks(told.map(sayAnswer)),
        evidence,
        scene,
        score: 7,
        isHeld: lasting.length > 0,
      }];
    })
  );
}

function sayAnswer({ question, answer, reason }: Answered): string {
  return `${question} ${reason === undefined ? "Answer" : "Chosen"}: ${answer}` +
    (reason ? `. ${reason}` : "");
}

/** Questions about how to go on. */
const goesOn =
  /\b(?:push|PRs?|pull requests?|next|proceed|ready|continue|anything else|clarify|what (?:do|did) you mean)\b/i;
/** Questions that matter for the moment, mostly. */
const isErrand =
  /\b(?:commit(?:ted|s)?|branch(?:es)?|merge|rebase|review|the plan|would you like|do you want me|right now)\b/i;

/** Answers that leave the choice to the agent. */
const leavesOpen =
  /^(?:(?:you|claude|agent) (?:decides?|chooses?|picks?)|up to you|your (?:call|choice)|(?:no|any) preference|either|doesn't matter|don't care)\b/i;

interface Answered {
  question: string;
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
