// Conversations that are read from files of the project itself. A clone brings such files along, and
// anybody may have written them: they can be found, but nothing in them speaks for the user. Pure.

/** Whether a source keeps other agents' conversations in the project's own files. */
export function isSecondHand(source: string | undefined): boolean {
  return source === "specstory";
}
