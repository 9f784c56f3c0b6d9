// The one interface behind every importer: where an agent keeps its history, which sessions are in
// it, and a stream of their entries. A source only reads; ids, redaction and writing belong to the
// sink's owner.

import type { EntryFields } from "../../core/entry.ts";
import type { Databases } from "./database/databases.ts";
import type { Tally } from "./problem_tally.ts";

/** The machine as a source may see it: nothing else decides where histories are looked for. */
export interface Place {
  env: (name: string) => string | undefined;
  home: string;
  os: "linux" | "darwin" | "windows";
  workspace: string;
}

/** One conversation in an agent's store, as far as a quick look tells. */
export interface SourceSession {
  /** The producer's own id of the conversation. */
  id: string;
  /** The file or database that holds it. */
  path: string;
  /** Changes when the conversation may have changed; equal means nothing new. */
  signature: string;
  /** Where in the file: a database key or a byte range; private to the source. */
  key?: string;
  cwd?: string;
  title?: string;
  branch?: string;
  started?: string;
  updated?: string;
  /** The producer's id of the conversation that started this one. */
  parent?: string;
  /** Whether only prompts are left of it: read where nothing else tells of the conversation. */
  isRemnant?: boolean;
}

/** One row of a conversation before it has an id: a draft and the producer's id of it. */
export interface SourceEntry extends EntryFields {
  /** The producer's own id of this row, unique in its conversation (or agent, see `idScope`). */
  message: string;
  ts: string;
  /** Set where the producer changes rows in place: a fingerprint of the content. */
  revision?: string;
  /** How many passages that ctx had recalled were cut out of the text; counted, not stored. */
  recalled?: number;
  [field: string]: unknown;
}

/**
 * How sure a title is; a weaker one never replaces a stronger one. Prompts are no titles: a session
 * without one is called by the first prompt in it, as long as that is there (older stores kept it).
 */
export const titleRanks = ["prompt", "summary", "agent", "ai", "custom"] as const;
/** One of `titleRanks`. */
export type TitleRank = typeof titleRanks[number];

/** What reading a session tells about the session itself. */
export interface SessionDetails {
  title?: string;
  title_from?: TitleRank;
  cwd?: string;
  branch?: string;
  model?: string;
  parent?: string;
  /** Titles of other sessions, named by a message in them. */
  titles?: { message: string; title: string }[];
}

/** Where the entries go. A source waits when `entry` returns a promise. */
export interface Sink {
  entry(entry: SourceEntry): void | Promise<void>;
  describe(details: SessionDetails): void;
  readonly tally: Tally;
}

/** How far a session was read; kept between runs as plain JSON. */
export interface ResumePoint {
  signature: string;
  /** Bytes consumed, up to a line's end. */
  offset?: number;
  /** Hash of the last consumed line, to notice a rewritten file. */
  tail?: string;
  /** Device and inode, to notice a replaced file. */
  file?: string;
  /** What the source must remember of the part already read. */
  state?: Record<string, unknown>;
}

/** What a read is given beside its session and sink. */
export interface ReadOptions {
  resume?: ResumePoint;
  now: number;
  /** A directory that may be written to for copies named `import-…`, removed after use. */
  scratch: string;
  /** The way to SQLite databases. */
  databases: Databases;
}

/** What listing is given beside its root. */
export interface ListOptions {
  tally: Tally;
  place: Place;
  scratch: string;
  databases: Databases;
  /** The one conversation that is asked for; a source may spare itself the others. */
  only?: string;
}

/** An agent whose past can be imported. */
export interface Source {
  /** The name on the command line and in `source.agent`. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** Where a message id is unique in the agent's whole history; else it is in its conversation only. */
  readonly idScope?: "agent";
  /** The existing places where this agent keeps history, environment overrides first. */
  locate(place: Place): string[];
  /** The sessions under a place; damage is counted in the tally, never thrown. */
  list(root: string, options: ListOptions): AsyncIterable<SourceSession>;
  /** Streams one session into the sink and says where to go on next time: by default, once it changes. */
  read(session: SourceSession, sink: Sink, options: ReadOptions): Promise<ResumePoint | void>;
}
