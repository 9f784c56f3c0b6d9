// What a person wrote of a prompt: without what a harness put in, without code, quotations and what
// was copied from a terminal. Pure.

/** The user's own words of a prompt. */
export function toOwnWords(prompt: string): string {
  const lines = prompt.replace(harnessBlock, "\n").replace(/^\s*(`{3,})[\s\S]*?^\s*\1/gm, "")
    .split("\n");
  const pasted = lines.findIndex((line) => /^\s*(?:[❯➜$%]|PS [A-Z]:|\w+@[\w.-]+[:~])/.test(line));
  return (pasted < 0 ? lines : lines.slice(0, pasted))
    .filter((line) => !/^\s*>/.test(line)).join("\n").trim();
}

/** What agents write into prompts, with its text: reminders, notices, output, files that were attached. */
const harnessBlock =
  /<((?:system|task|user|ide|local|command|bash|hook|session|environment|attached|selected|open|current|additional|tool|manually|file|code)[-_][\w-]{1,40})\b[^<>\n]{0,200}>[\s\S]{0,50000}?<\/\1>/gi;
