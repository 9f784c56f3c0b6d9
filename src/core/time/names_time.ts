// Whether a text names a time: what an answer to "when …?" holds.

/** Whether there is a date, a day, a span or a word such as "yesterday" in it. */
export function namesTime(text: string): boolean {
  return timeWord.test(text);
}

const units = "(?:minute|hour|day|week|weekend|month|year)s?";
const timeWord = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|ago|weekend|recently|since|(?:19|20)\\d\\d|` +
    `(?:last|next|this|past) (?:night|summer|winter|spring|autumn|fall|${units})|` +
    `(?:\\d+|an?|two|three|four|five|six|seven|eight|nine|ten|few|several|couple of) ${units}|` +
    `(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|` +
    `september|october|november|december)\\b`,
  "i",
);
