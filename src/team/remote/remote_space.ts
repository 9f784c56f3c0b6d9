// A space as one member's session sees it: all that a sync asks of wherever the rows lie. Nothing that
// comes from there is believed; what counts is what members have signed.

import type { WireRow } from "../trust/wire_row.ts";
import type { ErasureStatus, RemoteState, WrappedKey } from "./remote_state.ts";

/** An id that the space already has, under another place. */
export interface TakenId {
  id: string;
  /** Whose it is. */
  writer: string;
  seq: number;
}

/** What became of a batch. */
export interface PushResult {
  /** How many rows are new there. */
  inserted: number;
  /** When there are any, nothing was pushed: fill their places with void rows and push again. */
  taken: TakenId[];
}

/** A row of mine that asks for an erasure, and the id that loses its body. */
export interface Erasure {
  seq: number;
  id: string;
}

/** As whom somebody is let in. */
export interface Admission {
  name: string;
  inviteKey: Uint8Array;
  inviteCert: Uint8Array;
}

/** A store that joins. */
export interface NewWriter {
  writer: string;
  signKey: Uint8Array;
  ageRecipient?: string;
  cert: Uint8Array;
}

/** How somebody who was let in gets there: the address for them, and the login in it, if any. */
export interface Access {
  url: string;
  role: string;
}

/** A member's session in a space. */
export interface RemoteSpace extends AsyncDisposable {
  /** How the place is named in messages; without a password. */
  readonly place: string;
  /** Settled when the session has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Makes what the space needs or brings it to this version; gives the version. */
  prepare(): Promise<number>;
  /** Makes the space; whoever signed in becomes its owner, under this name. */
  createSpace(space: { owner: string; rootKey: Uint8Array; encrypted: boolean }): Promise<void>;
  /** All that a sync needs to know; `writer` is this store's, once it has joined. */
  state(writer?: string): Promise<RemoteState>;
  /**
   * Pushes a batch of one writer, in the order of seq, with the erasures that its rows ask for: all of
   * it or nothing. A batch that came in before, with its answer lost, counts as pushed.
   */
  push(rows: readonly WireRow[], erasures?: readonly Erasure[]): Promise<PushResult>;
  /**
   * The rows beyond a seq of each writer named, in the order of the map and then of seq, page by page.
   * All pages show one moment: rows that come meanwhile are for the next time. Of a writer that
   * `isOver` names nothing more is asked for.
   */
  pull(
    cursors: ReadonlyMap<string, number>,
    isOver?: (writer: string) => boolean,
  ): AsyncGenerator<WireRow[], void, void>;
  /** Some rows of a writer, by seq. */
  pullAt(writer: string, seqs: readonly number[]): Promise<WireRow[]>;
  /** The file that is said to explain why a row has no body, while it may still be on its way here. */
  findAwaited(writer: string, seq: number): string | undefined;
  /** Says that the bytes are gone from this writer's disk. */
  confirmErased(
    writer: string,
    erasures: readonly { eraser: string; seq: number }[],
  ): Promise<void>;
  /** Every erasure, and who has confirmed it. */
  erasures(): Promise<ErasureStatus[]>;
  /** Lets somebody in under a name; the owner's alone. `role` is a login that exists already. */
  invite(as: Admission, role?: string): Promise<Access>;
  /** Makes this store a writer of the member that signed in. */
  join(as: NewWriter): Promise<void>;
  /** Keeps wrapped keys: for one's own writers; the owner also for others. */
  putKeys(keys: readonly WrappedKey[]): Promise<void>;
  /** Ends a membership; the owner's alone. True when a login made for it could be removed as well. */
  revoke(name: string): Promise<boolean>;
  /** Ends this writer, or another one of the same member; its rows stay. */
  leave(writer: string): Promise<void>;
  /** Hears of pushes, on the channel that state() names; the notice is the writer that pushed. */
  listen(channel: string, onNotice: (writer: string) => void): Promise<void>;
  /** Ends the session. */
  close(): Promise<void>;
}
