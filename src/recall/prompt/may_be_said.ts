// Whether anything could be said about a prompt. Mostly nothing can, which the prompt's words tell before
// a search is loaded.

import { findMostFit } from "../../search/most_fit.ts";
import { termsOf } from "../../search/rank/terms_of.ts";
import type { Store } from "../../store/store.ts";
import { mostStanding } from "../pack/standing.ts";
import { isChangePrompt } from "./change_prompt.ts";
import { changeGates, gate, passesGate, savedGate } from "./prompt_gate.ts";
import {
  minNames,
  namedTypes,
  namesIn,
  namesOnly,
  slack,
  spelledNamesIn,
  toQuery,
} from "./prompt_query.ts";

/** A prompt with fewer words of its own asks for nothing that could be found. */
const minTerms = 3;

/** Whether a prompt says enough to look anything up: not "yes", "go on" or a command of the agent. */
export function isTelling(prompt: string): boolean {
  const text = prompt.trimStart();
  return !/^[/<!#]/.test(text) && termsOf(toQuery(text)).length >= minTerms;
}

/** What may pass the gate: some line at all, and one that is about what the prompt names. */
export interface Hope {
  isPossible: boolean;
  isNamed: boolean;
}

/** Whether some line might pass the gate. Use is looked up where it decides. */
export async function mayBeSaid(
  store: Store,
  prompt: string,
  readStanding: () => ReadonlyMap<string, number>,
): Promise<Hope> {
  const query = toQuery(prompt);
  const names = namesIn(query);
  const most = await findMostFit(store, query, {
    names: spelledNamesIn(query),
    least: minNames,
    types: namedTypes,
    isSought: ({ title }) => namesOnly(title, names),
  });
  if (most === undefined) return { isPossible: true, isNamed: true };
  const { isNamed } = most;
  const gates = [gate, savedGate, ...(isChangePrompt(prompt) ? changeGates : [])];
  const passesWith = (factor: number): boolean => {
    const fit = { worth: most.worth * factor + slack, share: most.share + slack };
    return gates.some((least) => passesGate(fit, least));
  };
  const isPossible = isNamed || passesWith(1) ||
    passesWith(mostStanding) && passesWith(Math.max(1, ...readStanding().values()));
  return { isPossible, isNamed };
}
