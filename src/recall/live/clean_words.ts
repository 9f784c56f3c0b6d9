// Words of other sessions, as a line of ours may quote them. Pure.

/** Words of others on one line, without what could end a quote or look like mark-up. */
export function cleanWords(text: string, maxChars: number): string {
  // deno-lint-ignore no-control-regex
  const plain = text.replace(
    /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g,
    " ",
  )
    .replace(/["<>`{}[\]\\]+/g, " ").replace(/\s+/g, " ").trim();
  const some = [...plain];
  return some.length <= maxChars ? plain : `${some.slice(0, maxChars - 1).join("").trimEnd()}…`;
}
