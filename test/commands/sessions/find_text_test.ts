import assert from "node:assert/strict";
import { madeSession } from "../../support/stores/made_session.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const entries = [
  ...madeSession([
    { user: "Why do tokens rotate?" },
    { run: "grep -n 'rotate  tokens' auth.ts", output: `12: ${"x".repeat(200)} Rotate\ntokens` },
    { agent: "Nothing to see" },
    { agent: "They rotate tokens, rotate\ntokens, on each use" },
  ]),
  ...madeSession([{ user: "rotate tokens elsewhere" }], "S-other"),
];

Deno.test("find lists the messages of one session that hold a text, also in what a call was given", async () => {
  await using t = await tempStore({ entries });
  const found = await t.run("find", { session: "S-made", text: "rotate tokens", chars: 40 });
  assert.deepEqual(found, {
    session_id: "S-made",
    total: 5,
    matches: 4,
    messages: [
      {
        message_index: 2,
        id: "S-made-2",
        role: "assistant",
        type: "tool_call",
        count: 1,
        line: "Bash: grep -n 'rotate  tokens' auth.ts",
      },
      {
        message_index: 3,
        id: "S-made-3",
        role: "tool",
        type: "tool_output",
        count: 1,
        line: `${"x".repeat(19)} Rotate`,
      },
      {
        message_index: 5,
        id: "S-made-5",
        role: "assistant",
        type: "turn",
        count: 2,
        line: "They rotate tokens, rotate",
      },
    ],
  });
});

Deno.test("find prints numbers that read takes, and says when there is nothing", async () => {
  await using t = await tempStore({ entries });
  const { stdout } = await t.ctx(["find", "S-made", "ROTATE TOKENS"]);
  assert.match(stdout, /^5 assistant +They rotate tokens, rotate$/m);
  assert.match(stdout, /4 matches in 3 messages of 5\n$/);
  assert.equal(
    (await t.ctx(["find", "S-made", "nowhere"])).stdout,
    "No matches in 5 messages\n",
  );
  const { code, stderr } = await t.ctx(["find", "S-none", "tokens"]);
  assert.equal(code, 3);
  assert.match(stderr, /^ctx: Cannot find session "S-none"/);
});
