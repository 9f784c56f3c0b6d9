// The words of proactive context: what is asked about, what is suggested, and why. Types only.

import type { CodeGraph } from "../graph/code_graph.ts";
import type { FileFacts, SymbolFact } from "../graph/file_facts.ts";
import type { Evidence } from "./calibration.ts";
import type { TestFailure } from "./failing_tests.ts";
import type { FileHistory } from "./file_history.ts";
import type { MentionSource } from "./mention_source.ts";
import type { suggestionTypes } from "../../../core/row_kinds.ts";

/** One of `suggestionTypes`. */
export type SuggestionType = typeof suggestionTypes[number];

/** An item before it is ranked. */
export interface Candidate {
  type: SuggestionType;
  title: string;
  summary: string;
  entity_id: string;
  /** What tells it from others, where that is more than its entity: an id may name several entries. */
  key?: string;
  evidence: Evidence[];
  /** Changes when the item has something new to say. */
  fingerprint: string;
  /** The next command to run. */
  action?: string;
  /** The file that the item is about: one item per file among code and changes. */
  path?: string;
}

/** What a suggestion is about. */
export interface Subject {
  path?: string;
  symbol?: string;
  facts?: FileFacts;
  /** The symbol in focus, when the file defines it. */
  focus?: SymbolFact;
  /** Other files at hand: they are not suggested. */
  recent: string[];
  now: number;
  recentChangeDays: number;
  /** What is less probable than this is not told, and need not be found unless it is anyway. */
  leastProbability?: number;
}

/** What signals read from. A hook has neither graph nor history: then those signals are silent. */
export interface Sources {
  workspace: string;
  graph?: CodeGraph;
  history?: FileHistory;
  mentions: MentionSource;
  failures: TestFailure[];
}
