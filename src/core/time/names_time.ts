// Whether a text names a time: what an answer to "when …?" holds.

/** Whether there is a date, a day, a span or a word such as "yesterday" in it. */
export function namesTime(text: string): boolean {
  return timeWord.test(text);
}

/**
 * Whether a word of a text may be why it names a time: of a text without such a word, `namesTime` need
 * not be asked.
 */
export function mayNameTime(word: string): boolean {
  return timeSign.test(word);
}

const timeSign =
  /day|night|tomorrow|ago|week|recently|since|\d{4}|summer|winter|spring|autumn|fall|minute|hour|month|year|january|february|march|april|june|july|august|september|october|november|december/i;

const units = "(?:minute|hour|day|week|weekend|month|year)s?";
const timeWord = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|ago|weekend|recently|since|(?:19|20)\\d\\d|` +
    `(?:last|next|this|past) (?:night|summer|winter|spring|autumn|fall|${units})|` +
    `(?:\\d+|an?|two|three|four|five|six|seven|eight|nine|ten|few|several|couple of) ${units}|` +
    `(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|` +
    `september|october|november|december)\\b`,
  "i",
);
