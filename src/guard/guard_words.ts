// What a guard says when it stops something: the rule in the user's words, since when, what to do
// instead, and who may let it pass. The form differs from agent to agent. Pure.

import type { Breach } from "./guard_kinds.ts";

/** What is said about what was stopped, or is asked. */
export function guardWords(breaches: readonly Breach[]): string {
  return breaches.map(({ guard, found, what }) => {
    if (guard.isOwn) {
      return "ctx: agents may not change guards or approvals. Only the user can, in their own terminal: ctx guard set";
    }
    const about = found === undefined || what.includes(found)
      ? ""
      : ` Found: ${found.slice(0, 120)}.`;
    const instead = guard.instead === undefined ? "" : ` Instead: ${guard.instead}.`;
    const since = guard.since === "" ? "" : `, since ${guard.since}`;
    return `The user's rule: "${guard.rule}" (${guard.id}${since}).${about}${instead}` +
      ` Only the user can allow it once, in their own terminal: ctx guard pass ${guard.id}`;
  }).join("\n");
}

/** How an agent takes a refusal or a question. */
export type GuardForm = "claude" | "codex" | "gemini" | "cursor";

/** The form for an agent's message, by its event and where its transcript is. */
export function guardForm(
  { event, transcript = "" }: { event: string; transcript?: string },
): GuardForm {
  if (event === "PreToolUse") return /[\\/]\.codex[\\/]/.test(transcript) ? "codex" : "claude";
  return event === "BeforeTool" ? "gemini" : "cursor";
}

/** What to print so that the tool does not run, or the user is asked first; who cannot ask is told. */
export function toGuardAnswer(
  form: GuardForm,
  { event, mode, words }: { event: string; mode: "ask" | "deny"; words: string },
): string | undefined {
  if (form === "cursor") {
    return line({ permission: mode, user_message: words, agent_message: words });
  }
  if (form === "gemini") {
    return line(mode === "deny" ? { decision: "deny", reason: words } : { systemMessage: words });
  }
  const decision = form === "codex" && mode === "ask"
    ? { additionalContext: words }
    : { permissionDecision: mode, permissionDecisionReason: words };
  return line({ hookSpecificOutput: { hookEventName: event, ...decision } });
}

export function brokenWords(fault: string): string {
  return `ctx cannot read the guards: ${fault}`;
}

/** What the user sees where guards cannot be read; undefined for an agent that shows nothing. */
export function toBrokenAnswer(
  call: { agent: string; event: string; transcript?: string },
  fault: string,
): string | undefined {
  // To our plugin, any answer is a refusal.
  if (call.agent === "opencode") return undefined;
  const words = brokenWords(fault);
  return guardForm(call) === "cursor"
    ? line({ permission: "allow", user_message: words })
    : line({ systemMessage: words });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
