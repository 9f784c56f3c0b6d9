import assert from "node:assert/strict";
import { findOutdated, isEcho, meansTheSame } from "../../../src/recall/distil/supersede.ts";

/** Type, what was noted first, what was noted later, whether the later takes its place. */
const pairs: [string, string, string, boolean][] = [
  [
    "decision",
    "let's use redis for the session store instead of postgres",
    "we go back to postgres for the session store instead of redis",
    true,
  ],
  [
    "decision",
    "let's use redis for the session store instead of postgres",
    "let's use memcached for the session store rather than redis",
    true,
  ],
  [
    "decision",
    "let's use redis for the session store",
    "let's use kafka for the audit log instead of redis streams",
    false,
  ],
  [
    "decision",
    "let's use redis for the session store",
    "the session store keeps keys in redis for an hour",
    false,
  ],
  [
    "decision",
    "The container image is built with docker buildx, not with kaniko",
    "Tests of the container image run in docker, not in podman",
    false,
  ],
  [
    "decision",
    "We keep uploads in S3 and sign urls for 15 minutes",
    "We keep uploads in S3 and sign urls for 60 minutes",
    true,
  ],
  [
    "decision",
    "Retry webhooks 3 times with backoff",
    "Time out database queries after 5 seconds",
    false,
  ],
  ["preference", "always write tests with vitest", "stop writing tests with vitest", true],
  ["preference", "never commit to main directly", "never commit generated files", false],
  ["preference", "use 2 spaces for indentation", "use 4 spaces for indentation", true],
  ["preference", "always answer in English", "always run the linter before you answer", false],
  [
    "preference",
    "no, never hard-code durations: read them from config/limits.json",
    "no, never hard-code durations: read them from config/limits.json",
    true,
  ],
  ["preference", "use default exports in components", "no default exports in components", true],
  ["preference", "tests can use the network", "tests cannot use the network", true],
  ["preference", "always use pnpm for installs", "use pnpm for installs, not npm", false],
  ["preference", "use pnpm for installs, not npm", "always use pnpm for installs", false],
  [
    "preference",
    "retry downloads from the mirror if it is missing",
    "retry downloads from the mirror if it is not available",
    false,
  ],
  ["outcome", "The default timeout is 30 seconds", "The default timeout is 60 seconds", false],
];

for (const [type, before, after, expected] of pairs) {
  Deno.test(`${type} "${after}" ${expected ? "replaces" : "leaves"} "${before}"`, () => {
    const older = { id: "H-1", ts: "2026-01-01", type, text: before, record: { by: "rules" } };
    const newer = { id: "H-2", ts: "2026-01-02", type, text: after, record: { by: "rules" } };
    assert.equal(findOutdated(newer, [older])?.id, expected ? "H-1" : undefined);
    assert.equal(findOutdated(older, [newer]), undefined, "the older never replaces the newer");
    const elsewhere = { ...older, project: "/work/other" };
    assert.equal(findOutdated(newer, [elsewhere]), undefined, "another project is another subject");
  });
}

/** Two lines, and whether they say the same. */
const lines: [string, string, boolean][] = [
  ["Use default exports in all components", "No default exports in all components", false],
  ["Tests can use the network", "Tests cannot use the network", false],
  ["Tests can use the network", "Tests can't use the network", false],
  ["Tests can use the network", "Tests can’t use the network", false],
  ["Force pushes are allowed on branches", "Force pushes are not allowed on branches", false],
  ["Force pushes are allowed on branches", "Force pushes aren't allowed on branches", false],
  ["Don't allow force pushes", "No force pushes, don't allow them", true],
  ["Use tabs for indentation", "No, use tabs for indentation", true],
  ["Use tabs for indentation", "no use tabs for indentation", true],
  ["Use tabs for long indentation", "No matter what, use tabs for long indentation", true],
  ["Run tests whether or not they are slow", "Run tests, slow or not", true],
];

for (const [one, other, expected] of lines) {
  Deno.test(`"${one}" ${expected ? "says" : "does not say"} "${other}"`, () => {
    assert.deepEqual([meansTheSame(one, other), meansTheSame(other, one)], [expected, expected]);
  });
}

Deno.test("a long text and its opposite do not say the same", () => {
  const long = "because the exporter in the billing service reads every invoice twice and writes " +
    "both copies into the ledger before the nightly job compares them with the bank statement, " +
    "accounts that were closed last month";
  assert.ok(long.length > 200);
  assert.equal(meansTheSame(`${long} can be reopened`, `${long} can be reopened.`), true);
  assert.equal(meansTheSame(`${long} can be reopened`, `${long} cannot be reopened`), false);
});

Deno.test("a command takes the place of an older one that runs the same program", () => {
  const record = { by: "rules", subject: "npm test" };
  const older = { id: "H-1", ts: "2026-01-01", type: "command", text: "npm test -- --run", record };
  const newer = { id: "H-2", ts: "2026-01-02", type: "command", text: "npm test -- --ci", record };
  assert.equal(findOutdated(newer, [older])?.id, "H-1");
  assert.equal(findOutdated({ ...newer, record: { by: "rules" } }, [older]), undefined);
});

Deno.test("a commit that removes what another one made takes its place, where they share a file", () => {
  const record = { by: "rules", grade: "derived" };
  const commit = (id: string, ts: string, subject: string) => ({
    id,
    ts,
    type: "fix",
    text: `${subject}\nLabels are only printed when a weight is there.`,
    files: ["src/printer.ts"],
    record,
  });
  const added = commit("H-1", "2026-01-01", "Add a retry queue for the label printer");
  const removed = commit("H-2", "2026-01-02", "feat: remove the retry queue of the label printer");
  assert.equal(findOutdated(removed, [added])?.id, "H-1");
  const fix = commit("H-3", "2026-01-02", "Remove a debug line of the printer");
  assert.equal(findOutdated(fix, [added]), undefined, "it names little of what was made");
  const elsewhere = { ...removed, files: ["src/scale.ts"] };
  assert.equal(findOutdated(elsewhere, [added]), undefined, "other files");
  const again = commit("H-4", "2026-01-03", "Extend the retry queue of the label printer");
  assert.equal(findOutdated(again, [added]), undefined, "it takes nothing back");
});

Deno.test("a decision, a wish and a fix end each other, but a guess ends nothing that is told", () => {
  const claim = (type: string, text: string, day: number, grade?: string) => ({
    id: `H-${day}`,
    ts: `2026-01-0${day}`,
    type,
    text,
    record: { by: "rules", ...(grade === undefined ? {} : { grade }) },
  });
  const wish = claim("preference", "always write tests with vitest", 1, "derived");
  const decision = claim("decision", "stop writing tests with vitest", 2, "derived");
  assert.equal(findOutdated(decision, [wish])?.id, "H-1");
  const guess = claim("decision", "stop writing tests with vitest", 2);
  assert.equal(findOutdated(guess, [wish]), undefined);
  assert.equal(findOutdated(decision, [{ ...wish, record: { by: "rules" } }])?.id, "H-1");
  const known = claim(
    "decision",
    "The session store keeps its keys in redis for an hour",
    1,
    "derived",
  );
  const quoted = claim("decision", "The session store keeps its keys in redis for an hour.", 2);
  assert.equal(isEcho(quoted, known), true);
  assert.equal(isEcho({ ...quoted, record: known.record }, known), false, "as sure as that");
  assert.equal(isEcho(guess, known), false, "it says something else");
});

Deno.test("a revert in another session ends the record of the commit, whatever its grade", () => {
  const made = {
    id: "H-1",
    ts: "2026-01-01",
    type: "fix",
    text: "fix: weigh parcels once.\nThe scale answers before it has settled.",
    record: { by: "rules", grade: "derived" },
  };
  const revert = {
    id: "H-2",
    ts: "2026-01-02",
    type: "decision",
    text: 'Revert "fix: weigh parcels once"',
    record: { by: "rules" },
  };
  assert.equal(findOutdated(revert, [made])?.id, "H-1");
  const other = { ...revert, text: 'Revert "fix: weigh parcels twice"' };
  assert.equal(findOutdated(other, [made]), undefined);
});
