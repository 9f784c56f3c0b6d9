// The short soak; `deno task soak` runs the long one.

import assert from "node:assert/strict";
import { soak } from "../support/stores/soak.ts";

Deno.test("four processes at random on one store lose, repeat and revive nothing", async () => {
  const report = await soak({ processes: 4, steps: 60, milliseconds: Infinity, seed: 7 });
  assert.ok(report.saved > 40, `only ${report.saved} were saved`);
  assert.ok(report.forgotten > 0);
});
