import assert from "node:assert/strict";
import { completeQuery } from "../../../src/search/typing/complete_query.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("completeQuery() takes the most frequent word that an unfinished last one may become", async () => {
  await using t = await tempStore({
    entries: [
      "We rotate refresh tokens.",
      "Rotation of refresh tokens.",
      "A reference to rotors.",
      "The token family is revoked.",
    ],
  });
  for (const reindexed of [false, true]) {
    if (reindexed) await t.run("reindex");
    const complete = (query: string): Promise<string> => completeQuery([t.open()], query, () => {});
    assert.equal(await complete("refr"), "refresh");
    assert.equal(await complete("how do tok"), "how do token");
    // On the way to "rotation", whose stem is "rotat".
    assert.equal(await complete("refresh rotati"), "refresh rotat");
    for (const left of ["refresh", "refr ", "r", '"refr', "xylo", "", "path/refr", "丸の"]) {
      assert.equal(await complete(left), left);
    }
  }
});
