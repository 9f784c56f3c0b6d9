// When a sentence says that something was decided, or was tried and given up: the one definition, for
// records, suggestions before edits, the summary of the archive and pull requests. Pure.

const decided =
  /\b(?:(?:we|i|they|team)(?:'ve| have)? (?:decided|agreed|settled|chosen|chose)|(?:was|were|been|has) decided|decided (?:to|on|against|for)|went with|settled on|opted)\b/i;

/** Ways to decide; the name of each is shown where a plain turn is taken for a decision. */
const rules: readonly [name: string, pattern: RegExp][] = [
  ["decided", decided],
  ["decision:", /^\W*decision\W*:/i],
  ["go with", /\b(?:let's|we'll|we will|i'll|going to) (?:go|stick) with\b/i],
  ["from now on", /\b(?:from now on|going forward|as a rule)\b/i],
  ["always/never", /\bwe (?:must|should|will) (?:always|never)\b/i],
  ["instead, because", /\binstead of\b.{0,160}\b(?:because|since|so that)\b/i],
];

/** Whether a text says in so many words that something was decided. */
export function isDecided(text: string): boolean {
  return decided.test(text);
}

/** The way in which a sentence decides something, or undefined. */
export function findDecisionRule(sentence: string): string | undefined {
  return rules.find(([, pattern]) => pattern.test(sentence))?.[0];
}

const undone =
  "(?:tried|attempted|reverted|rolled back|backed out|undid|ruled out|rejected|abandoned|discarded)";
/** Narrow: requests that are rejected and transactions that are rolled back are no dead ends. */
const deadEnds: readonly RegExp[] = [
  new RegExp(`^\\W*${undone}\\b`, "i"),
  new RegExp(`\\b(?:I|we)(?: (?:have|had|first|also|then|briefly|already))? ${undone}\\b`, "i"),
  /\b(?:decided|decide|deciding|advised?) against\b|\bdead[- ]ends?\b|\b(?:gave|given|give) up on\b/i,
  /\b(?:approach|attempt|idea|option|alternative|version|experiment|workaround|way)\b.{0,80}\b(?:failed|fails|did(?:n['’]t| not) (?:work|help|hold)|does(?:n['’]t| not) (?:work|help|hold)|was (?:rejected|reverted|abandoned|dropped|ruled out)|turned out)\b/i,
  /\btried\b.{1,120}\b(?:but|failed|did(?:n['’]t| not)|without success|no luck)\b/i,
  /\b(?:is|was|were|has been|been) (?:ruled out|reverted|abandoned)\b/i,
];

/** Whether a sentence tells of something that was tried and given up, or taken back. */
export function isDeadEnd(sentence: string): boolean {
  return deadEnds.some((pattern) => pattern.test(sentence));
}
