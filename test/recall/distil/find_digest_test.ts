import assert from "node:assert/strict";
import { distilSession } from "../../../src/recall/distil/distil_session.ts";
import { recordOf } from "../../../src/core/rows/record.ts";
import { madeSession, type Step } from "../../support/stores/made_session.ts";

/** The digest and the open points of a session. */
function endOf(
  steps: readonly Step[],
): { digest?: string; title?: string; grade?: string; open: string[] } {
  const records = distilSession("S-made", madeSession(steps));
  const digest = records.find(({ type }) => type === "digest");
  return {
    digest: digest?.text,
    title: digest?.title,
    grade: digest && recordOf(digest)?.grade,
    open: records.filter(({ type }) => type === "open").map(({ text }) => text),
  };
}

const asked: Step = { user: "Give the parcel scale a timeout of two seconds" };

Deno.test("a digest has the facts that a session left: check, late changes, commits, files", () => {
  const { digest, title, grade, open } = endOf([
    asked,
    { edit: "src/scale.ts" },
    { run: "cd app && npm test 2>&1 | tail -5", output: "Tests: 4 passed, 4 total" },
    { run: "git commit -am 'Scale: time out after two seconds'", output: "[main 1a2b3c4] x" },
    { run: "git commit -qam 'Scale: time out after two seconds'", output: "" },
    { run: "gh pr create --body \"$(cat <<'E'\nnpm test\nE\n)\"", output: "made" },
    { edit: "docs/scale.md" },
    { agent: "The scale times out after two seconds, and the page says so." },
  ]);
  assert.equal(grade, "derived");
  assert.equal(title, "Give the parcel scale a timeout of two seconds");
  assert.equal(
    digest,
    "Last check: npm test (Tests: 4 passed, 4 total).\n" +
      "Edited after the last commit: docs/scale.md.\n" +
      "Committed: Scale: time out after two seconds.\n" +
      "Files edited: src/scale.ts, docs/scale.md.",
  );
  assert.deepEqual(open, []);
});

Deno.test("a digest that only lists files is not told unasked", () => {
  const { digest, grade } = endOf([asked, { edit: "src/scale.ts" }, { agent: "It is done now." }]);
  assert.equal(digest, "Files edited: src/scale.ts.");
  assert.equal(grade, "candidate");
});

Deno.test("the last check is the last one, and nothing is said of edits that git moved since", () => {
  const { digest } = endOf([
    asked,
    { edit: "src/scale.ts" },
    { run: "pnpm lint", output: "" },
    { run: "git commit -am 'Scale: time out'", output: "[main 1a2b3c4] Scale: time out" },
    { edit: "docs/scale.md" },
    { run: "git add -A && git rebase --continue", output: "Successfully rebased" },
    { run: "pnpm --filter @table/scale test", output: "Tests: 4 passed, 4 total" },
    { agent: "It is done now." },
  ]);
  assert.equal(
    digest,
    "Last check: pnpm --filter @table/scale test (Tests: 4 passed, 4 total).\n" +
      "Committed: Scale: time out.\nFiles edited: src/scale.ts, docs/scale.md.",
  );
});

Deno.test("work that was cut off is open and says so", () => {
  const { digest, open } = endOf([
    asked,
    { agent: "I look at the driver first, then at its callers." },
    { edit: "src/scale.ts" },
    {
      run: "npm test",
      output: "src/scale.ts(3,1): error TS2304: Cannot find name 'ms'",
      failed: true,
    },
  ]);
  const cut =
    'Ended after an edit without an answer to "Give the parcel scale a timeout of two seconds" (cut off, or still running)';
  const failed =
    "Last check failed: npm test (src/scale.ts(3,1): error TS2304: Cannot find name 'ms')";
  assert.deepEqual(open, [cut, failed]);
  assert.equal(
    digest,
    `${cut}.\n${failed}.\n` +
      "Files edited: src/scale.ts.",
  );
});

for (
  const [name, steps] of [
    ["a command of the client", [{ user: "/review the scale driver and its callers" }]],
    ["what it could not do", [asked, {
      agent: "The driver has a timeout of two seconds. I was unable to open the old manual of it.",
    }]],
    ["that nothing is left", [asked, {
      agent: "The driver has a timeout of two seconds. No open threads are remaining.",
    }]],
    ["what was left out of a commit", [asked, {
      agent: "The timeout is committed. The remaining unstaged changes are of the formatter.",
    }]],
    ["a proposal that was answered", [
      { user: "How could the parcel scale be made faster?" },
      { agent: "## Proposed steps\n\n- Poll the stable bit of the scale\n- Cache the tare weight" },
      { user: "No, leave all of that alone and show me the wiring" },
      { agent: "The wiring of the scale is a serial line with two wires and a shield." },
    ]],
  ] satisfies [string, Step[]][]
) {
  Deno.test(`${name} is not open`, () => assert.deepEqual(endOf(steps).open, []));
}

Deno.test("a digest is of the branch that its session was left on", () => {
  const rows = madeSession([asked, { edit: "src/scale.ts" }, { agent: "It times out now." }]);
  const records = distilSession(
    "S-made",
    rows.map((row, i) => ({ ...row, branch: i === 0 ? "main" : "scale" })),
  );
  assert.equal(records.find(({ type }) => type === "digest")?.branch, "scale");
});

Deno.test("a check that passed is not told as failed for a word in its output", () => {
  const { digest, open } = endOf([
    asked,
    { edit: "src/scale.ts" },
    { run: "deno test", output: "login logs ERROR ... ok\nok | 12 passed | 0 failed (1s)" },
    { agent: "The scale times out after two seconds." },
  ]);
  assert.match(digest ?? "", /^Last check: deno test \(ok \| 12 passed \| 0 failed \(1s\)\)\./);
  assert.deepEqual(open, []);
});

Deno.test("a digest names the files of a project on Windows, and none elsewhere", () => {
  const rows = madeSession([
    asked,
    { edit: "c:\\shop\\src\\scale.ts" },
    { edit: "C:\\Users\\ann\\plan.md" },
    { agent: "It times out now." },
  ]);
  const records = distilSession("S-made", rows.map((row) => ({ ...row, project: "C:\\shop" })));
  assert.equal(
    records.find(({ type }) => type === "digest")?.text,
    "Files edited: src/scale.ts.",
  );
});
