// How each agent goes on in a session of its own: its command line, before the id. Pure.

/** By agent. */
export const resumeCommands = {
  "claude-code": "claude --resume",
  codex: "codex resume",
  gemini: "gemini --resume",
  opencode: "opencode --session",
  qwen: "qwen --resume",
} as const;
