// What a person typed, out of what Cursor sent to the model in their name. Pure.

const [opening, closing] = ["<user_query>", "</user_query>"];
/** What Cursor puts around it: the machine, open and attached files, rules, the time. */
const harness = /\s*<([a-z]+_[a-z_]+|rules|timestamp)>/y;

/** The words of a user's message, or undefined when it has only what Cursor added. */
export function findUserQuery(text: string): string | undefined {
  const start = text.indexOf(opening);
  const end = text.lastIndexOf(closing);
  const typed = start >= 0 && end > start
    ? text.slice(start + opening.length, end).trim()
    : text.slice(skipHarness(text));
  return typed.trim() === "" ? undefined : typed;
}

/** Where the blocks end that a text begins with. */
function skipHarness(text: string): number {
  let at = 0;
  while (true) {
    harness.lastIndex = at;
    const name = harness.exec(text)?.[1];
    const end = name === undefined ? -1 : text.indexOf(`</${name}>`, harness.lastIndex);
    if (name === undefined || end < 0) return at;
    at = end + name.length + 3;
  }
}
