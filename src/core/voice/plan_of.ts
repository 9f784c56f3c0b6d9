// A plan that an agent wrote and its program handed on as the user's next message, after the user agreed
// to it. It is the agent's text; its heading says what the session is about. Pure.

/** Such a plan. */
export interface Plan {
  /** What it calls itself, without "Plan:"; empty where it has no heading. */
  heading: string;
  text: string;
}

/** The plan in a message of the user's side, if its client put one there. */
export function planOf({ role, text }: { role: string; text: string }): Plan | undefined {
  const at = role === "user" ? planHead(text) : undefined;
  if (at === undefined) return undefined;
  const plan = text.slice(at).trim();
  const heading = /^#{1,3}[ \t]+(.{1,300})/m.exec(plan.slice(0, maxHeadChars))?.[1] ?? "";
  return { heading: toName(heading), text: plan };
}

const maxHeadChars = 2000;
const lead = /^\s*(?:please )?implement (?:the following|this) plan:?[ \t]*\r?\n/i;

/** Where the text of a plan begins; undefined in other messages. */
export function planHead(text: string): number | undefined {
  const found = lead.exec(text.slice(0, 200));
  if (found === null) return undefined;
  // A person may say so too, about a few lines of their own.
  const rest = text.slice(found[0].length, found[0].length + maxHeadChars);
  return /^\s*#{1,3}[ \t]/.test(rest) || rest.length >= 400 ? found[0].length : undefined;
}

/** A heading without its number, its marks and the word that it is a plan. */
function toName(heading: string): string {
  return heading.replace(/[*_]{2}/g, "").trim()
    .replace(/^(?:implementation |refactoring |design )?plan\s*(?:[:–—-]\s*|for\s+)/i, "")
    .replace(/\s*[:–—-]?\s*\(?(?:implementation )?plan\)?$/i, "")
    .trim();
}
