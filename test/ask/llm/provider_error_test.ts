// What a provider says in an error is shown without the key it was asked with, wherever it is cut.

import assert from "node:assert/strict";
import { toProviderError } from "../../../src/ask/llm/provider_error.ts";

Deno.test("an error holds no part of the key that the cut went through", () => {
  const apiKey = "plain4711aB3dE5gH7jK9mN1pQ4sT6vW8x";
  for (const before of [150, 170, 190]) {
    const detail = `${"x".repeat(before)} ${apiKey} is no good key`;
    const { message } = toProviderError({
      status: 500,
      detail,
      provider: "https://api.example.com/v1",
      model: "m",
      apiKey,
    });
    assert.equal(message.includes(apiKey.slice(0, 6)), false, message);
  }
});
