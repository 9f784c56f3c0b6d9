// An outcome does not outlive the decision that it carried out.

import assert from "node:assert/strict";
import { withoutOutdated } from "../../src/read/outdated.ts";
import { rowOf } from "../support/stores/temp_store.ts";

Deno.test("withoutOutdated() drops what was corrected and what came of it, and nothing else", () => {
  const record = { by: "rules" };
  const entries = [
    rowOf({ id: "H-old", type: "decision", refs: ["H-1", "H-2"], record }),
    rowOf({ id: "H-done", type: "outcome", refs: ["H-2", "H-3"], record }),
    rowOf({ id: "H-other", type: "outcome", refs: ["H-4"], record }),
    rowOf({ id: "H-fix", type: "fix", refs: ["H-2"], record }),
    // Saved by hand: whoever wrote it did not say that it fell with the decision.
    rowOf({ id: "H-said", type: "outcome", refs: ["H-2"] }),
    rowOf({ id: "H-new", type: "decision", supersedes: "H-old", refs: ["H-5"], record }),
  ];
  const ids = withoutOutdated(entries, new Set(["H-old"])).map(({ id }) => id);
  assert.deepEqual(ids, ["H-other", "H-fix", "H-said", "H-new"]);
  assert.equal(withoutOutdated(entries, new Set()).length, entries.length);
});
