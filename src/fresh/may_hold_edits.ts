// Whether a store may hold recorded edits: without any, nothing of it stands on code, and nothing is
// opened to find that out.

import type { Store } from "../store/store.ts";

/** A log beyond this is not looked through. */
const maxBytes = 1 << 18;

/** False only where the whole log was seen, and no agent's call is in it. */
export function mayHoldEdits({ layout, files }: Store): boolean {
  return Object.values(layout.history).some((path) => {
    const size = files.findSize(path) ?? 0;
    return size > maxBytes || (size > 0 && call.test(Deno.readTextFileSync(path)));
  });
}

const call = /"tool_call"|"patch"/;
