// What a session is written from, and what is made of it: files for another agent, and the words by
// which its user goes on. One writer for each agent, loaded when it is asked for.

import type { Files } from "../../disk/files.ts";
import type { Turn } from "./turn.ts";

/** A session to be handed to an agent. */
export interface HandedSession {
  /** Our own id. */
  id: string;
  /** The agent that held it, and that agent's id of it. */
  from?: string;
  conversation?: string;
  /** On one line. */
  title: string;
  cwd: string;
  branch?: string;
  turns: readonly Turn[];
  /** What stands first, where something does. */
  brief?: string;
}

/** Where an agent keeps its sessions. */
export interface HandoffPlace {
  home: string;
  /** Where the user is. */
  cwd: string;
  env(name: string): string | undefined;
  files: Files;
}

/** A session in an agent's own form. */
export interface Transcript {
  /** The agent's own id of it. */
  id: string;
  /** The session's file comes first. */
  files: { path: string; text: string }[];
  messages: number;
  /** Command lines, in the session's directory; the last one resumes it. */
  resume: string[];
  /** What else takes it back, once it was resumed. */
  remove?: string;
}

/** Writes a session as an agent's transcript; the same session gives the same bytes. */
export type TranscriptWriter = (session: HandedSession, place: HandoffPlace) => Transcript;

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
