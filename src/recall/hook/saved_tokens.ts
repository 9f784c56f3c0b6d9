// What lines that were used spared an agent, as an estimate: to know the same it would have read what
// they stand for. Only the entries of used lines are read.

import { readEntries } from "../../read/find_entries.ts";
import type { Entry } from "../../core/entry.ts";
import { isRecord } from "../../core/rows/record.ts";
import { countTokens } from "../../core/tokens.ts";
import type { InjectedLine, Injection } from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import type { Use } from "./uptake.ts";

/**
 * The tokens that each injection saved, 0 where none of its lines was used. A line counts once in a
 * conversation, where it was given first, and never for less than nothing.
 */
export async function findSavedTokens(
  store: Store,
  uses: Iterable<Use>,
): Promise<Map<Injection, number>> {
  const used: { injection: Injection; line: InjectedLine }[] = [];
  for (const { injections, used: ids } of uses) {
    const left = new Set(ids);
    for (const injection of injections) {
      for (const line of injection.lines) {
        if (left.delete(line.id)) used.push({ injection, line });
      }
    }
  }
  const stand = await readTokens(store, new Set(used.map(({ line }) => line.id)));
  const saved = new Map<Injection, number>();
  for (const { injection, line } of used) {
    const tokens = Math.max(0, (stand.get(line.id) ?? 0) - line.tokens);
    saved.set(injection, (saved.get(injection) ?? 0) + tokens);
  }
  return saved;
}

/** The tokens of what lines stand for: a record for what it was derived from, anything else for itself. */
async function readTokens(store: Store, ids: ReadonlySet<string>): Promise<Map<string, number>> {
  const entries = await readEntries(store, ids);
  const sources = (entry: Entry): string[] => isRecord(entry) ? entry.refs ?? [] : [];
  const from = await readEntries(store, [...entries.values()].flatMap(sources));
  const tokensOf = new Map([...from].map(([id, { text }]) => [id, countTokens(text)]));
  return new Map(
    [...entries].map(([id, entry]) => {
      const known = [...new Set(sources(entry))].flatMap((source) => tokensOf.get(source) ?? []);
      // Where what it was derived from is gone, a record is all there is.
      const sum = known.reduce((all, tokens) => all + tokens, 0);
      return [id, known.length > 0 ? sum : countTokens(entry.text)];
    }),
  );
}
