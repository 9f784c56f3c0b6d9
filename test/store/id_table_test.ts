import assert from "node:assert/strict";
import { IdTable } from "../../src/store/id_table.ts";

Deno.test("IdTable keeps a hundred thousand ids apart and says what it knew", () => {
  const table = new IdTable();
  for (let i = 0; i < 100_000; i++) assert.equal(table.add(`H-${i}`, i), undefined);
  assert.equal(table.size, 100_000);
  for (let i = 0; i < 100_000; i += 997) {
    assert.equal(table.find(`H-${i}`), i);
    assert.equal(table.add(`H-${i}`, -1), i);
  }
  assert.equal(table.find("H-none"), undefined);
});
