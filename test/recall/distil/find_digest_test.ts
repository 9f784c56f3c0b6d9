import assert from "node:assert/strict";
import { distilSession } from "../../../src/recall/distil/distil_session.ts";
import { recordOf } from "../../../src/core/rows/record.ts";
import { withTitle } from "../../../src/recall/pack/pack_line.ts";
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

Deno.test("a digest has the facts that a session left: commits and the last check", () => {
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
  assert.equal(title, "Committed: Scale: time out after two seconds");
  assert.equal(withTitle(title, digest ?? ""), digest, "its line says nothing twice");
  assert.equal(
    digest,
    "Committed: Scale: time out after two seconds.\n" +
      "Last check: `npm test` passed (Tests: 4 passed, 4 total).",
  );
  assert.deepEqual(open, []);
});

Deno.test("a digest that does not say what came of a session is not told unasked", () => {
  for (
    const answer of [
      "It is done now.",
      "All tests pass and everything is in place.",
      "This now works as before, with a timeout of two seconds for every parcel.",
      "Would you like me to replace the sleeps of the printer with a stable bit too?",
    ]
  ) {
    const { digest, grade } = endOf([asked, { edit: "src/scale.ts" }, { agent: answer }]);
    assert.equal(digest, "Give the parcel scale a timeout of two seconds.");
    assert.equal(grade, "candidate", answer);
  }
});

Deno.test("a digest without commits tells what the agent says that came of it", () => {
  const { digest, grade } = endOf([asked, { edit: "src/scale.ts" }, {
    agent:
      "All 4 tests pass.\n\nThe driver now gives up once `readScale` has waited for the stable bit too long. More follows.",
  }]);
  assert.equal(
    digest,
    "Give the parcel scale a timeout of two seconds.\n" +
      "The driver now gives up once `readScale` has waited for the stable bit too long.",
  );
  assert.equal(grade, "derived");
});

Deno.test("a plan's heading is told with the commits that carried it out, typed words are not", () => {
  const plan = `Implement the following plan:\n\n# Parcel scale watchdog\n\n${
    "Do it. ".repeat(80)
  }`;
  const rest: Step[] = [{ edit: "src/scale.ts" }, {
    run: "git commit -am 'Time out after two seconds'",
    output: "ok",
  }, { agent: "The driver now gives up after two seconds of waiting." }];
  assert.equal(
    endOf([{ user: plan }, ...rest]).digest,
    "Parcel scale watchdog.\nCommitted: Time out after two seconds.",
  );
  assert.equal(endOf([asked, ...rest]).digest, "Committed: Time out after two seconds.");
});

Deno.test("the last check is the last one", () => {
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
    "Committed: Scale: time out.\n" +
      "Last check: `pnpm --filter @table/scale test` passed (Tests: 4 passed, 4 total).",
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
  const failed = "Last check: `npm test` failed";
  assert.deepEqual(open, [cut, failed]);
  assert.equal(
    digest,
    `Give the parcel scale a timeout of two seconds.\n${failed}.\n${cut}.`,
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
  assert.match(
    digest ?? "",
    /Last check: `deno test` passed \(ok \| 12 passed \| 0 failed \(1s\)\)\.$/,
  );
  assert.deepEqual(open, []);
});

Deno.test("what was changed outside of the project is no work in it", () => {
  const rows = (path: string) =>
    madeSession([asked, { edit: path }, { agent: "It times out now." }])
      .map((row) => ({ ...row, project: "C:\\shop" }));
  const digest = (path: string) =>
    distilSession("S-made", rows(path)).find(({ type }) => type === "digest");
  assert.notEqual(digest("c:\\shop\\src\\scale.ts"), undefined);
  assert.equal(digest("C:\\Users\\ann\\plan.md"), undefined);
});
