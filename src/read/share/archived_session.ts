// A session as an archive of many holds it: what its page shows and nothing else, deflated. Written by
// `archiveHtml` and read by the archive's own script in the browser.

import type { Entry } from "../../core/entry.ts";
import { withoutUnseen } from "./escape_html.ts";
import type { SharedMessage, SharedSession } from "./shared_session.ts";

/** The line of a session in the list of an archive. */
export interface ArchivedFacts {
  title: string;
  agent: string;
  /** When it began and ended. */
  from: string;
  to: string;
  messages: number;
  prompts: number;
}

/** What is told of a session before it is opened. */
export function factsOf({ title, id, facts, messages }: SharedSession): ArchivedFacts {
  const known = new Map(facts);
  return {
    title: withoutUnseen(title || id),
    agent: withoutUnseen(known.get("agent") ?? "ctx"),
    from: known.get("from") ?? "",
    to: known.get("to") ?? "",
    messages: messages.length,
    prompts: messages.filter(({ entry: { role, type } }) => role === "user" && type === "turn")
      .length,
  };
}

/** Packs what an archive holds as text that is safe inside of any element. */
export async function pack(value: unknown): Promise<string> {
  const text = new Blob([JSON.stringify(value)]);
  const packed = text.stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packed).arrayBuffer()).toBase64();
}

/** Unpacks it; an archive of ours holds nothing else, and a damaged one throws. */
export async function unpack<T>(packed: string): Promise<T> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(text).text()) as T;
}

/** A session without the fields that no page shows. */
export function toArchived(session: SharedSession): SharedSession {
  return {
    ...session,
    messages: session.messages.map(trimMessage),
    agents: session.agents.map(toArchived),
  };
}

function trimMessage({ number, entry, outputs, agents }: SharedMessage): SharedMessage {
  return {
    number,
    entry: trimEntry(entry),
    outputs: outputs.map(trimEntry),
    agents: agents.map(toArchived),
  };
}

function trimEntry({ ts, role, type, text, files, project, tool, patch }: Entry): Entry {
  return {
    id: "",
    ts,
    role,
    type,
    text,
    ...(files === undefined ? {} : { files }),
    ...(project === undefined ? {} : { project }),
    ...(tool === undefined
      ? {}
      : { tool: { name: tool.name, input: tool.input, effect: tool.effect } }),
    ...(patch === undefined ? {} : { patch }),
  };
}
