// What agents really were given last: by hooks (the log of injections, suggestions before edits) and by
// what they asked for over MCP (traces). Newest first.

import { readEntries } from "../../read/find_entries.ts";
import { CtxError } from "../../core/errors.ts";
import { firstLine } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import { readGiven, readSessionsOf } from "../../store/logs/injection_log.ts";
import { readTraces } from "../../store/logs/read_traces.ts";
import type { Store } from "../../store/store.ts";
import { readSuggestionEvents } from "../edit/suggestion_log.ts";
import type { Given, GivenLine } from "./preview_shapes.ts";

/** Which to read. */
export interface GivenFilter {
  limit: number;
  /** Only this conversation, by the agent's id. */
  conversation?: string;
}

export async function readLastGiven(store: Store, filter: GivenFilter): Promise<Given[]> {
  const { limit, conversation } = filter;
  const isMeant = (given: Given): boolean =>
    conversation === undefined || given.conversation === conversation;
  const found = [...fromHooks(store), ...fromSuggestions(store), ...fromTraces(store)]
    .filter(isMeant).sort((a, b) => a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0).slice(0, limit);
  const ids = found.flatMap(({ lines }) => lines.map(({ id }) => id));
  const entries = await readEntries(store, ids);
  const describe = (line: GivenLine): GivenLine => {
    const entry = entries.get(line.id);
    const text = line.text ?? (entry && (entry.title ?? firstLine(entry.text, 120)));
    return { id: line.id, ...(text === undefined ? {} : { text }), tokens: line.tokens };
  };
  return found.map((given) => ({ ...given, lines: given.lines.map(describe) }));
}

function fromHooks(store: Store): Given[] {
  return readGiven(store).map(({ ts, agent, event, reason, conversation, tokens, lines }) => ({
    ts,
    by: agent,
    event,
    ...(reason === undefined ? {} : { reason }),
    ...(conversation === undefined ? {} : { conversation }),
    tokens,
    lines,
  }));
}

/** Suggestions to a conversation; those to subscriptions and to people have none. */
function fromSuggestions({ files, layout }: Store): Given[] {
  const given: Given[] = [];
  for (const { event } of readSuggestionEvents(files, layout)) {
    if (event.event !== "suggested" || event.session_id === undefined) continue;
    const lines = event.items.map(({ entity_id, title, reason }) => ({
      id: entity_id,
      ...(title === undefined ? {} : { text: title }),
      tokens: countTokens(`${title ?? entity_id} ${reason}`),
    }));
    const { id, ts, session_id } = event;
    given.push({
      ts,
      by: "hook",
      event: "pre-edit",
      conversation: session_id,
      suggestion_id: id,
      tokens: sumOf(lines),
      lines,
    });
  }
  return given;
}

function fromTraces(store: Store): Given[] {
  return readTraces(store).flatMap((trace): Given[] => {
    if (trace.surface !== "mcp" || !trace.ok || trace.ranking.length === 0) return [];
    const lines = trace.ranking.map(({ id, summary = "" }) => ({
      id,
      ...(summary === "" ? {} : { text: summary }),
      tokens: countTokens(`${id} ${summary}`),
    }));
    const { ts, command, trace_id, query } = trace;
    return [{
      ts,
      by: "mcp",
      event: command,
      ...(query === undefined ? {} : { query }),
      trace_id,
      tokens: sumOf(lines),
      lines,
    }];
  });
}

function sumOf(lines: readonly GivenLine[]): number {
  return lines.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The agent's id of a conversation that is kept as a session, or that a hook told something. */
export function getConversation(store: Store, session: string): string {
  const meta = store.readSessions().get(session);
  if (meta !== undefined) {
    return typeof meta.conversation === "string" ? meta.conversation : session;
  }
  const isKnown = readSessionsOf(store, session).size > 0 ||
    readGiven(store).some(({ conversation }) => conversation === session) ||
    wasSuggested(store, session);
  if (isKnown) return session;
  throw new CtxError("NOT_FOUND", `Cannot preview for "${session}": no such session`, {
    hint: "to list sessions: ctx sessions; without --session, the preview is for a new session",
  });
}

function wasSuggested({ files, layout }: Store, session: string): boolean {
  const needles = [JSON.stringify(session)];
  return readSuggestionEvents(files, layout, { needles })
    .some(({ event }) => event.event === "suggested" && event.session_id === session);
}
