// A whole session as a list that a page can scroll: of each message what it is and its first line, no
// text; and what the session was about, touched and started. Lists go beside each other by position,
// since names on 20,000 rows would be most of the answer.

import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import { isPrompt } from "../../core/rows/exchanges.ts";
import { editsOf, toRelative } from "../../core/rows/edits.ts";
import { compareText, firstLine } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import { isNotice } from "../../core/voice/client_ranges.ts";
import * as s from "../../command/shape.ts";
import { lineOf } from "../outline_line.ts";
import type { CatalogSession } from "../../store/catalog_sessions.ts";
import { firstUserLine, readSessionCatalog, sessionTitle } from "../../store/session_catalog.ts";
import { getMessages, type SessionMessage } from "../session_messages.ts";
import { addUsage } from "../survey.ts";
import { findPlaces, keepPlaces, type MessagePlace, type SessionAt } from "./session_places.ts";

const numbers = s.listOf(s.number());

export const outlineShape = {
  ...s.each(s.text(), "session_id", "title"),
  ...s.each(s.optional(s.text()), "source", "project", "branch", "started", "ended", "parent"),
  models: s.listOf(s.text()),
  ...s.each(s.number(), "total", "estimated_tokens"),
  files: s.listOf(s.object({ path: s.text(), ...s.each(s.number(), "messages", "edits") })),
  agents: s.listOf(s.object({
    ...s.each(s.text(), "session_id", "title"),
    started: s.optional(s.text()),
    message_count: s.number(),
    at: s.optional(s.number()),
  })),
  kinds: s.listOf(s.object(s.each(s.text(), "role", "type"))),
  tools: s.listOf(s.text()),
  messages: s.object({
    ...s.each(numbers, "number", "kind", "after_ms", "tokens", "tool", "call"),
    ...s.each(s.listOf(s.text()), "id", "line"),
    files: s.listOf(numbers),
  }),
  ...s.each(numbers, "edits", "prompts", "runs", "failed"),
  usage: s.optional(s.recordOf(s.number())),
};
export type SessionOutline = s.ObjectOf<typeof outlineShape>;

const made = new WeakMap<
  readonly MessagePlace[],
  { chars: number; outline: SessionOutline }
>();

/** The outline of a session; throws NOT_FOUND when there is none. Made once for each revision. */
export async function outlineSession(at: SessionAt, chars: number): Promise<SessionOutline> {
  const known = findPlaces(at);
  const before = known && made.get(known);
  if (before?.chars === chars) return before.outline;
  const messages = await getMessages(at.view, at.id);
  const outline = toOutline(at, messages, chars);
  made.set(keepPlaces(at, messages), { chars, outline });
  return outline;
}

function toOutline(
  { view, id }: SessionAt,
  messages: readonly SessionMessage[],
  chars: number,
): SessionOutline {
  const catalog = readSessionCatalog(view);
  const session = catalog.get(id);
  const started = messages.reduce(
    (first, { entry }) => first === undefined || entry.ts < first ? entry.ts : first,
    session?.started,
  );
  const startMs = Date.parse(started ?? "");
  const [kinds, tools, models]: string[][] = [[], [], []];
  const files = new Map<string, SessionOutline["files"][number] & { at: number }>();
  const list: SessionOutline["messages"] = {
    number: [],
    id: [],
    kind: [],
    after_ms: [],
    line: [],
    tokens: [],
    tool: [],
    call: [],
    files: [],
  };
  const [edits, typed, asked, runs, failed]: number[][] = [[], [], [], [], []];
  const usage: Record<string, number> = {};
  const charged = new Set<string>();
  const calls = new Map<unknown, number>();
  for (const [position, { number, entry }] of messages.entries()) {
    const { tool, project } = entry;
    const isEdit = editsOf(entry).length > 0;
    if (isEdit) edits.push(position);
    if (entry.role === "user" && entry.type === "turn") {
      asked.push(position);
      if (isPrompt(entry) && !isNotice(entry.text)) typed.push(position);
    }
    if (tool?.effect === "run") runs.push(position);
    if (tool?.error) failed.push(position);
    addUsage(usage, entry.usage, charged);
    if (entry.type === "tool_call" && tool?.call_id !== undefined) {
      calls.set(tool.call_id, position);
    }
    list.number.push(number);
    list.id.push(entry.id);
    list.kind.push(numberIn(kinds, `${entry.role} ${entry.type}`));
    list.after_ms.push(Date.parse(entry.ts) - startMs);
    list.line.push(lineOf(entry, chars));
    list.tokens.push(countTokens(entry.text));
    list.tool.push(tool === undefined ? -1 : numberIn(tools, tool.name));
    list.call.push(entry.type === "tool_output" ? calls.get(tool?.call_id) ?? -1 : -1);
    list.files.push((entry.files ?? []).map((file) => {
      const path = toRelative(file, project);
      const known = files.get(path) ?? { path, messages: 0, edits: 0, at: files.size };
      files.set(path, known);
      known.messages++;
      if (isEdit) known.edits++;
      return known.at;
    }));
    if (entry.model !== undefined) numberIn(models, entry.model);
  }
  return {
    session_id: id,
    title: session === undefined ? "" : sessionTitle(session),
    source: session?.source,
    project: session?.project,
    branch: session?.branch,
    started,
    ended: session?.ended,
    parent: session?.parent,
    models,
    total: messages.length,
    estimated_tokens: list.tokens.reduce((sum, tokens) => sum + tokens, 0),
    files: [...files.values()].map(({ at: _at, ...file }) => file),
    agents: findAgents(id, catalog, messages),
    kinds: kinds.map((kind) => {
      const [role, type] = kind.split(" ");
      return { role, type };
    }),
    tools,
    messages: list,
    edits,
    // What an agent asked its helper is the only prompt there.
    prompts: typed.length > 0 ? typed : asked,
    runs,
    failed,
    ...(charged.size > 0 ? { usage } : {}),
  };
}

/** The number of a name in a list, to which it is added where it is new. */
function numberIn(names: string[], name: string): number {
  const at = names.indexOf(name);
  return at < 0 ? names.push(name) - 1 : at;
}

/** The sessions that this one started, and the number of the call that did, where that is clear. */
function findAgents(
  id: string,
  catalog: ReadonlyMap<string, CatalogSession>,
  messages: readonly SessionMessage[],
): SessionOutline["agents"] {
  const own = [...catalog.values()].filter(({ parent }) => parent === id)
    .sort((a, b) => compareText(a.started ?? "", b.started ?? ""));
  if (own.length === 0) return [];
  const calls = messages.filter(({ entry: { type, tool } }) =>
    type === "tool_call" && tool?.effect === "agent"
  );
  const asking = new Map<string, SessionMessage[]>();
  for (const call of calls) {
    for (const words of wordsGiven(call.entry)) {
      const known = asking.get(words);
      if (known === undefined) asking.set(words, [call]);
      else known.push(call);
    }
  }
  const taken = new Set<SessionMessage>();
  const open: SessionMessage[] = [];
  let next = 0;
  return own.map((session) => {
    const { started = "" } = session;
    while (next < calls.length && calls[next].entry.ts <= started) open.push(calls[next++]);
    let call = asking.get(beginOf(firstUserLine(session)))?.shift();
    while (call === undefined || taken.has(call)) {
      call = open.pop();
      if (call === undefined) break;
    }
    if (call !== undefined) taken.add(call);
    return {
      session_id: session.id,
      title: sessionTitle(session),
      started: session.started,
      message_count: session.message_count,
      ...(call === undefined ? {} : { at: call.number }),
    };
  });
}

/** How the arguments of a call begin that are texts. */
function wordsGiven({ tool }: Entry): Set<string> {
  const values = isObject(tool?.input) ? Object.values(tool.input) : [];
  return new Set(values.flatMap((value) => typeof value === "string" ? beginOf(value) : []));
}

function beginOf(text: string): string {
  return firstLine(text, 60);
}
