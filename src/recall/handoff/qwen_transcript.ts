// A session as a chat of Qwen Code: a record per line, each naming the one before, in Gemini's parts.
// Pure.

import { briefUuid, MessageUuids, sessionUuid } from "./handed_ids.ts";
import type { HandedSession, HandoffPlace, Transcript } from "./transcript.ts";
import type { CallTurn, TurnFacts } from "./turn.ts";
import { makeRestoredUuid } from "../../core/restored_uuid.ts";
import { resumeCommands } from "./resume_commands.ts";

/** The version of the agent whose format this is. */
const formatVersion = "0.24.4";

/** Writes a chat where Qwen Code looks for it. */
export function toQwenTranscript(session: HandedSession, place: HandoffPlace): Transcript {
  const id = sessionUuid(session, "qwen");
  const uuids = new MessageUuids(session.from === "qwen");
  const lines: string[] = [];
  let parentUuid: string | null = null;
  const put = (facts: TurnFacts, record: object, uuid = uuids.of(facts)): void => {
    lines.push(
      JSON.stringify({
        uuid,
        parentUuid,
        sessionId: id,
        timestamp: facts.ts,
        cwd: facts.cwd ?? session.cwd,
        version: formatVersion,
        ...(facts.branch === undefined ? {} : { gitBranch: facts.branch }),
        ...record,
      }) + "\n",
    );
    parentUuid = uuid;
  };
  const { brief, turns, title } = session;
  const first = { id: session.id, ts: turns[0]?.ts ?? new Date(0).toISOString() };
  if (brief !== undefined) put(first, prompt(brief), briefUuid(session));
  for (const turn of turns) {
    if (turn.kind !== "call") {
      const { kind, text } = turn;
      put(turn, kind === "prompt" ? prompt(text) : answer(turn, { text }));
    } else {
      const { name, input } = turn.call;
      put(turn, answer(turn, { functionCall: { id: turn.call_id, name, args: input } }));
      put({ ...turn, ...turn.result }, toolResult(turn));
    }
  }
  const messages = lines.length;
  if (title !== "") {
    const last = { id: session.id, ts: turns.at(-1)?.ts ?? first.ts };
    const payload = { customTitle: title, titleSource: "auto" };
    const record = { type: "system", subtype: "custom_title", systemPayload: payload };
    put(last, record, makeRestoredUuid(`${session.id}\0title`));
  }
  const root = place.env("QWEN_RUNTIME_DIR")?.trim() || place.env("QWEN_HOME")?.trim() ||
    `${place.home}/.qwen`;
  const slug = session.cwd.replace(/[^A-Za-z0-9]/g, "-");
  return {
    id,
    files: [{ path: `${root}/projects/${slug}/chats/${id}.jsonl`, text: lines.join("") }],
    messages,
    resume: [`${resumeCommands.qwen} ${id}`],
  };
}

function prompt(text: string): object {
  return { type: "user", provenance: "real_user", message: { role: "user", parts: [{ text }] } };
}

function answer({ model }: TurnFacts, part: object): object {
  return {
    type: "assistant",
    ...(model === undefined ? {} : { model }),
    message: { role: "model", parts: [part] },
  };
}

function toolResult({ call_id, call: { name }, result }: CallTurn): object {
  const response = result.error ? { error: result.text } : { output: result.text };
  return {
    type: "tool_result",
    message: { role: "user", parts: [{ functionResponse: { id: call_id, name, response } }] },
    toolCallResult: {
      callId: call_id,
      status: result.error ? "error" : "success",
      resultDisplay: result.text,
    },
  };
}
