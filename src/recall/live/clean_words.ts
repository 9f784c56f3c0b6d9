// Words of other sessions, as a line of ours may quote them. Pure.

/** Words of others on one line, without what could end a quote or look like mark-up. */
export function cleanWords(text: string, maxChars: number): string {
  const plain = text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu,
    " ",
  )
    .replace(/["<>`{}[\]\\]+/g, " ").replace(/\s+/g, " ").trim();
  const some = [...plain];
  return some.length <= maxChars ? plain : `${some.slice(0, maxChars - 1).join("").trimEnd()}…`;
}
