// One writer for each agent, loaded when it is asked for.

import type { TranscriptWriter } from "./transcript.ts";

/** The writers by agent: those that resume a session by a command of their own. */
export const transcriptWriters: Record<string, () => Promise<TranscriptWriter>> = {
  "claude-code": async () => (await import("./claude_transcript.ts")).toClaudeTranscript,
  "codex": async () => (await import("./codex_transcript.ts")).toCodexTranscript,
  "gemini": async () => (await import("./gemini_transcript.ts")).toGeminiTranscript,
  "opencode": async () => (await import("./opencode_transcript.ts")).toOpencodeTranscript,
  "qwen": async () => (await import("./qwen_transcript.ts")).toQwenTranscript,
};

/** What another agent reads as a file. */
export const markdownWriter = async (): Promise<TranscriptWriter> =>
  (await import("./markdown_transcript.ts")).toMarkdownTranscript;
