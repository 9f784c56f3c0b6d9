// A session as a chat journal of Gemini CLI. An answer and the calls right after it are one message, as
// the model gave them. Reads which directory Gemini has for the project; writes nothing.

import { isObject } from "../../core/json.ts";
import { decodeLossy } from "../../core/utf8.ts";
import { briefUuid, MessageUuids, sessionUuid } from "./handed_ids.ts";
import type { HandedSession, HandoffPlace, Transcript } from "./transcript.ts";
import type { CallTurn } from "./turn.ts";
import { resumeCommands } from "./resume_commands.ts";

interface ChatMessage {
  id: string;
  timestamp: string;
  type: "user" | "gemini";
  content: unknown;
  [field: string]: unknown;
}

/** Writes a chat where Gemini looks for it, and whose project the directory is, where that is new. */
export async function toGeminiTranscript(
  session: HandedSession,
  place: HandoffPlace,
): Promise<Transcript> {
  const id = sessionUuid(session, "gemini");
  const { brief, turns, title, cwd } = session;
  const started = turns[0]?.ts ?? new Date(0).toISOString();
  const messages: ChatMessage[] = [];
  // Gemini changes messages in place: under its own ids they would count as newer versions.
  const uuids = new MessageUuids(false);
  const user = (uuid: string, timestamp: string, text: string): void => {
    messages.push({ id: uuid, timestamp, type: "user", content: [{ text }] });
  };
  if (brief !== undefined) user(briefUuid(session), started, brief);
  for (const turn of turns) {
    if (turn.kind === "prompt") user(uuids.of(turn), turn.ts, turn.text);
    else if (turn.kind === "call") {
      const last = messages.at(-1);
      const isAfterAnswer = last?.type === "gemini" && last.toolCalls === undefined;
      const message = isAfterAnswer ? last : gemini(uuids.of(turn), turn.ts, "", turn.model);
      if (!isAfterAnswer) messages.push(message);
      message.toolCalls = [toToolCall(turn)];
    } else messages.push(gemini(uuids.of(turn), turn.ts, turn.text, turn.model));
  }
  const lastUpdated = turns.at(-1)?.ts ?? started;
  const head = {
    sessionId: id,
    projectHash: new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(cwd)),
    ).toHex(),
    startTime: started,
    lastUpdated,
    kind: "main",
    ...(title === "" ? {} : { summary: title }),
  };
  const root = `${place.env("GEMINI_CLI_HOME") || place.home}/.gemini`;
  // On Windows Gemini knows a project by its path in small letters.
  const key = /^(?:[a-z]:|\\\\)/i.test(cwd) ? cwd.toLowerCase() : cwd;
  const { slug, isNew } = findSlug(root, key, place);
  const directory = `${root}/tmp/${slug}`;
  const minute = started.slice(0, 16).replace(":", "-");
  const text = [head, ...messages].map((line) => JSON.stringify(line) + "\n").join("");
  return {
    id,
    files: [
      { path: `${directory}/chats/session-${minute}-${id.slice(0, 8)}.jsonl`, text },
      ...(isNew ? [{ path: `${directory}/.project_root`, text: key }] : []),
    ],
    messages: messages.length,
    resume: [`${resumeCommands.gemini} ${id}`],
  };
}

function gemini(id: string, timestamp: string, content: string, model?: string): ChatMessage {
  return { id, timestamp, type: "gemini", content, ...(model === undefined ? {} : { model }) };
}

function toToolCall({ call_id: id, call: { name, input: args }, result }: CallTurn): object {
  const response = result.error ? { error: result.text } : { output: result.text };
  return {
    id,
    name,
    args,
    result: [{ functionResponse: { id, name, response } }],
    status: result.error ? "error" : "success",
    timestamp: result.ts,
    resultDisplay: result.text,
  };
}

/** The directory that Gemini uses for a project, as its list or the directory itself says; else a free one. */
function findSlug(
  root: string,
  project: string,
  { files }: HandoffPlace,
): { slug: string; isNew: boolean } {
  const ownerOf = (slug: string): string | undefined => {
    const bytes = files.findBytes(`${root}/tmp/${slug}/.project_root`);
    return bytes && decodeLossy(bytes).trim();
  };
  const listed = readProjects(files.findBytes(`${root}/projects.json`));
  const named = Object.hasOwn(listed, project) ? listed[project] : undefined;
  const isMine = (slug: string): boolean => [undefined, project].includes(ownerOf(slug));
  if (named !== undefined && isMine(named)) {
    return { slug: named, isNew: ownerOf(named) === undefined };
  }
  const found = files.list(`${root}/tmp`).find((slug) => ownerOf(slug) === project);
  if (found !== undefined) return { slug: found, isNew: false };
  const base = project.split(/[\\/]/).at(-1)?.toLowerCase().replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "project";
  const taken = new Set([...files.list(`${root}/tmp`), ...Object.values(listed)]);
  let slug = base;
  for (let n = 1; taken.has(slug); n++) slug = `${base}-${n}`;
  return { slug, isNew: true };
}

function readProjects(bytes: Uint8Array | undefined): Record<string, string> {
  try {
    const { projects } = JSON.parse(decodeLossy(bytes ?? new Uint8Array()));
    if (!isObject(projects)) return {};
    // A name with anything else in it is not Gemini's, and could lead elsewhere.
    const sound = Object.entries(projects).filter(([, slug]) => /^[a-z0-9-]+$/.test(String(slug)));
    return Object.fromEntries(sound.map(([path, slug]) => [path, String(slug)]));
  } catch {
    return {};
  }
}
