// An edit that is about to be made: which lines it replaces, as agents tell it.

import assert from "node:assert/strict";
import { findLines } from "../../../../src/recall/edit/hook_edit.ts";
import { isNamedAfter, isTestOf } from "../../../../src/recall/edit/graph/is_test_of.ts";

const text = "one\ntwo\nthree\nfour\n";

Deno.test("findLines() reads the edits of several agents", () => {
  const changed = ["three"];
  const forms: [object, unknown][] = [
    [{ old_string: "three\n", new_string: "drei\n" }, changed],
    [{ old_string: "two\nthree\nfour", new_string: "two\ndrei\nfour" }, changed],
    [{ oldString: "three", newString: "drei" }, changed],
    [{ edits: [{ old_string: "three", new_string: "drei" }] }, changed],
    [{ content: "one\ntwo\ndrei\nfour\n" }, changed],
    [{
      command: [
        "apply_patch",
        "*** Begin Patch\n*** Update File: a.ts\n@@\n two\n-three\n+drei\n four\n*** End Patch\n",
      ],
    }, changed],
    [{ old_string: "not there", new_string: "x" }, []],
    [{ content: text }, []],
    [{}, []],
    [{ edits: [1, null, { old_string: 3 }] }, []],
  ];
  for (const [input, expected] of forms) {
    assert.deepEqual(findLines({ tool_input: input }, text), expected, JSON.stringify(input));
  }
});

Deno.test("isNamedAfter() knows what a name tells already", () => {
  const pairs = [
    ["test/token_service_test.go", "src/token_service.go"],
    ["src/UserCard.tsx", "src/UserCardList.tsx"],
    ["a/limiter_test.ts", "b/limiter.ts"],
    ["a/rate_limiter.ts", "b/useRateLimiter.ts"],
  ];
  for (const [one, other] of pairs) {
    assert.ok(isNamedAfter(one, other) && isNamedAfter(other, one), one);
  }
  assert.ok(!isNamedAfter("src/token_routes.ts", "src/token_service.ts"));
  assert.ok(!isNamedAfter("src/store.ts", "src/token_store.ts"));
  assert.ok(!isNamedAfter("test/login_flow_test.ts", "src/token_service.ts"));
});

Deno.test("isTestOf() joins a file with its test across languages and endings", () => {
  const tests = ["test/gc_test.ts", "gc.test.tsx", "gc.spec.js", "test_gc.py", "gcTest.java"];
  for (const test of tests) assert.ok(isTestOf(test, "a/gc.ts"), test);
  assert.ok(!isTestOf("a.go", "a.go"));
});
