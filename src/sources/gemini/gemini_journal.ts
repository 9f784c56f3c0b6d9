// Replays a Gemini chat journal: messages by id with the last one winning, metadata patches,
// rewinds. Pure.

import { type Json, toObject, toObjects, toText } from "../loose_json.ts";

/** A chat as it stands after the last line. */
export interface GeminiDocument {
  meta: Json;
  messages: Json[];
}

/** Folds the records of a journal. */
export function foldGemini(records: Iterable<{ value: Json }>): GeminiDocument {
  const meta: Json = {};
  let messages = new Map<string, Json>();
  let loose = 0;
  for (const { value } of records) {
    const patch = toObject(value.$set);
    const rewind = toText(value.$rewindTo);
    if (patch) {
      Object.assign(meta, patch);
      if (Array.isArray(patch.messages)) messages = byId(toObjects(patch.messages));
    } else if (rewind) messages = dropFrom(messages, rewind);
    else if (value.type !== undefined && (value.id !== undefined || value.content !== undefined)) {
      messages.set(toText(value.id) ?? `loose-${loose++}`, value);
    } else Object.assign(meta, value);
  }
  return { meta, messages: [...messages.values()] };
}

function byId(messages: Json[]): Map<string, Json> {
  return new Map(messages.map((message, i) => [toText(message.id) ?? `loose-${i}`, message]));
}

/** Drops a message and all after it; an unknown id drops all. */
function dropFrom(messages: Map<string, Json>, id: string): Map<string, Json> {
  const ids = [...messages.keys()];
  const kept = ids.slice(0, Math.max(0, ids.indexOf(id)));
  return new Map(kept.map((key) => [key, messages.get(key) ?? {}]));
}
