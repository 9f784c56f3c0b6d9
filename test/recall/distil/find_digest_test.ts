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

const committed: Step[] = [
  asked,
  { edit: "src/scale.ts" },
  { run: "git commit -am 'Scale: time out after two seconds'", output: "ok" },
  { agent: "The scale times out after two seconds, and the page says so." },
];

Deno.test("a session that went on after its last commit is not told as left with it", () => {
  const more = (user: string): Step[] => [...committed, { user }, { edit: "src/printer.ts" }, {
    agent: "It is done.",
  }];
  const named = endOf(more("Move the label printer's queue into SQLite"));
  assert.equal(
    named.digest,
    "Move the label printer's queue into SQLite.\n" +
      "Committed before: Scale: time out after two seconds.",
  );
  assert.equal(named.grade, "derived");
  assert.equal(endOf(more("ok, and now the other one")).grade, "candidate");
  // A question, or a push, is no other task.
  const pushed = [...committed, { user: "please push it" }, {
    run: "git push",
    output: "main -> main",
  }, { agent: "Pushed." }];
  const { digest, grade } = endOf(pushed);
  assert.equal(digest, "Committed: Scale: time out after two seconds.");
  assert.equal(grade, "derived");
  // Cut off before the first edit.
  const begun = [...committed, { user: "Move the label printer's queue into SQLite" }, {
    run: "rg -n queue src",
    output: "printer.ts",
  }];
  assert.match(endOf(begun).digest ?? "", /^Move the label printer's queue into SQLite\./);
});

Deno.test("commits that keep the books or answer a review do not stand for a session", () => {
  const commit = (subject: string): Step => ({ run: `git commit -am '${subject}'`, output: "ok" });
  const end: Step = { agent: "It is done." };
  for (
    const subject of [
      "docs(state): note the parcel scale",
      "docs(quick-015): update STATE.md last activity",
      "chore: bump parcel scale driver",
      "docs: start work on todo - parcel scale timeout",
      "fix: address review feedback",
    ]
  ) {
    const { digest, grade } = endOf([asked, { edit: "src/scale.ts" }, commit(subject), end]);
    assert.equal(digest, "Give the parcel scale a timeout of two seconds.", subject);
    assert.equal(grade, "derived", subject);
    const unclear: Step = { user: "is that logged?" };
    const other = endOf([unclear, { edit: "src/scale.ts" }, commit(subject), end]);
    assert.equal(other.grade, "candidate", subject);
  }
  const { digest } = endOf([...committed, commit("fix: address 6 review findings"), end]);
  assert.equal(
    digest,
    "Committed: Scale: time out after two seconds; fix: address 6 review findings.",
  );
});

Deno.test("the answer to a menu is not quoted as what was cut off", () => {
  for (const user of ["8", "yes, go ahead"]) {
    const { digest, open } = endOf([asked, { agent: "Which one of the eight?" }, { user }, {
      edit: "src/scale.ts",
    }]);
    assert.doesNotMatch(digest ?? "", /answer to/);
    assert.deepEqual(open, []);
  }
});

Deno.test("a session that planned, committed or was asked much did work, others did not", () => {
  const isWork = (steps: readonly Step[]): boolean => {
    const digest = distilSession("S-made", madeSession(steps)).find(({ type }) =>
      type === "digest"
    );
    return digest !== undefined && recordOf(digest)?.work === true;
  };
  const answer: Step = { agent: "The scale waits for its stable bit, which may never come." };
  const questions = ["Why does the scale wait?", "What is its stable bit?", "Who sets that bit?"]
    .map((user): Step => ({ user }));
  assert.ok(!isWork([questions[0], answer, questions[1], answer]));
  assert.ok(isWork(questions.flatMap((question) => [question, answer])));
  assert.ok(isWork([asked, { run: "git commit -am 'Scale: time out'", output: "ok" }]));
  const tool = { name: "ExitPlanMode", input: { plan: "# Scale" }, call_id: "p" };
  assert.ok(isWork([asked, { row: { type: "tool_call", text: "ExitPlanMode", tool } }]));
});

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
