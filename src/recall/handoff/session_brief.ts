// The brief that stands first in a handed session: what was asked, decided and done, what is open, which
// files it is about and what comes next. Facts of the log and of its records; at most so many tokens.
// Pure.

import type { Entry } from "../../core/entry.ts";
import { isInstructionLike } from "../../core/instruction_like.ts";
import { redactText } from "../../core/redact/redact.ts";
import { escapeFence, fenceMemory, shortNotice } from "../../core/rows/fence.ts";
import { isRecord } from "../../core/rows/record.ts";
import { toLine } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import { distilSession } from "../distil/distil_session.ts";
import { withoutControls } from "./turn.ts";

/** The most that a brief may take. */
export const maxBriefTokens = 600;

/** What is known of a session beside its entries. */
export interface BriefFacts {
  session: string;
  title: string;
  /** The agent that held it. */
  from?: string;
  /** How many of its oldest turns are not in the transcript. */
  leftOut: number;
}

/** The brief of a session, in a fence; what does not fit is left out, the least needed first. */
export function makeBrief(entries: readonly Entry[], facts: BriefFacts): string {
  const lines = toLines(entries, facts);
  for (let kept = lines;; kept = withoutLeast(kept)) {
    const told = kept.map(({ label, text }) => `${label}: ${escapeFence(text)}`);
    const attributes = { handoff: facts.session };
    const brief = fenceMemory(told, { attributes, notice: shortNotice });
    if (countTokens(brief) <= maxBriefTokens || kept.length <= 1) return brief;
  }
}

interface BriefLine {
  label: string;
  text: string;
  /** Lines of a higher rank go first when there is no room. */
  rank: number;
}

function toLines(entries: readonly Entry[], facts: BriefFacts): BriefLine[] {
  const { session, title, from, leftOut } = facts;
  const own = entries.filter((entry) => !isRecord(entry) && entry.undone !== true);
  const records = [...distilSession(session, own), ...entries.filter(isRecord)];
  const of = (...types: string[]): string[] => [
    ...new Set(records.filter(({ type }) => types.includes(type)).map(({ text }) => text)),
  ];
  const prompts = own.filter(({ role }) => role === "user");
  const said = own.filter(({ role, type }) =>
    role === "assistant" && type !== "tool_call" && type !== "thinking"
  );
  const [first, last] = [prompts[0], prompts.at(-1)];
  const answer = said.at(-1);
  const isOpen = last !== undefined &&
    (answer === undefined || own.indexOf(answer) < own.indexOf(last));
  const files = editedFiles(own);
  const open = of("open");
  const next = isOpen
    ? `Answer the last prompt: ${last.text}`
    : open.length > 0
    ? open[0]
    : "Nothing is left to do; wait for the next prompt.";
  const line = (
    label: string,
    text: string | undefined,
    rank: number,
    chars = 240,
  ): BriefLine[] => {
    const clean = toLine(withoutControls(redactText(text ?? "").value), chars);
    return clean === "" || isInstructionLike(clean) ? [] : [{ label, text: clean, rank }];
  };
  const where = `${title || session} (${session}${from === undefined ? "" : `, from ${from}`})`;
  const missing = leftOut === 0
    ? undefined
    : `the oldest turns of this session (${leftOut}) are not included; ctx show ${session} shows them`;
  return [
    ...line("Session", where, 0),
    ...line("Left out", missing, 0),
    ...line("Asked", first?.text, 1),
    ...(last === first ? [] : line("Asked last", last?.text, 2)),
    ...of("decision", "preference").slice(0, 4).flatMap((text, i) => line("Decided", text, 3 + i)),
    ...of("digest", "outcome", "fix").slice(0, 3).flatMap((text, i) => line("Done", text, 3 + i)),
    ...(isOpen ? [] : line("Said last", answer?.text, 4)),
    ...open.slice(0, 3).flatMap((text, i) => line("Open", text, 2 + i)),
    ...line("Files", files.slice(0, 12).join(", "), 3, 400),
    ...line("Next", next, 1),
  ];
}

/** The files that were changed, the last first. */
function editedFiles(entries: readonly Entry[]): string[] {
  const edited = entries.filter(({ tool }) => tool?.effect === "edit")
    .flatMap(({ files }) => files ?? []);
  return [...new Set(edited.toReversed())];
}

function withoutLeast(lines: BriefLine[]): BriefLine[] {
  const most = Math.max(...lines.map(({ rank }) => rank));
  const at = lines.findLastIndex(({ rank }) => rank === most);
  return lines.toSpliced(at, 1);
}
