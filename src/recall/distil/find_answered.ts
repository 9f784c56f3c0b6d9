// Decisions that a person made by answering a question of the agent's: the question names what it is
// about, the answer is what was chosen. Pure.

import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import { toLine } from "../../core/text.ts";
import type { Run } from "./exchanges.ts";
import { keyWords } from "./key_words.ts";
import type { Candidate, Scene } from "./scenes.ts";

/** What the user answered; told unasked where an offered option was chosen and carried out. */
export function findAnswered(scenes: readonly Scene[]): Candidate[] {
  const edited =
    scenes.flatMap(({ runs }) =>
      runs.flatMap(({ effect, failed, at }) => effect === "edit" && !failed ? [at] : [])
    ).at(-1) ?? -1;
  return scenes.filter(({ isSide }) => !isSide).flatMap((scene) =>
    scene.runs.flatMap((run) =>
      readAnswers(run).filter(({ question }) => !isErrand.test(question))
        .map(({ question, answer, reason, evidence }): Candidate => ({
          type: "decision",
          title: toLine(question, 100),
          text: `${question} ${reason === undefined ? "Answer" : "Chosen"}: ${answer}` +
            (reason ? `. ${reason}` : ""),
          evidence,
          scene,
          score: 7,
          isHeld: reason !== undefined && run.at < edited,
        }))
    )
  );
}

/** Questions about how to go on, which matter for the moment only. */
const isErrand =
  /\b(?:commit(?:ted|s)?|push|PRs?|pull requests?|branch(?:es)?|merge|rebase|review|next|proceed|ready|continue|the plan|would you like|do you want me|clarify|what (?:do|did) you mean|right now|anything else)\b/i;

interface Answered {
  question: string;
  answer: string;
  /** What the option was described with; undefined when the user typed something else. */
  reason?: string;
  evidence: Entry[];
}

function readAnswers({ call, output, failed }: Run): Answered[] {
  const input = isObject(call?.tool?.input) ? call.tool.input : {};
  if (!Array.isArray(input.questions) || call === undefined || output === undefined || failed) {
    return [];
  }
  if (!/ask|question|user_input/i.test(call.tool?.name ?? "")) return [];
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
