// What Pi and those made of it have in common: a session is a file of lines, the first of which (or the
// second, after a title) says where it was held.

import { PiConversation } from "./pi_conversation.ts";
import { toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readConversation } from "../read_jsonl.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, sessionFacts, walk } from "../walk.ts";

/** What differs between the agents that write Pi's lines. */
export interface PiAgent {
  name: string;
  title: string;
  roots: (place: Place) => (string | undefined)[];
  /** What a person typed, where the agent puts something around it. */
  typedIn?: (text: string) => string;
}

/** Transcripts; OpenClaw renames one that was reset or deleted, and keeps it. */
const transcript = /\.jsonl(?:\.(?:reset|deleted)\.[\dTZ.-]+)?$/;
/** What OpenClaw puts aside before it compacts a session. */
const checkpoint = /\.checkpoint\.[\da-f-]{36}\.jsonl$/;

/** Makes the source of an agent that writes Pi's lines. */
export function makePiSource(agent: PiAgent): Source {
  return {
    name: agent.name,
    title: agent.title,
    idScope: "conversation",
    locate: (place) => existing(agent.roots(place)),
    list: listPi,
    read: (session, sink, options) =>
      readConversation(session.path, sink, {
        ...options,
        open: (state) => new PiConversation(session, sink, { state, typedIn: agent.typedIn }),
      }),
  };
}

async function* listPi(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
  const accept = (name: string) => transcript.test(name);
  for (const file of walk(root, { tally, accept, filled: true })) {
    const head = readHead(file.path, tally);
    // Other files of lines lie beside: logs, lists of sessions.
    if (head === undefined) continue;
    if (!/^\s*\{"type"\s*:\s*"(?:session|title)"/.test(head.text)) {
      tally.skip("other_file");
      continue;
    }
    const facts = sessionFacts(file);
    const session = /\{"type"\s*:\s*"session".*/.exec(head.text)?.[0] ?? "";
    const name = idIn(file.name);
    const isCheckpoint = checkpoint.test(file.name);
    yield {
      id: isCheckpoint ? name : /"id"\s*:\s*"([\w-]{1,100})"/.exec(session)?.[1] ?? name,
      ...facts,
      cwd: head.find("cwd"),
      started: toTime(head.find("timestamp")) ?? facts.updated,
      parent: parentOf(head.find("parentSession") ?? head.find("branchedFrom")) ??
        parentOf(/^(.*)\/[^/]+$/.exec(file.path)?.[1]),
    };
  }
}

/** The session that a path is of; a sub-agent lies in a directory named like its parent's file. */
function parentOf(path: string | undefined): string | undefined {
  const name = path?.slice(path.lastIndexOf("/") + 1) ?? "";
  return /^\d{4}-.*_/.test(name) ? idIn(name) : undefined;
}

/** Files are named after time and id. */
function idIn(name: string): string {
  return name.replace(checkpoint, "").replace(transcript, "").replace(/^\d{4}-[\dTZ.-]+_/, "");
}
