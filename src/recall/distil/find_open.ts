// What was left to do when a session ended: the next steps of its last answers, todos that were not
// completed, a prompt that nobody answered. Pure.

import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import { joinBlocks, pickSentences } from "./quote.ts";
import type { Candidate, Report, Scene } from "./scenes.ts";

/** The open ends of a session. */
export function findOpen(scenes: readonly Scene[]): Candidate[] {
  const own = scenes.filter(({ isSide }) => !isSide);
  const last = (own.length > 0 ? own : scenes).at(-1);
  if (last === undefined) return [];
  return [
    ...findNextSteps(own.length > 0 ? own : scenes),
    ...findTodos(last),
    ...findUnanswered(last),
  ];
}

/** The last section of next steps, and what the last answer says is missing. */
function findNextSteps(scenes: readonly Scene[]): Candidate[] {
  const scene = scenes.findLast(({ answer }) => answer && nextBlocks(answer).length > 0);
  const found: Candidate[] = [];
  if (scene?.answer) {
    const text = joinBlocks(nextBlocks(scene.answer));
    // What was proposed long before the end has been done, or dropped.
    const isRecent = scene.number >= scenes[Math.max(0, scenes.length - 3)].number;
    if (isRecent) {
      found.push({
        type: "open",
        about: "next steps",
        text,
        evidence: [scene.answer.entry],
        scene,
        score: 3,
      });
    }
  }
  const end = scenes.at(-1);
  if (end?.answer && end !== scene) {
    const said = end.answer.blocks.filter(({ kind }) => kind === "paragraph" || kind === "item")
      .flatMap(({ text }) => pickSentences(text, missing))
      .filter((sentence) => !/^\W*(?:if|when|unless)\b|\?\W*$/i.test(sentence));
    if (said.length > 0) {
      found.push({
        type: "open",
        text: joinBlocks(said),
        evidence: [end.answer.entry],
        scene: end,
        score: 2,
      });
    }
  }
  return found;
}

/** A heading or a line that introduces next steps, with what follows it. */
function nextBlocks({ blocks }: Report): string[] {
  const at = blocks.findLastIndex(({ kind, text }) =>
    (kind === "heading" && nextHeading.test(text)) ||
    (kind === "paragraph" && text.length <= 200 && nextHeading.test(text) && /:\W*$/.test(text))
  );
  const loose = blocks.filter(({ text }) => looseStep.test(text)).map(({ text }) => text);
  if (at < 0) return loose;
  const rest = blocks.slice(at + 1);
  const end = rest.findIndex(({ kind }) => kind === "heading" || kind === "code");
  const under = rest.slice(0, end < 0 ? rest.length : end);
  const items = under.filter(({ kind }) => kind === "item");
  const kept = items.length > 0 ? items : under.slice(0, 1);
  return kept.length === 0 ? loose : [blocks[at], ...kept].map(({ text }) => text);
}

/** An item that is not ticked, or a step that is named in its own line. */
export const looseStep =
  /^\s*[-*+]\s+\[ \]|^\W*(?:next steps?|to-?do|remaining|follow-?up)\W{0,3}:\s*\S/i;

/** What introduces what is left to do. */
export const nextHeading =
  /\b(?:next steps?|to-?dos?|remaining|left to do|follow-?ups?|what'?s next|still (?:needs?|to do|missing|open)|not (?:yet )?(?:done|implemented)|open (?:questions?|issues?|items?)|known (?:issues?|limitations?|gaps?)|future (?:work|improvements?)|outstanding|pending|次のステップ|残り)\b/i;
const missing =
  /\b(?:still (?:needs?|have to|to do|missing|fails?|open)|not yet|remaining|remains to|haven'?t (?:yet|been)|hasn'?t|left to do|TODO:|to be done|needs? a follow-?up|out of scope|couldn'?t|could not|was not able|unable to|blocked (?:by|on))/i;

/** The todos that were not completed when they were last written; what was under way is answered. */
function findTodos(last: Scene): Candidate[] {
  const isAnswered = last.answer !== undefined;
  const calls = last.runs
    .flatMap(({ call, output }) => [call, output].filter((row): row is Entry => row !== undefined));
  const written = calls.findLast((row) => parseTodos(row).length > 0);
  if (written === undefined) return [];
  const done = isAnswered ? finished : /^(?:completed|done|cancell?ed)$/;
  const open = parseTodos(written).filter(({ status }) => !done.test(status));
  if (open.length === 0) return [];
  const text = joinBlocks(open.map(({ content }) => `- ${content}`));
  return [{ type: "open", about: "todo", text, evidence: [written], scene: last, score: 3.5 }];
}

const finished = /^(?:completed|done|cancell?ed|in_progress)$/;

interface Todo {
  content: string;
  status: string;
}

function parseTodos({ tool }: Entry): Todo[] {
  const input = isObject(tool?.input) ? tool.input : {};
  const list = input.todos ?? input.plan ?? input.items;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    if (!isObject(item) || typeof item.status !== "string") return [];
    const content = item.content ?? item.step ?? item.title ?? item.description;
    return typeof content === "string" ? [{ content, status: item.status }] : [];
  });
}

function findUnanswered(last: Scene): Candidate[] {
  if (last.prompts.length === 0 || last.isSide || last.turns.length + last.runs.length > 0) {
    return [];
  }
  if (last.topicWords.size < 3 || last.asked.length > 600) return [];
  return [{ type: "open", text: last.asked, evidence: last.prompts, scene: last, score: 1.5 }];
}
