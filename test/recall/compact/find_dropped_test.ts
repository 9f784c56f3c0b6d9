import assert from "node:assert/strict";
import { findDropped } from "../../../src/recall/compact/find_dropped.ts";
import type { StateItem } from "../../../src/recall/compact/working_state.ts";

const command = (sign: string): StateItem => ({
  kind: "ran",
  text: `\`${sign} --run\``,
  sign,
  use: 1,
  age: 0,
});

Deno.test("findDropped() passes over a longer form of a command that the summary names", () => {
  const items = ["pnpm vitest billing", "pnpm lint src", "make"].map(command);
  const told = findDropped(items, {
    summary: "The tests run with `pnpm vitest`.\nNothing was built.",
    budgetTokens: 480,
  });
  assert.deepEqual(told.map(({ sign }) => sign), ["pnpm lint src", "make"]);
});

Deno.test("findDropped() tells scripts of a package apart", () => {
  const items = ["npm run lint", "npm run build", "deno task check"].map(command);
  const told = findDropped(items, {
    summary: "Ran npm run build and deno task fmt.",
    budgetTokens: 480,
  });
  assert.deepEqual(told.map(({ sign }) => sign), ["npm run lint", "deno task check"]);
});
