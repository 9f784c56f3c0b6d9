// Whether a look at code can tell something: some entry names code itself, or may stand on code and the
// store may hold the edits that it would stand on. Small, because reads that show no code ask it too.

import type { Entry } from "../../core/entry.ts";
import type { Store } from "../../store/store.ts";
import { mayNameCode, mayStandOnCode } from "./stands_on_code.ts";

/** A log beyond this is not looked through. */
const maxBytes = 1 << 18;

/** Whether it is worth loading what looks at code. */
export function maySpeakOfCode(store: Store, entries: readonly Entry[]): boolean {
  return entries.some(mayNameCode) || entries.some(mayStandOnCode) && mayHoldEdits(store);
}

/** False only where the whole log was seen, and no agent's call is in it. */
export function mayHoldEdits({ layout, files }: Store): boolean {
  return Object.values(layout.history).some((path) => {
    const size = files.findSize(path) ?? 0;
    const text = (): string => new TextDecoder().decode(files.findBytes(path));
    return size > maxBytes || (size > 0 && call.test(text()));
  });
}

const call = /"tool_call"|"patch"/;
