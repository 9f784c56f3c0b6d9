// Whether a prompt wants to change earlier work: it proposes to fix, remove, replace or redo something,
// or reports that it fails. What was decided, tried or done about it then needs to pass only a lower
// bar than for a mere mention. Judged by how the prompt begins, or by the heading of a plan. Pure.

/** Words by which work that was done is taken up again. */
const changes =
  /\b(?:fix(?:es|ed|ing)?|bugs?|broken|fails?|failed|failing|errors?|crash(?:es|ed)?|remov(?:e|es|ing)|drop|delete|revert|undo|replac(?:e|es|ing)|redesign|rework|rewrite|refactor|reduce|switch(?: back)? to|migrate|instead|rather than|no longer|anymore|any more|cannot|can't|should(?:n't| not)|why (?:not|don't|do we)|still)\b/i;
const changesInGerman =
  /(?<!\p{L})(?:behebe|beheben|fehler|kaputt|schlägt fehl|entferne|entfernen|ersetze|ersetzen|umstellen|rückgängig|statt|stattdessen|nicht mehr|warum nicht|geht nicht|immer noch)(?!\p{L})/iu;

/** Of those some: classes of Unicode take as long to compile as all else, and few prompts need them. */
const maybeGerman = /beheb|fehl|kaputt|entfern|ersetze|umstellen|gängig|statt|nicht|immer noch/i;

/** Only looks: a colour or a word on a button is changed without regard to what was decided. */
const cosmetic = /\b(?:colou?rs?|padding|margins?|spacing|fonts?|typos?|wording|tooltips?)\b/i;

const maxHeadChars = 240;
/** More words find more that has little to do with it. */
const maxTextChars = 370;

/** Whether a prompt proposes to change what was made, or reports that it fails. */
export function isChangePrompt(prompt: string): boolean {
  const head = headOf(prompt);
  return (changes.test(head) || maybeGerman.test(head) && changesInGerman.test(head)) &&
    !cosmetic.test(head);
}

/** What such a prompt is about: how it begins, from the heading of a plan on. */
export function changeText(prompt: string): string {
  return prompt.slice(findHeading(prompt)?.index ?? 0).slice(0, maxTextChars);
}

/** The heading of a plan, or how a prompt begins. */
function headOf(prompt: string): string {
  return findHeading(prompt)?.[1] ?? prompt.trimStart().slice(0, maxHeadChars);
}

function findHeading(prompt: string): RegExpExecArray | null {
  return /^#{1,3} +(.+)$/m.exec(prompt.slice(0, 2000));
}
