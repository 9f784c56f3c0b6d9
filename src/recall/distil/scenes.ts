// Exchanges with what they are about and which of their turns answer: the last that says something,
// and longer reports on the way to it. Announcements ("Let me check…") answer nothing. Pure.

import type { Entry } from "../../core/entry.ts";
import { isAnnouncement } from "../../core/rows/announcement.ts";
import { toLine } from "../../core/text.ts";
import { type Block, toBlocks, toPlain } from "../../core/rows/blocks.ts";
import { planOf } from "../../core/voice/client_forms.ts";
import { proseOf, typedWords } from "../../core/voice/spans_of.ts";
import type { Narrow } from "../../core/rows/record.ts";
import type { Exchange } from "../../core/rows/exchanges.ts";
import { keyWords } from "./key_words.ts";

/** A turn that tells something, cut into blocks. */
export interface Report {
  entry: Entry;
  blocks: Block[];
  at: number;
}

export interface Scene extends Exchange {
  /** Its number in the session. */
  number: number;
  /** What it is about, in the words of who asked. */
  topic: string;
  topicWords: ReadonlySet<string>;
  /** The prompts that the topic is taken from: every title has its words. */
  topicFrom: readonly Entry[];
  /** What was asked, in words that the user typed. */
  asked: string;
  /** The same, or else the heading of the plan that the user agreed to. */
  goal: string;
  /** All of it. */
  given: string;
  /** Turns that tell something; the last one is the answer. */
  reports: Report[];
  answer?: Report;
}

/** A record that may be made. */
export interface Candidate {
  type: "goal" | "decision" | "outcome" | "fix" | "preference" | "command" | "open" | "digest";
  /** What it is about beside the topic of its scene. */
  about?: string;
  /** Its title, where that is not what was asked. */
  title?: string;
  text: string;
  /** All that it says words of; the first names it. */
  evidence: Entry[];
  /** The files that it is about, where those are not all that the evidence names. */
  files?: string[];
  /** The key of what it is about, where a later one may take its place by it. */
  subject?: string;
  scene: Scene;
  /** How sure the rule is; only compared with others of its type. */
  score: number;
  /** Whether the rule is right so often that the record may be told unasked. */
  isHeld?: boolean;
  /** Whether it soon matters only where a prompt or an edit is about it. */
  narrow?: Narrow;
  /** Whether its session did work: changed files, committed, or went on for several prompts. */
  isWork?: boolean;
}

export const titleChars = 100;

/** Understands the exchanges of a session. */
export function toScenes(exchanges: readonly Exchange[]): Scene[] {
  let topic = "";
  let topicFrom: readonly Entry[] = [];
  return exchanges.map((exchange, number) => {
    const asked = exchange.prompts
      .map(({ role, text }) => typedWords({ role, text }))
      .filter((words) => words !== "").join("\n\n");
    const plan = exchange.prompts.map(planOf).find((found) => found !== undefined);
    const goal = asked === "" ? plan?.heading ?? "" : asked;
    const own = toTopic(goal);
    if (keyWords(own).size >= 2 || topic === "") {
      topic = own;
      topicFrom = exchange.prompts;
    }
    const isChatter = isErrand(exchange, asked) ||
      (chatter.test(asked) && !exchange.runs.some(({ effect }) => effect === "edit"));
    const reports = isChatter ? [] : exchange.turns.flatMap(({ entry, at }, i) => {
      // A turn after which commands ran and nothing was said is where a session was cut off.
      const isLast = i === exchange.turns.length - 1 &&
        !exchange.runs.some((run) =>
          run.at > at && (run.effect === "edit" || run.effect === "run")
        );
      const blocks = toBlocks(entry.text).filter(({ text }) => !isSmallTalk(text));
      return isReport(blocks, isLast) ? [{ entry, blocks, at }] : [];
    });
    return {
      ...exchange,
      number,
      topic,
      topicWords: keyWords(topic),
      topicFrom,
      asked: isChatter ? "" : asked,
      goal: isChatter ? "" : goal,
      given: exchange.prompts.map(({ text }) => text).join("\n\n"),
      reports,
      answer: reports.at(-1),
    };
  });
}

/** Talk with the agent about itself: nothing of the project. */
const chatter =
  /^\W*(?:(?:hi|hello|hey|thanks?|thank you|ping|test|warm-?up)\b.{0,40}|(?:show|list) (?:me )?(?:your |all |available )*tools\W*|what (?:can you do|tools do you have|model are you|languages can you).{0,40}|who are you\W*)$/i;

/** Whether somebody had a look at something: what it was like is true for that moment only. */
function isErrand({ runs, turns }: Exchange, asked: string): boolean {
  if (asked.length > 60 || asked.includes("?") || runs.length === 0) return false;
  if (!runs.every(({ command, failed }) => !failed && looks.test(command ?? ""))) return false;
  const told = turns.map(({ entry }) => proseOf(entry)).join("\n");
  return told.length <= 200 && !/\b(?:because|since|so that|due to|instead)\b/i.test(told);
}

const looks = /^\s*(?:ls|pwd|tree|date|whoami|which|git (?:status|log|diff|branch))\b[^;&|<>\n]*$/;

/** The first line of a prompt that says something. */
function toTopic(asked: string): string {
  const lines = asked.split("\n").map((line) => toPlain(line.replace(/^\/\w[\w:-]*\s*/, "")));
  const line = lines.find((candidate) => keyWords(candidate).size >= 2) ??
    lines.find((candidate) => candidate !== "");
  return toLine(line ?? "", titleChars);
}

function isReport(blocks: Block[], isLast: boolean): boolean {
  const told = blocks.filter(({ text }) => !isAnnouncement(text));
  const chars = told.reduce((sum, { text }) => sum + text.length, 0);
  if (told.some(({ text }) => offersHelp.test(text))) return false;
  if (isLast) return chars >= 30 && keyWords(told.map(({ text }) => text).join("\n")).size >= 4;
  return chars >= 240 && (told.length >= 3 || chars >= 500);
}

const offersHelp =
  /\b(?:how (?:can|may) i (?:help|assist)|what would you like (?:me )?to (?:do|work on)|ready to help)\b/i;

/** Whether a block says nothing: a greeting, a rule, a single word. */
function isSmallTalk(text: string): boolean {
  return /^\W*(?:(?:you're |you are )?welcome|thanks?|thank you|perfect|great|excellent|awesome|done|sure|ok(?:ay)?|got it|all set)\W*$/i
    .test(text) || !/[\p{L}\p{N}]/u.test(text);
}

/** The record's title: what was asked, and what this is about. */
export function titleOf({ scene, about }: Pick<Candidate, "scene" | "about">): string {
  const subject = toLine(toPlain(about ?? ""), 80);
  if (subject === "" || scene.topic.toLowerCase().includes(subject.toLowerCase())) {
    return scene.topic;
  }
  return scene.topic === "" ? subject : `${scene.topic} · ${subject}`;
}

/** Whether what was asked is a few words of the user and nothing beside them: no paste, plan or list. */
export function isTypedAlone({ asked, given, isSide }: Scene): boolean {
  const text = given.trim();
  return !isSide && text.length <= 300 && text === asked.trim() &&
    !/\n|^\W*[<\[/#]|[?:]\W*$/.test(text);
}
