// What was left to do when a session ended: the next steps of its last answers, todos that were not
// completed, a prompt that nobody answered. Pure.

import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import type { Block } from "../../core/rows/blocks.ts";
import { keyWords, shareOf } from "./key_words.ts";
import { joinBlocks, pickSentences } from "./quote.ts";
import type { Candidate, Report, Scene } from "./scenes.ts";

/** The open ends of a session. */
export function findOpen(scenes: readonly Scene[]): Candidate[] {
  const own = scenes.filter(({ isSide }) => !isSide);
  const last = (own.length > 0 ? own : scenes).at(-1);
  if (last === undefined) return [];
  return [
    ...findNextSteps(scenes),
    ...findTodos(last),
    ...findUnanswered(last),
  ];
}

/** Sections of next steps and plans that were not taken up since, and what the last answer lacks. */
function findNextSteps(scenes: readonly Scene[]): Candidate[] {
  const found = scenes.flatMap((scene, i): Candidate[] => {
    const later = scenes.slice(i + 1);
    return scene.reports.flatMap((report) => {
      const steps = nextBlocks(report);
      if (steps.length === 0) return findNamedSteps(report, { scene, later });
      const texts = steps.filter(({ kind, text }) =>
        kind !== "item" ||
        (!isTakenUp(text, later) && !/^\s*(?:[-*+]\s+)?(?:✅|☑|\[x\])/i.test(text))
      );
      const isTelling = texts.some(({ kind, text }) =>
        kind === "item" || (kind === "paragraph" && !/:\W*$/.test(text))
      );
      if (!isTelling) return [];
      const text = joinBlocks(texts.map(({ text }) => text));
      const isLate = later.length < 2;
      return [{
        type: "open",
        about: "next steps",
        text,
        evidence: [report.entry],
        scene,
        score: (isLate ? 3 : 2) - (scene.isSide ? 0.5 : 0),
      }];
    });
  });
  const end = scenes.at(-1);
  if (end?.answer && !found.some(({ scene }) => scene === end)) {
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

/** Steps that a sentence amid others names ("Left to do: …"), as long as nobody took them up. */
function findNamedSteps(
  { blocks, entry }: Report,
  { scene, later }: { scene: Scene; later: readonly Scene[] },
): Candidate[] {
  // All that the last answer lacks is looked for below.
  if (later.length === 0) return [];
  const named = blocks.filter(({ kind }) => kind === "paragraph" || kind === "item")
    .flatMap(({ text }) => pickSentences(text, namedStep))
    .filter((sentence) => !isTakenUp(sentence, later));
  if (named.length === 0) return [];
  return [{ type: "open", text: joinBlocks(named), evidence: [entry], scene, score: 2 }];
}

/** Whether a later prompt asks for a step, or a later answer tells of it. */
function isTakenUp(step: string, later: readonly Scene[]): boolean {
  const words = keyWords(step);
  return later.some(({ asked, answer }) =>
    shareOf(words, keyWords(asked)) >= 0.5 ||
    (answer !== undefined && shareOf(words, keyWords(answer.entry.text)) >= 0.7)
  );
}

/** A heading or a line that introduces next steps, with what follows it. */
function nextBlocks({ blocks }: Report): Block[] {
  const at = blocks.findLastIndex(({ kind, text }) =>
    (kind === "heading" && (nextHeading.test(text) || planHeading.test(text))) ||
    (kind === "paragraph" && text.length <= 200 && nextHeading.test(text) && /:\W*$/.test(text))
  );
  const loose = blocks.filter(({ text }) => looseStep.test(text));
  if (at < 0) return loose;
  const rest = blocks.slice(at + 1);
  const end = rest.findIndex(({ kind }) => kind === "heading" || kind === "code");
  const under = rest.slice(0, end < 0 ? rest.length : end);
  const items = under.filter(({ kind }) => kind === "item");
  const kept = items.length > 0 ? items : under.slice(0, 1);
  return kept.length === 0 ? loose : [blocks[at], ...kept];
}

/** An item that is not ticked, or a step that is named in its own line. */
export const looseStep =
  /^\s*[-*+]\s+\[ \]|^\W*(?:next steps?|(?:(?:still|left) )?to[- ]?do|still (?:open|missing)|left open|remaining|follow-?up)\W{0,3}:\s*\S/i;

/** A sentence that says of itself that it names what is left. */
const namedStep =
  /^\W*(?:(?:still )?(?:left )?to[ -]?do|still open|remaining|next steps?)\W{0,3}:\s*\S/i;

/** What introduces what is left to do. */
export const nextHeading =
  /\b(?:next steps?|to-?dos?(?![\w-]| ?(?:app|list|item))|remaining|left to do|follow-?ups?|what'?s next|still (?:needs?|to do|missing|open)|not (?:yet )?(?:done|implemented)|open (?:questions?|issues?|items?)|known (?:issues?|limitations?|gaps?)|future (?:work|improvements?)|outstanding|pending|次のステップ|残り)\b/i;
/** What introduces a plan: open as long as nobody took it up. */
const planHeading =
  /\b(?:roadmap|path forward|(?:key|remaining|missing) gaps|gaps|proposed|proposals?|recommend(?:ed|ations?)|suggest(?:ed|ions?)|action items|implementation (?:plan|steps|strategy)|phase \d|priorit(?:y|ies))\b/i;
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
