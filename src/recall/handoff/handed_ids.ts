// The ids that a transcript has: the producer's own where importing knows them, else UUIDs that say that
// ctx wrote them. Pure.

import { makeRestoredUuid } from "../../core/restored_uuid.ts";
import type { HandedSession } from "./transcript.ts";
import type { TurnFacts } from "./turn.ts";

/** The agent's own id of a session it held itself, or one that is made of ours. */
export function sessionUuid({ id, from, conversation }: HandedSession, to: string): string {
  return from === to && isUuid(conversation) ? conversation : makeRestoredUuid(id);
}

/** The id of the brief, which is no entry. */
export function briefUuid({ id }: HandedSession): string {
  return makeRestoredUuid(`${id}\0brief`);
}

/** Gives each message an id, no two the same; `keeps` says whether the producer's own may stay. */
export class MessageUuids {
  readonly #used = new Set<string>();
  readonly #keeps: boolean;

  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  of({ id, message }: Pick<TurnFacts, "id" | "message">): string {
    const isOwn = this.#keeps && isUuid(message) && !this.#used.has(message);
    const uuid = isOwn ? message : makeRestoredUuid(id);
    this.#used.add(uuid);
    return uuid;
  }
}

function isUuid(text: string | undefined): text is string {
  return text !== undefined &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
