// Replays a Gemini chat journal: messages by id with the last one winning, metadata patches,
// rewinds. Who resumes a chat has Gemini write all messages again, without models, usage and calls, and
// with the time of the resumption; who compresses one has it leave most of them out. What a message once
// said of itself stays, and so does what was said. Pure.

import { type Json, toObject, toObjects, toText } from "../loose_json.ts";

/** A chat as it stands after the last line. */
export interface GeminiDocument {
  meta: Json;
  messages: Json[];
}

export function foldGemini(records: Iterable<{ value: Json }>): GeminiDocument {
  const meta: Json = {};
  let messages = new Map<string, Json>();
  let loose = 0;
  const take = (message: Json, id: string): void => {
    messages.set(id, complete(message, messages.get(id)));
  };
  for (const { value } of records) {
    const patch = toObject(value.$set);
    const rewind = toText(value.$rewindTo);
    if (patch) {
      Object.assign(meta, patch);
      for (const [i, message] of toObjects(patch.messages).entries()) {
        take(message, toText(message.id) ?? `loose-${i}`);
      }
    } else if (rewind) messages = dropFrom(messages, rewind);
    else if (value.type !== undefined && (value.id !== undefined || value.content !== undefined)) {
      take(value, toText(value.id) ?? `loose-${loose++}`);
    } else Object.assign(meta, value, { startTime: meta.startTime ?? value.startTime });
  }
  return { meta, messages: [...messages.values()] };
}

/** A message with what an earlier writing of it says and this one does not. */
function complete(message: Json, before: Json | undefined): Json {
  if (before === undefined) return message;
  const said = Object.entries(message).filter(([, value]) =>
    value !== undefined && value !== null && value !== "" &&
    !(Array.isArray(value) && value.length === 0)
  );
  const { timestamp = message.timestamp } = before;
  return { ...before, ...Object.fromEntries(said), timestamp };
}

/** Drops a message and all after it; an unknown id drops all. */
function dropFrom(messages: Map<string, Json>, id: string): Map<string, Json> {
  const ids = [...messages.keys()];
  const kept = ids.slice(0, Math.max(0, ids.indexOf(id)));
  return new Map(kept.map((key) => [key, messages.get(key) ?? {}]));
}
