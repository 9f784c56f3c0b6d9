// The actions for an entry: pin, correct, forget. None on a read-only page.

import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../data/call.ts";
import { usePage } from "../data/page_context.ts";
import { type KeyHandlers, useKeys } from "../data/page_keys.ts";
import { toCallError } from "../data/use_answer.ts";
import { CorrectDialog, type Corrected } from "./correct_dialog.tsx";

export interface EntryButtonsProps {
  id: string;
  isPinned: boolean;
  /** An agent asked to pin it. */
  isWaiting?: boolean;
  /** The text of the entry, for the labels of the buttons in a list. */
  about?: string;
  /** Whether keys act on it: for the one entry that is open. */
  hasKeys?: boolean;
  onForgotten?(): void;
  /** More buttons, before those that change most. */
  children?: ComponentChildren;
}

export function EntryButtons(
  { id, isPinned, isWaiting, about, hasKeys, onForgotten, children }: EntryButtonsProps,
): JSX.Element | null {
  const { facts, act, tell } = usePage();
  const [corrected, setCorrected] = useState<Corrected>();
  const unpin = (): void => void act("unpin", { target: id }, "Unpinned");
  const pin = (): void => void (isPinned ? unpin() : act("pin", { target: id }, "Pinned"));
  const forget = async (): Promise<void> => {
    if (await act("forget", { ids: [id] }, "Forgotten")) onForgotten?.();
  };
  // A correction replaces the whole text, so the excerpt in a list is not enough.
  const correct = async (): Promise<void> => {
    try {
      const [entry] = (await call("get", { ids: [id], head: 0 })).results;
      if (entry === undefined) tell(`No entry ${id}. It may have been forgotten.`);
      else setCorrected(entry);
    } catch (error) {
      tell(toCallError(error).message);
    }
  };
  const keys: KeyHandlers = { p: pin, x: () => void forget(), c: () => void correct() };
  useKeys(hasKeys && !facts.read_only ? keys : {});
  if (facts.read_only) return null;
  const labelOf = (what: string): string | undefined => about && `${what}: ${about.slice(0, 80)}`;
  const pinning = isPinned ? "Unpin" : isWaiting ? "Accept pin" : "Pin";
  return (
    <div class="actions">
      <button type="button" aria-label={labelOf(pinning)} onClick={pin}>{pinning}</button>
      {isWaiting && (
        <button type="button" aria-label={labelOf("Decline pin")} onClick={unpin}>
          Decline pin
        </button>
      )}
      <button type="button" aria-label={labelOf("Correct")} onClick={() => void correct()}>
        Correct
      </button>
      {children}
      <button
        type="button"
        class="danger"
        aria-label={labelOf("Forget")}
        onClick={() => void forget()}
      >
        Forget
      </button>
      {corrected && <CorrectDialog entry={corrected} onClose={() => setCorrected(undefined)} />}
    </div>
  );
}
