// The sessions in which a model took part: models are in the rows of answers only, and what is asked
// for is the whole session. Loaded only where one is asked for.

import { CtxError } from "../../core/errors.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { guessAt } from "../../core/text.ts";
import type { Store } from "../../store/store.ts";

/** Their ids; throws NOT_FOUND, naming the models that there are, when it is none of them. */
export async function findModelSessions(
  stores: readonly Store[],
  { model, signal }: { model: string; signal?: AbortSignal },
): Promise<Set<string>> {
  const wanted = model.trim().toLowerCase();
  const sessions = new Set<string>();
  const known = new Set<string>();
  for (const store of stores) {
    for (const { entry } of store.entries({ needles: ['"model"'] })) {
      if (isBreathDue()) await breathe(signal);
      if (typeof entry.model !== "string" || entry.session_id === undefined) continue;
      known.add(entry.model);
      if (entry.model.toLowerCase().includes(wanted)) sessions.add(entry.session_id);
    }
  }
  if (sessions.size > 0) return sessions;
  const guess = guessAt(wanted, known);
  throw new CtxError("NOT_FOUND", `Cannot find the model "${model}" in any session${guess}`, {
    hint: known.size === 0
      ? "no entry here names its model"
      : `models here: ${[...known].slice(0, 8).join(", ")}`,
  });
}
