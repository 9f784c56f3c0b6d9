// Fixes: symptom, cause, remedy. A run that failed, what was said and changed then, and the same run
// when it worked; an answer that says what the cause was of an error that was reported; or a command that
// its program refused, and the one that was run instead. Pure.

import { toLine } from "../../core/text.ts";
import { sentWords } from "../../core/voice/client_ranges.ts";
import { proseOf } from "../../core/voice/spans_of.ts";
import { type Block, toBlocks, toSentences } from "../../core/rows/blocks.ts";
import { failedLine, type Run } from "../../core/rows/exchanges.ts";
import { programOf } from "./find_commands.ts";
import { editCalls, filesOf } from "./find_outcomes.ts";
import { findSymbols } from "./key_words.ts";
import { joinBlocks } from "./quote.ts";
import { isAnnouncement } from "../../core/rows/announcement.ts";
import type { Candidate, Report, Scene } from "./scenes.ts";

/** The errors of a session that were explained or overcome. */
export function findFixes(scenes: readonly Scene[]): Candidate[] {
  const found = scenes.flatMap((scene) => {
    const explained = findExplained(scene);
    return explained.length > 0 ? explained : findOvercome(scene);
  });
  return [...found, ...findRefused(scenes), ...findBlamed(scenes)];
}

/** How the subject of a fix begins whose words are the agent's own account. */
export const blamedMark = "blamed ";

/** What an answer says of the cause of an error. */
function findExplained(scene: Scene): Candidate[] {
  const failed = scene.runs.findLast((run) => run.failed && findSymptom(run) !== undefined);
  const isReported = !scene.isSide &&
    (reports.test(scene.asked) || failedLine.test(sentIn(scene)));
  if (failed === undefined && !isReported) return [];
  for (const report of [...scene.reports.toReversed(), ...remarksOf(scene)]) {
    const said = pickExplained(report.blocks);
    const isReport = "at" in report;
    if (!said.some((text) => causes.test(text) || (isReport && remedies.test(text)))) continue;
    const symptoms = [
      ...(isReported ? findReported(scene) : []),
      ...(failed ? [findSymptom(failed) ?? ""] : []),
    ].slice(0, 2);
    const edits = editCalls(scene.runs);
    const evidence = [
      report.entry,
      ...(isReported ? scene.prompts : []),
      ...(failed?.output ? [failed.output] : []),
      ...edits,
    ];
    return [{
      type: "fix",
      about: toLine(symptoms.at(-1) ?? "", 80),
      text: joinBlocks([...symptoms.map((line) => toLine(line, 220)), ...said]),
      evidence,
      scene,
      score: 3 + (causes.test(said.join(" ")) ? 1 : 0) + (edits.length > 0 ? 1 : 0),
    }];
  }
  return [];
}

/** Short turns on the way, the last first: causes are often told when they are found. */
function remarksOf({ turns, reports }: Scene): Pick<Report, "entry" | "blocks">[] {
  return turns.filter(({ entry }) => !reports.some((report) => report.entry === entry))
    .map(({ entry }) => ({ entry, blocks: toBlocks(entry.text) })).toReversed();
}

/** The blocks that explain, each with the list that it introduces. */
function pickExplained(blocks: readonly Block[]): string[] {
  let isUnder = false;
  return blocks.filter(({ kind, text, heading }) => {
    if (kind === "code" || kind === "heading" || isAnnouncement(text)) return isUnder = false;
    if (kind === "item" && isUnder) return true;
    const tells = !/\?\W*$/.test(text) &&
      (explains.test(text) || (explains.test(heading) && kind !== "table"));
    isUnder = tells && /:\W*$/.test(text);
    return tells;
  }).map(({ text }) => text);
}

/** The line of a prompt that says what is wrong: a copied error before what is told of it. */
function findReported(scene: Scene): string[] {
  const { asked } = scene;
  const lines = sentIn(scene).split("\n").map((line) => line.trim());
  const error = lines.find((line) => telling.test(line)) ??
    lines.find((line) => failedLine.test(line));
  const told = toSentences(asked).find((line) => reports.test(line));
  return [told, error === told ? undefined : error].filter((line) => line !== undefined);
}

/** What the user typed and pasted. */
function sentIn({ prompts }: Scene): string {
  return prompts.map(({ text }) => sentWords(text)).join("\n\n");
}

const reports =
  /\b(?:errors?|bugs?|broken|fails?|failed|failing|crash(?:es|ed)?|exceptions?|doesn'?t work|not working|is wrong|gets? stuck|hangs)\b/i;
const explains =
  /\b(?:root cause|caused by|the (?:real |actual |main )?(?:issue|problem|bug|error|culprit|cause) (?:was|is|were|here)|turns? out|fix(?:ed|es)?\b|resolved|solution)/i;
const causes =
  /\b(?:root cause|caused by|because|turns? out|due to|the (?:real |actual |main )?(?:issue|problem|bug|culprit|cause|reason) (?:was|is|were))\b/i;
const remedies = /\b(?:fix(?:ed)?|resolved|solved|now (?:works|passes)|solution|by \w+ing)\b/i;

/** A run that failed, a change, and the same program when it worked. */
function findOvercome(scene: Scene): Candidate[] {
  const { runs } = scene;
  for (let at = runs.length - 1; at > 0; at--) {
    const done = runs[at];
    const program = programOf(done.command);
    if (done.failed || program === undefined || done.output === undefined) continue;
    const from = runs.findLastIndex((run, i) =>
      i < at && run.failed && programOf(run.command) === program && findSymptom(run) !== undefined
    );
    if (
      from < 0 ||
      runs.slice(from, at).some((run) => !run.failed && programOf(run.command) === program)
    ) continue;
    const between = runs.slice(from + 1, at);
    const edits = editCalls(between);
    if (filesOf(edits).length === 0) continue;
    const failed = runs[from];
    const said = scene.turns.filter(({ at: place }) => place > failed.at && place <= done.at + 2)
      .map(({ entry }) => entry).slice(0, 3);
    if (said.length === 0) continue;
    const symptom = findSymptom(failed) ?? "";
    return [{
      type: "fix",
      about: toLine(symptom, 80),
      text: joinBlocks([
        toLine(symptom, 260),
        ...said.map(({ text }) => toLine(text, 200)),
        toLine(done.command ?? "", 120),
      ]),
      evidence: [failed.output, ...said, done.call, done.output, ...edits]
        .filter((row) => row !== undefined),
      scene,
      score: 2.5,
    }];
  }
  return [];
}

/** The line of an output that says what went wrong; undefined for a tool that was misused. */
function findSymptom({ output }: Run): string | undefined {
  if (output === undefined || misused.test(output.text)) return undefined;
  const lines = output.text.slice(0, 16_000).split("\n").map((line) => line.trim());
  const line = lines.find((candidate) => telling.test(candidate)) ??
    lines.find((candidate) => failedLine.test(candidate));
  return line && line.length >= 12 ? line : undefined;
}

const misused =
  /tool_use_error|InputValidationError|has not been read|doesn't want to proceed|was rejected|interrupted|String to replace not found|permission to use/i;
const telling =
  /\b(?:\w*Error|\w*Exception|error TS\d+|error\[\w+\]|panic|cannot find|not found|undefined|denied|refused|expected)\b.{3,}/;

/**
 * Commands that a program refused as such, each with the one that worked in its place. Agents make the same
 * mistake in every session: one that another session made too is told. Nothing of what was printed is.
 */
function findRefused(scenes: readonly Scene[]): Candidate[] {
  const runs = scenes.flatMap((scene) => scene.runs.map((run) => ({ run, scene })));
  const found = new Map<string, Candidate>();
  runs.forEach(({ run, scene }, i) => {
    const { call, output } = run;
    const refusal = run.failed && refused.exec(output?.text.slice(0, refusalChars) ?? "");
    const wrong = wordsOf(run);
    if (!refusal || wrong === undefined || call === undefined || output === undefined) return;
    // A program that is not there is named alone, whatever it was asked to do.
    const name = wrong.slice(0, /not found$/i.test(refusal[0]) ? 1 : 2).join(" ");
    // It may have failed in its turn, as tests do: it was not refused.
    const done = runs.slice(i + 1, i + 1 + maxTries).find((next) =>
      next.run.output !== undefined && isVariant(wordsOf(next.run), wrong) &&
      !refused.test(next.run.output.text.slice(0, refusalChars)) &&
      !misused.test(next.run.output.text)
    );
    const right = done && wordsOf(done.run)?.join(" ");
    if (right === undefined || done?.run.call === undefined || found.has(name)) return;
    const text = `\`${wrong.join(" ")}\` fails here (${refusal[0].toLowerCase()}). ` +
      `\`${right}\` works instead.`;
    const evidence = [call, output, done.run.call];
    found.set(name, {
      type: "fix",
      title: `\`${wrong.join(" ")}\` fails here`,
      text,
      evidence,
      subject: name,
      scene,
      score: 4,
      narrow: "once",
    });
  });
  return [...found.values()];
}

/**
 * What the agent names as the cause of a failed check that is not in its work: leftovers, somebody else's change.
 * Every session finds it out anew: one that other sessions name too is told.
 */
function findBlamed(scenes: readonly Scene[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const scene of scenes) {
    for (const { entry, at } of scene.turns) {
      const failed = scene.runs.findLast((run) => run.failed && run.at < at);
      if (failed?.call === undefined || failed.output === undefined) continue;
      for (const sentence of toSentences(proseOf(entry))) {
        const text = sentence.replace(/^(?:[-*•]|\d+[.)])\s+/, "").replaceAll("**", "").trim();
        const name = blamedIn(text);
        if (name === undefined || asks(text, failed.command) || isHeard(name, scene, at)) continue;
        const known = found.get(name) ?? {
          type: "fix",
          text: "",
          evidence: [failed.call, failed.output],
          subject: `${blamedMark}${name}`,
          scene,
          score: 3,
          narrow: "once",
        };
        const best = worthOfBlame(text) > worthOfBlame(known.text) ? text : known.text;
        const evidence = [...new Set([...known.evidence, entry])].slice(0, maxBlamedEvidence);
        found.set(name, { ...known, title: best, text: best, evidence });
      }
    }
  }
  return [...found.values()];
}

const maxBlamedEvidence = 6;

/** How much a sentence tells of a cause: what helped, what it names, then its length; 0 if it only denies one. */
export function worthOfBlame(text: string): number {
  if (ofRun.test(text) || !lastingCause.test(text)) return 0;
  return (helped.test(text) ? 100_000 : 0) + 1000 * findSymbols(text).length + text.length;
}

const helped = /\b(?:remov|delet|clean|restor|revert|unblock|reinstall|regenerat)\w*/i;

/** Speaks of the session's own work, or counts what failed then. */
const ofRun = /\b(?:my|our|I|we)\b|^(?:all )?(?:the )?\d+ /i;

/** Whether it is more than an account: it has a command of its own, an address, or says what to do. */
function asks(text: string, failed = ""): boolean {
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span);
  return advises.test(text) || spans.some((span) => /\s/.test(span) && !failed.includes(span));
}

const advises =
  /\b(?:npx|bunx|uvx|pipx?|curl|wget|sudo|should|must|always|never|(?:has|have) to|need(?:s|ed)?|make sure|ensure|require[sd]?)\b|\b(?:run(?:ning)?|ran|us(?:e|ing)|install\w*|execut\w+) +`|:\/\//i;

/** Whether something that the agent had read blames it already: whoever wrote that would be told. */
function isHeard(name: string, { runs }: Scene, before: number): boolean {
  return runs.some(({ output, at }) =>
    at < before && output?.text.includes(name) === true &&
    output.text.split("\n").some((line) => line.includes(name) && blames(line))
  );
}

/** The first thing that a sentence names, where it blames that alone. */
function blamedIn(line: string): string | undefined {
  if (line.length < 50 || line.length > 240 || !blames(line) || points.test(line)) {
    return undefined;
  }
  const names = [...line.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name);
  return names.map(toLastingName).find((name) => name.length >= 3);
}

/** A path up to the part that is named by chance: the next session finds another there. */
function toLastingName(name: string): string {
  const parts = name.replace(/\/+$/, "").split("/");
  const at = parts.findIndex((part) => byChance.test(part));
  return (at < 0 ? parts : parts.slice(0, at)).join("/");
}

const byChance = /[-_.](?=[a-z\d]*[A-Z\d])(?=[A-Z\d]*[a-z])[A-Za-z\d]{5,}$/;

function blames(line: string): boolean {
  return lastingCause.test(line) || denied.test(line);
}

/** What later sessions meet too. */
const lastingCause =
  /\b(?:leftovers?|left over|stale|(?:picks?|picking|picked) up|someone (?:else )?)\b/i;
/** Says only that it was not the agent's work: the next commit may mend it. */
const denied =
  /\b(?:pre-?existing|unrelated|not (?:from|related to|caused by) (?:my|our|this|these) )\b/i;
const points =
  /^(?:this|that|these|those|it|its|they|both|all|here|so|but|and|also|let|i|i'm|i'll|we)\b|[?:]\W*$/i;

/** How programs say that they do not know a command, or shells that they do not know a program. */
const refused =
  /\b(?:unrecogni[sz]ed|unknown|invalid|unexpected|unsupported) (?:sub-?command|command|argument|option|flag|switch)\b|\bcommand not found\b|\b(?:script|task) not found\b|\bmissing script\b/i;
const refusalChars = 400;
const maxTries = 6;
const maxCommandChars = 80;

/** The words of a short command line that is one command, whatever it is piped into; wrappers too. */
function wordsOf({ command = "" }: Run): string[] | undefined {
  const [line] = command.trim().replace(/^cd \S+ && /, "").split(/ \| /, 1);
  const text = line.replace(/ \d?>(?:&\d| ?\/dev\/null)/g, "").trim();
  return text.length <= maxCommandChars && plainWords.test(text) ? text.split(/ +/) : undefined;
}

/** No quotes, no variables, nothing that the shell would change, and no place on this machine. */
const plainWords = /^[\w.:@=+-][\w./:@=+-]*(?: +[\w.:@=+-][\w./:@=+-]*)+$/;

/** Whether a command does the same: without one or two of the words, or run by another program. */
function isVariant(words: readonly string[] | undefined, wrong: readonly string[]): boolean {
  if (words === undefined || words.length < 2) return false;
  const isEnd = (some: readonly string[], of: readonly string[]): boolean =>
    some.every((word, i) => word === of.at(i - some.length));
  const extra = words.length - wrong.length;
  if (extra === 0) return words[0] !== wrong[0] && isEnd(words.slice(1), wrong);
  if (extra > 0) return extra <= 2 && isEnd(wrong, words);
  let at = 0;
  for (const word of wrong) if (word === words[at]) at++;
  return extra >= -2 && at === words.length;
}
