// A session as Markdown, for agents that cannot be given a transcript: their user has it read. Pure.

import { toShellWord } from "../../core/text.ts";
import { fenced } from "../../read/share/session_markdown.ts";
import type { HandedSession, HandoffPlace, Transcript } from "./transcript.ts";
import type { Turn } from "./turn.ts";

/** Writes a file into the current directory. */
export function toMarkdownTranscript(session: HandedSession, place: HandoffPlace): Transcript {
  const { brief, turns, title } = session;
  const name = session.id.replace(/[^\w-]/g, "_").slice(0, 80);
  const path = `${place.cwd}/handoff-${name}.md`;
  const parts = [`# ${title || "A session"}`, ...(brief === undefined ? [] : [brief.trimEnd()])];
  const text = [...parts, ...turns.map(toSection)].join("\n\n") + "\n";
  return {
    id: session.id,
    files: [{ path, text }],
    messages: turns.length,
    resume: [`Read ${toShellWord(path)} and go on from there.`],
  };
}

function toSection(turn: Turn): string {
  if (turn.kind !== "call") {
    return `## ${turn.kind === "prompt" ? "Prompt" : "Answer"}\n\n${turn.text}`;
  }
  const { call: { name, input }, result } = turn;
  const call = fenced(JSON.stringify(input, null, 1));
  return `### ${name}\n\n${call}\n\n${result.error ? "Failed" : "Result"}:\n\n${
    fenced(result.text)
  }`;
}
