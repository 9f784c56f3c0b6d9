// What a sync has in hand: the store, the space as it was when the sync began, who is believed there,
// and the keys.

import type { RemoteSpace } from "../remote/remote_space.ts";
import type { RemoteState } from "../remote/remote_state.ts";
import type { Store } from "../../store/store.ts";
import type { RemoteFile } from "../../store/team/remote_file.ts";
import type { SignKey } from "../trust/keys.ts";
import type { EpochKey } from "../trust/row_body.ts";
import type { BelievedWriter } from "./believed_writers.ts";

export interface SyncSession {
  store: Store;
  remote: RemoteSpace;
  state: RemoteState;
  /** Who this store is in the space. */
  me: RemoteFile;
  key: SignKey;
  believed: ReadonlyMap<string, BelievedWriter>;
  /** The keys of an encrypted space, oldest first; none of a plain one. */
  epochs: readonly EpochKey[];
  warn: (message: string) => void;
  now: () => number;
  signal: AbortSignal;
}

/** The key of an epoch. */
export function findEpoch(
  { epochs }: Pick<SyncSession, "epochs">,
  epoch: number,
): Uint8Array | undefined {
  return epochs.find((item) => item.epoch === epoch)?.key;
}
