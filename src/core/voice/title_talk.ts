// What an agent asks a model for the name of a conversation, and is told: Codex does so in a thread of its
// own that has hooks and no transcript. Nobody typed it, and nothing is ever imported of it. Pure.

/** Whether words are of such a thread. */
export function isTitleTalk({ role, text }: { role: string; text: string }): boolean {
  return role === "user"
    ? text.startsWith("Generate a concise, single-line task title of at most ")
    : /^\s*\{\s*"title"\s*:\s*"[^"\n]{1,200}"\s*\}\s*$/.test(text);
}
