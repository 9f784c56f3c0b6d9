// What the user pinned is the user's: over a server an agent takes none of it away, with no command.

import { CtxError } from "../../core/errors.ts";
import { parsePins, type Pin, readPinsText } from "./pins.ts";

/** Fails where an agent's `action` would take away a pin that is meant and that the user accepted. */
export function refuseUsersPins(
  store: Parameters<typeof readPinsText>[0],
  { agent }: { agent?: string },
  { action, isMeant }: { action: string; isMeant: (pin: Pin) => boolean },
): void {
  const pin = agent === undefined ? undefined : parsePins(readPinsText(store)).find(isMeant);
  if (pin === undefined) return;
  // A line that people wrote is told to agents only where it is marked.
  const what = pin.id === undefined ? "a line of pins.md" : `"${pin.id}"`;
  throw new CtxError("DENIED", `Cannot ${action} ${what}: only the user can unpin entries`, {
    hint: `the user runs: ctx pin --remove ${pin.id ?? "TEXT"}`,
  });
}
