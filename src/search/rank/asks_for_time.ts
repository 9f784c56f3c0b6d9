// Whether a question asks for a time: then a row that names one is more likely its answer.

/** "When did …", "how long …", "what day …"; not "what happens when …". */
export function asksForTime(query: string): boolean {
  return /^\W*(?:since |until )?when\b|\bhow long\b|\b(?:what|which) (?:date|day|week|month|year|time)\b/i
    .test(query);
}
