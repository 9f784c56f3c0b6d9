// Recognizes text that looks like the user's conversation but is not. It is never imported, or never
// counts as the user's words. Pure.

/** How Codex asks for the title of a conversation, in a thread of its own. */
export const titleRequest = "Generate a concise, single-line task title of at most ";

/**
 * Whether words are of a thread in which an agent asks a model for the name of a conversation: Codex does so in
 * one that has hooks and no transcript.
 */
export function isTitleTalk({ role, text }: { role: string; text: string }): boolean {
  return role === "user"
    ? text.startsWith(titleRequest)
    : /^\s*\{\s*"title"\s*:\s*"[^"\n]{1,200}"\s*\}\s*$/.test(text);
}

/**
 * Whether a source keeps other agents' conversations in the project's own files. A clone brings such files
 * along, and anybody may have written them: they can be found, but nothing in them speaks for the user.
 */
export function isSecondHand(source: string | undefined): boolean {
  return source === "specstory";
}
