// How the texts begin that agents' programs write in the user's name, by agent. Importers leave out the
// notices; summaries and skills that an importer keeps are recognized by the same forms. Pure.

import { titleRequest } from "./not_the_user.ts";

/** How Claude Code says that the user stopped it. */
export const interrupted = /\[Request interrupted by user/;
/** What Gemini CLI puts above the files that a prompt names, to the end of it. */
export const referencedFiles = "--- Content from referenced files ---";

/** Claude Code's notices and the texts of its skills. */
export const claudeNotice = toHead([
  "Caveat: The messages below",
  "Base directory for this skill:",
  interrupted,
  "<task-notification>",
]);

/** What Codex puts before a conversation and between its turns. */
export const codexNotice = toHead([
  "<environment_context>",
  "<user_instructions>",
  /# AGENTS\.md instructions/,
  "<permissions instructions>",
  "<skills_instructions>",
  "<turn_aborted>",
  "<subagent_notification>",
  /<hook_prompt\b/,
  "<hook_context>",
  "<collaboration_mode>",
  "<personality_spec>",
  "<apps_instructions>",
  "<plugins_instructions>",
  "<rollout_budget>",
  "The following is the Codex agent history",
  "You are performing a CONTEXT CHECKPOINT COMPACTION",
]);

/** What Codex writes above the summary of a compaction when it hands it on as a prompt. */
export const codexSummaryHead = /^\s*Another language model started to solve this problem[^\n]*\n?/;

/** Where the prompt begins that Codex puts below what an editor told it. */
export const codexRequest = "## My request for Codex:";
/** How such a message begins. */
export const codexEditorHead = /^\s*# (?:Context from my IDE setup|Files mentioned by the user)/;

/** Texts that Cline and Roo write by themselves. */
export const clineNotice = toHead([
  /\[(?:ERROR|TASK RESUMPTION|checkpoint)/,
  "The user (?:denied|approved|is|was) ",
  "# (?:task_progress|todo)",
  "<(?:explicit_instructions|file_content|folder_content|final_file_content|automatic_|important)",
  /\(The user did not /,
  "New (?:message|instructions) ",
], "i");

/** Messages that a program wrote as a whole, and that are kept. */
export const wholeMessage = toHead([
  // Claude Code: compaction, hooks
  "This session is being continued from a previous conversation",
  "Operation stopped by hook",
  "(?:Stop|UserPromptSubmit|PreToolUse|PostToolUse) hook (?:feedback|stopped|blocked)",
  "Your task is to create a detailed summary of (?:the|this) conversation",
  "Full transcript available at:",
  "(?:Called the \\w+ tool with|Result of calling the \\w+ tool)",
  titleRequest,
  // Cursor
  "Implement the plan as specified, it is attached",
  // Cline and Roo: `[read_file for 'a.ts'] Result:`, `[subagents] Result:`
  /\[[a-z_]{2,40}(?: for [^\]\n]{0,300})?\] Result:/,
  /\[(?:ERROR\] You did not use a tool|TASK RESUMPTION)/,
  // A program that gives a model its role: nobody addresses a colleague so, and no program says "I".
  /You are (?:an?|the) (?![^\n]{0,200}\b(?:I|me|my|thanks?)\b)(?:[\w-]+ ){0,6}?(?:agent|assistant|ai|analyst|architect|bot|designer|developer|engineer|evaluator|expert|judge|model|planner|programmer|researcher|reviewer|specialist|tester|writer)\b[^\n]{0,200}\n[^]{200}/,
]);

function toHead(forms: readonly (string | RegExp)[], flags?: string): RegExp {
  const sources = forms.map((form) => typeof form === "string" ? form : form.source);
  return new RegExp(`^\\s*(?:${sources.join("|")})`, flags);
}

/**
 * A plan that an agent wrote and its program handed on as the user's next message, after the user agreed to
 * it. It is the agent's text; its heading says what the session is about.
 */
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
  return { heading: headingOf(plan), text: plan };
}

/** What a plan calls itself; empty where it has no heading. */
export function headingOf(plan: string): string {
  return toName(/^#{1,3}[ \t]+(.{1,300})/m.exec(plan.slice(0, maxHeadChars))?.[1] ?? "");
}

const maxHeadChars = 2000;
/** As Claude Code and Codex write it; people rarely do. */
const lead = /^\s*(?:Implement the following plan:|PLEASE IMPLEMENT THIS PLAN:)[ \t]*\r?\n/;

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
  return heading.replace(/[*_]{2}/g, "").replace(/\s+/g, " ").trim()
    .replace(/^(?:implementation |refactoring |design )?plan ?(?:[:–—-] ?|for )/i, "")
    .replace(/ ?[:–—-]? ?\(?(?:implementation )?plan\)?$/i, "")
    .trim();
}
