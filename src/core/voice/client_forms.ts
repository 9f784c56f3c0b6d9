// How texts begin that agents' programs write in the user's name, by agent. Importers leave the notices out;
// summaries and skills that an importer keeps are known again by the same forms. Pure.

/** Claude Code's notices and the texts of its skills. */
export const claudeNotice = toHead([
  "Caveat: The messages below",
  "Base directory for this skill:",
  String.raw`\[Request interrupted by user`,
  "<task-notification>",
]);

/** What Codex puts before a conversation and between its turns. */
export const codexNotice = toHead([
  "<environment_context>",
  "<user_instructions>",
  String.raw`# AGENTS\.md instructions`,
  "<permissions instructions>",
  "<skills_instructions>",
  "<turn_aborted>",
  "<subagent_notification>",
  String.raw`<hook_prompt\b`,
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
  String.raw`\[(?:ERROR|TASK RESUMPTION|checkpoint)`,
  "The user (?:denied|approved|is|was) ",
  "# (?:task_progress|todo)",
  "<(?:explicit_instructions|file_content|folder_content|final_file_content|automatic_|important)",
  String.raw`\(The user did not `,
  "New (?:message|instructions) ",
], "i");

/** Messages that a program wrote as a whole, and that are kept. */
export const keptHead = toHead([
  // Claude Code: compaction, hooks
  "This session is being continued from a previous conversation",
  "Operation stopped by hook",
  "(?:Stop|UserPromptSubmit|PreToolUse|PostToolUse) hook (?:feedback|stopped|blocked)",
  "Your task is to create a detailed summary of (?:the|this) conversation",
  "Full transcript available at:",
  // Codex: a thread that finds a title
  "Generate a concise, single-line task title of at most ",
  // Cursor
  "Implement the plan as specified, it is attached",
  // Cline and Roo: `[read_file for 'a.ts'] Result:`, `[subagents] Result:`
  String.raw`\[[a-z_]{2,40}(?: for [^\]\n]{0,300})?\] Result:`,
  String.raw`\[(?:ERROR\] You did not use a tool|TASK RESUMPTION)`,
  // A program that speaks to a model: nobody addresses a colleague so.
  String.raw`You are (?:an?|the) [^\n]{0,200}\n[^]{200}`,
]);

function toHead(forms: readonly string[], flags?: string): RegExp {
  return new RegExp(String.raw`^\s*(?:${forms.join("|")})`, flags);
}
