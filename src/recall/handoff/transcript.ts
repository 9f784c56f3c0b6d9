// What a session is written from, and what is made of it: files for another agent, and the words by
// which its user goes on.

import type { Files } from "../../disk/files.ts";
import type { Turn } from "./turn.ts";

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
  /** The model of the last session that the other agent held here, for one that needs to know. */
  findModel?(): Promise<string | undefined>;
}

/** Where an agent keeps its sessions. */
export interface HandoffPlace {
  home: string;
  /** Where the user is. */
  cwd: string;
  env(name: string): string | undefined;
  files: Files;
}

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
export type TranscriptWriter = (
  session: HandedSession,
  place: HandoffPlace,
) => Transcript | Promise<Transcript>;
