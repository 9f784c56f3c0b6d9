// What agents' requests used, out of the rows of their sessions. Agents write the usage of one request on
// several rows, and sessions that were resumed repeat those of others: each request counts once, by its
// id, as it was at its end.

import { type Entry, ownPools } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import { readSessionCatalog } from "../../store/session_catalog.ts";
import type { Store } from "../../store/store.ts";
import type { ModelPrices } from "./model_prices.ts";

/** Tokens by how they are charged: no token is in two of them. */
export interface ChargedTokens {
  input_tokens: number;
  /** With what a model thought. */
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  /** The part of them that a cache keeps for an hour. */
  cache_write_1h_tokens: number;
}

/** One request to a model. */
export interface Charge extends ChargedTokens {
  /** The entry that says so. */
  entry: string;
  ts: string;
  agent: string;
  /** Empty where the agent does not say. */
  model: string;
  project: string;
  branch: string;
  session: string;
  /** The session that started this one. */
  parent?: string;
}

/** All requests that are known, in the order of the log. */
export function readCharges(store: Store): Charge[] {
  const catalog = readSessionCatalog(store);
  const found = new Map<string, Charge>();
  let unnamed = 0;
  for (const { entry } of store.entries({ pools: ownPools, needles })) {
    for (const usage of usagesOf(entry)) {
      const id = typeof usage.id === "string" ? usage.id : `\0${unnamed++}`;
      const agent = entry.source?.agent ?? "ctx";
      const tokens = toCharged(agent, usage);
      // What an agent writes without asking a model.
      if (Object.values(tokens).every((count) => count === 0)) continue;
      const known = found.get(id);
      if (known !== undefined && known.output_tokens < tokens.output_tokens) {
        Object.assign(known, tokens);
      }
      // A resumed session repeats what an earlier one asked.
      if (known !== undefined && known.ts <= entry.ts) continue;
      const session = catalog.get(entry.session_id ?? "");
      found.set(id, {
        ...tokens,
        ...known,
        entry: entry.id,
        ts: entry.ts,
        agent,
        model: typeof usage.model === "string" ? usage.model : entry.model ?? "",
        project: entry.project ?? session?.project ?? store.layout.workspace,
        branch: entry.branch ?? session?.branch ?? "",
        session: entry.session_id ?? "",
        parent: session?.parent,
      });
    }
  }
  return [...found.values()];
}

/** What every usage has; rows without it are not parsed. */
const needles = ['_tokens":'];

type Counts = Record<string, unknown>;

/** What an entry says that requests used: its own, and those that left no row. */
function usagesOf({ usage, more_usage }: Entry): Counts[] {
  const more = Array.isArray(more_usage) ? more_usage : [];
  return [usage, ...more].filter((one) => isObject(one));
}

/** Agents whose input contains what was read from the cache. */
const countsCached: ReadonlySet<string> = new Set(["codex", "gemini", "qwen"]);
/** Agents whose output does not contain what the model thought. */
const countsThoughts: ReadonlySet<string> = new Set(["gemini", "opencode", "kilo", "qwen"]);

function toCharged(agent: string, usage: Counts): ChargedTokens {
  const at = (name: string): number => {
    const count = usage[name];
    return typeof count === "number" && count > 0 ? count : 0;
  };
  const cached = at("cache_read_tokens");
  const thought = countsThoughts.has(agent) ? at("reasoning_tokens") : 0;
  return {
    input_tokens: Math.max(0, at("input_tokens") - (countsCached.has(agent) ? cached : 0)),
    output_tokens: at("output_tokens") + thought,
    cache_read_tokens: cached,
    cache_write_tokens: at("cache_write_tokens"),
    cache_write_1h_tokens: Math.min(at("cache_write_1h_tokens"), at("cache_write_tokens")),
  };
}

/** What a request cost in US dollars; undefined for a model without a price. */
export function priceOf(charge: Charge, prices: ModelPrices): number | undefined {
  const price = prices.find(charge.model);
  if (price === undefined) return undefined;
  const { cache_write_tokens: written, cache_write_1h_tokens: hour } = charge;
  return (charge.input_tokens * price.input + charge.output_tokens * price.output +
    charge.cache_read_tokens * price.cache_read + (written - hour) * price.cache_write +
    hour * price.cache_write_1h) / 1e6;
}
