// Tells ids of calls that are unique everywhere from those that a provider numbers (`call_0`,
// `functions.shell:3`), which every session and every turn may have. Pure.

/** Whether no other session can have a call of this id. */
export function isUniqueCall(id: string): boolean {
  return id.replaceAll("-", "").split(/[^0-9A-Za-z]+/).some((word) =>
    word.length >= 16 && /[A-Za-z]/.test(word) &&
    (/\d/.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word)))
  );
}
