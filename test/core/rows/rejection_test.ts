// Which messages reject what the agent said or did.

import assert from "node:assert/strict";
import { isRejection } from "../../../src/core/rows/rejection.ts";

for (
  const prompt of [
    "no, that's wrong",
    "No. Use the other file",
    "nope, that is all wrong",
    "no that breaks the build",
    "Wrong. It is 8080.",
    "wrong again",
    "it still doesn't work",
    "No, not good enough",
    "no, all tests fail now",
    "please revert that",
  ]
) {
  Deno.test(`"${prompt}" rejects`, () => assert.ok(isRejection(prompt)));
}

for (
  const prompt of [
    "no, that's all, thanks",
    "nope, all good",
    "no, nothing else, thanks",
    "no thanks",
    "No, thank you!",
    "no, that's fine",
    "no, we're done",
    "no, that will be all for now",
    "Wrong tests were deleted in main by a bot, restore them",
    "no need to hurry",
  ]
) {
  Deno.test(`"${prompt}" rejects nothing`, () => assert.ok(!isRejection(prompt)));
}

Deno.test("a no to an offer rejects the offer, not what was said before it", () => {
  const said = "The gateway uses port 8443. Should I also change the docs?";
  assert.ok(!isRejection("no, leave them", said));
  assert.ok(!isRejection("No.", "Done. Anything else?"));
  assert.ok(isRejection("no, that's wrong, it uses 8080", said));
  assert.ok(isRejection("no, leave them", "The gateway uses port 8443."));
});
