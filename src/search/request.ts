// The contract of a search: what can be asked and what comes back. Types and names only.

import type { Pool } from "../core/entry.ts";
import type { CtxError } from "../core/errors.ts";
import { filterFields, type KeywordField } from "../index/segment/keyword.ts";
import type { CandidateCounts, RankSource } from "./rank/rank.ts";
import type { SearchRow } from "./row_shape.ts";

/** How to search: `auto` uses vectors when there are some. */
export const searchModes = ["auto", "lexical", "vector", "hybrid"] as const;
/** One of `searchModes`. */
export type SearchMode = typeof searchModes[number];
/** What to search: history and documents; history, or one pool of it; the documents; past chats. */
export const scopes = ["all", "history", "hot", "archive", "docs", "chat"] as const;
/** One of `scopes`. */
export type Scope = typeof scopes[number];

/** What a search knows of the words that it did not find. */
export interface UnknownWords {
  /** The terms that no row has; where nothing was found, also those that only hidden rows have. */
  terms: readonly string[];
  /** How many words the search has, if it found nothing. */
  vainWords?: number;
}

/** A search. A filter with several values takes any of them. */
export interface SearchRequest {
  query: string;
  k: number;
  offset: number;
  scope: Scope;
  mode: SearchMode;
  /** Only this session. */
  session?: string;
  /** Everything but this session. */
  exclude_session?: string;
  /** A session whose entries gain a little. */
  current_session?: string;
  role?: string | string[];
  type?: string | string[];
  source?: string | string[];
  project?: string | string[];
  branch?: string | string[];
  file?: string | string[];
  tag?: string | string[];
  /** Only documents of this collection. */
  collection?: string | string[];
  /** Only what this member wrote; one's own name means one's own rows too. */
  author?: string | string[];
  /** Only one's own rows. */
  mine?: boolean;
  since?: string;
  until?: string;
  /** What ages such as 7d count back from. */
  now_ms?: number;
  include_thinking?: boolean;
  explain?: boolean;
  /** Words are taken as they are written: none is corrected. */
  exact?: boolean;
  /** What may be corrected, where another store may have other words; all, unless it is said. */
  correctable?: UnknownWords;
  /** Nobody asked: when nothing is found, nothing is told of what was searched. */
  unasked?: boolean;
  /** Properties whose values are counted over all rows that match. */
  facets?: readonly FacetName[];
  /**
   * What is one result: a row; an exchange by its best row; a session by its best row. `k` and `offset`
   * count these, `total` counts rows, or sessions. A row, unless it is said.
   */
  unit?: SearchUnit;
  /** Whether an exchange quotes others of its rows; it does, unless it is said. */
  quotes?: boolean;
  /** Whether rows tell of their session: its title and size, and their number in it. */
  sessions?: boolean;
  /** Whether rows that say the same are shown once; with sessions there is no need. */
  fold?: boolean;
  pins?: ReadonlySet<string>;
  /** Whether rows that speak of code tell if it is still there; those whose code is gone are set back. */
  freshness?: boolean;
  /** Only rows whose code has not changed since, and those that speak of none. */
  fresh?: boolean;
}

/** What was searched, and why there is not more. */
export interface Coverage {
  pools: Pool[];
  /** The entries that were searched in each pool: of the scope, whatever other filters let through. */
  searched: Record<string, number>;
  entries: number;
  sessions?: number;
  first_ts?: string;
  last_ts?: string;
  below_floor: number;
  /** Rows that matched and that a filter removed, by filter. */
  removed_by_filter: Record<string, number>;
  /** Terms of the query that no entry has, with the nearest that one has. */
  unknown_terms: string[];
  nearest_terms?: Record<string, string[]>;
}

/** A value of a filter that no row has, and the values that rows have, the most frequent first. */
export interface Stranger {
  field: KeywordField;
  value: string;
  known: string[];
}

/** A time in which nothing is, as it was written, and the nearest rows before and after it. */
export interface EmptyTime {
  said: string;
  near: { offset: number; timeMs: number }[];
}

export interface SearchAnswer {
  hits: number;
  total: number;
  /** Of the rows that were looked at for this page, those that say what another one says. */
  copies?: number;
  /** Of the rows that were looked at for this page, those in the exchange of a better one. */
  joined?: number;
  /** By sessions, how many rows match; `total` is how many sessions there are. */
  matches?: number;
  rows: SearchRow[];
  /** The scores of the best two rows that say different things, on this page or not. */
  top: number[];
  branch: RankSource;
  engine: "index" | "scan";
  /** Rows in sealed segments, and bytes of the logs after them that were read along the way. */
  index: { sealed_rows: number; tail_bytes: number };
  candidates: CandidateCounts;
  coverage: Coverage;
  /** Values of filters that no row has. */
  strangers?: Stranger[];
  /** The question names a time, and nothing is from then. */
  empty_time?: EmptyTime;
  /** What may be why nothing was found. */
  unseen?: UnknownWords;
  /** Words that occur nowhere, with what was searched for in their place. */
  corrected?: Record<string, string>;
  /** Things a reader should know: words left out, vectors missing. */
  notes: string[];
  /** Why the provider of vectors gave none: the search went by words. */
  provider_error?: CtxError;
  /** By property, how many values there are and how many matching rows have each. */
  facets?: FacetCounts;
}

/** What one result can be. */
export const searchUnits = ["row", "exchange", "session"] as const;
/** One of `searchUnits`. */
export type SearchUnit = typeof searchUnits[number];
/** What `facets` can name. */
export const facetNames = [...filterFields, "pool"] as const;
/** One of `facetNames`. */
export type FacetName = typeof facetNames[number];
/** By property: how many values, and how many rows have each. */
export type FacetCounts = Record<string, { count: number; values: Record<string, number> }>;
