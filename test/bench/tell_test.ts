import assert from "node:assert/strict";
import { readEvidence } from "../../bench/tell/evidence_texts.ts";
import { GitHistory } from "../../bench/tell/git_history.ts";
import type { Labels } from "../../bench/tell/labels.ts";
import { placeTranscripts } from "../../bench/tell/place_transcripts.ts";
import { parseVerdicts, scoreTold, type Told, type ToldLine } from "../../bench/tell/score.ts";
import { GrowingRoot, readTranscripts } from "../../bench/tell/transcripts.ts";
import { git } from "../../bench/why/labelled_repository.ts";

const labels: Labels = {
  name: "made",
  facts: [
    { id: "F1", must: ["Redis", "lock"], evidence: ["m1"], strength: 3 },
    { id: "F2", must: ["bun"], evidence: ["m2", "m3"], strength: 3 },
    { id: "F3", must: ["alpha", "beta", "gamma"], evidence: ["m4"], strength: 2 },
    { id: "F4", must: ["old", "port"], evidence: ["m5"], strength: 1 },
  ],
  packs: [
    { time: "T1", tell: ["F1", "F2", "F3"], must_not: ["F4"] },
    { time: "T2", tell: ["F3"], must_not: [] },
  ],
  prompts: [
    { uuid: "p1", session: "s1", time: "T1", prompt: "x", tell: ["F1"] },
    { uuid: "p2", session: "s1", time: "T1", prompt: "x", tell: ["F2"] },
    { uuid: "p3", session: "s1", time: "T1", prompt: "x", tell: [] },
    { uuid: "p4", session: "s1", time: "T1", prompt: "x", tell: [] },
  ],
  titles: [
    { session: "s1", must: ["Login"], useless: ["login?"] },
    { session: "s2", must: ["cache"] },
    { session: "s3", must: ["x"] },
  ],
  sessions: new Set(["s1", "s2", "s3"]),
};

const line = (text: string, ...messages: string[]): ToldLine => ({ text, messages });

Deno.test("scoreTold() gives the figures that score.py prints for the same file", () => {
  const told: Told[] = [
    { kind: "record", ...line("Use redis for every LOCK") },
    // One word is enough only where the line rests on the evidence.
    { kind: "record", ...line("bun is missing") },
    { kind: "record", ...line("bun is missing", "m3") },
    { kind: "record", ...line("alpha and\tbeta only", "m4") },
    { kind: "record", ...line("alpha only", "m4") },
    // The words come too late.
    { kind: "record", ...line(`${"é".repeat(230)} redis lock`) },
    { kind: "candidate", ...line("the old port") },
    { kind: "candidate", ...line("said nothing") },
    {
      kind: "review",
      lines: [...Array<string>(30).fill("noise"), "redis lock"].map((text) => line(text))
        .toSpliced(1, 1, line("bun", "m2")),
    },
    {
      kind: "pack",
      time: "T1",
      lines: ["redis lock", "the old port", "a line that a reader liked", "noise"]
        .map((text) => line(text)),
    },
    { kind: "pack", time: "T2", lines: [] },
    { kind: "prompt", uuid: "p1", lines: [line("redis lock"), line("noise")] },
    { kind: "prompt", uuid: "p2", lines: [line("bun")] },
    { kind: "prompt", uuid: "p3", lines: [] },
    { kind: "prompt", uuid: "p4", lines: [line("redis lock")] },
    { kind: "title", session: "s1", title: " Login? " },
    { kind: "title", session: "s2", title: "Cache the login" },
    { kind: "title", session: "s9", title: "of a session without a label" },
  ];
  const verdicts = parseVerdicts(
    "good\ta line that a reader liked\nbad\tmade\tcandidate\tsaid  nothing\n?\tmade\tpack\tnoise\n",
  );
  const { score, unmatched } = scoreTold(labels, told, verdicts);
  // What score.py prints, as counts: "derived: 6 lines, right 0.50; facts told 3 of 4, …".
  assert.deepEqual(score, {
    derived: { of: 6, right: 3 },
    derivedFacts: { of: 4, right: 3 },
    derivedStrong: { of: 2, right: 2 },
    candidates: { of: 2, right: 1 },
    allFacts: { of: 4, right: 4 },
    allStrong: { of: 2, right: 2 },
    reviewFirst: { of: 30, right: 1 },
    // Told already, so neither needs a review.
    reviewFirstStrong: { of: 2, right: 2 },
    reviewStrong: { of: 2, right: 2 },
    packs: { of: 4, right: 3 },
    packFacts: { of: 4, right: 1 },
    superseded: { of: 1, right: 1 },
    spoken: { of: 2, right: 1 },
    silent: { of: 2, right: 1 },
    titles: { of: 2, right: 1 },
  });
  assert.deepEqual(unmatched.map(({ kind }) => kind), ["derived", "derived", "derived", "pack"]);
});

Deno.test("transcripts grow in time: only what was written before a moment is there", async () => {
  const work = await Deno.makeTempDir({ prefix: "ctx-tell-" });
  try {
    const at = (second: number, text: string): string =>
      `${JSON.stringify({ text, timestamp: `2026-02-10T01:00:0${second}.000Z` })}\n`;
    const untimed = `${JSON.stringify({ snapshot: { timestamp: "2020-01-01T00:00:00.000Z" } })}\n`;
    await Deno.mkdir(`${work}/from/projects/p`, { recursive: true });
    const early = [at(1, "ä"), untimed, at(3, "c"), at(5, "d").trimEnd()];
    await Deno.writeTextFile(`${work}/from/projects/p/early.jsonl`, early.join(""));
    await Deno.writeTextFile(`${work}/from/projects/p/late.jsonl`, at(4, "e"));
    const transcripts = readTranscripts(`${work}/from`);
    const root = new GrowingRoot(`${work}/root`);
    const seen = (): Record<string, string> =>
      Object.fromEntries(
        [...Deno.readDirSync(`${work}/root/projects/tell`)]
          .map(({ name }) => [name, Deno.readTextFileSync(`${work}/root/projects/tell/${name}`)]),
      );
    assert.equal(root.growTo("2026-02-10T01:00:01.000Z", transcripts), false);
    assert.deepEqual(seen(), {});
    assert.equal(root.growTo("2026-02-10T01:00:02.000Z", transcripts), true);
    assert.deepEqual(seen(), { "early.jsonl": early.slice(0, 2).join("") });
    assert.equal(root.growTo("2026-02-10T01:00:03.000Z", transcripts), false);
    assert.equal(root.growTo("2026-02-10T02", transcripts), true);
    // What lacks the end of its last line would not be read to the end.
    assert.deepEqual(seen(), { "early.jsonl": `${early.join("")}\n`, "late.jsonl": at(4, "e") });
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

Deno.test("placeTranscripts() puts the checkout of a session at the workspace's path", async () => {
  const work = await Deno.makeTempDir({ prefix: "ctx-tell-" });
  try {
    await Deno.mkdir(`${work}/from`);
    const rows = (checkout: string): string =>
      [{ cwd: `${checkout}/deep` }, { cwd: checkout, text: `edited ${checkout}/a.ts` }]
        .map((row) => `${JSON.stringify(row)}\n`).join("");
    await Deno.writeTextFile(`${work}/from/s.jsonl`, rows("/home/someone/checkout"));
    await placeTranscripts({ from: `${work}/from`, to: `${work}/to` }, "/workspace");
    assert.equal(await Deno.readTextFile(`${work}/to/s.jsonl`), rows("/workspace"));
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

Deno.test("GitHistory shows the commits of main before a moment, and none after it", async () => {
  const work = await Deno.makeTempDir({ prefix: "ctx-tell-" });
  const run = async (directory: string, ...args: string[]): Promise<string> =>
    new TextDecoder().decode(await git(`${work}/${directory}`, args));
  try {
    for (const name of ["from", "workspace"]) await Deno.mkdir(`${work}/${name}`);
    await run("from", "init", "--quiet", "--initial-branch=main");
    for (const day of ["10", "11", "12"]) {
      const env = { GIT_COMMITTER_DATE: `2026-02-${day}T00:00:00Z` };
      const by = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
      await Deno.writeTextFile(`${work}/from/${day}.txt`, day);
      await run("from", "add", ".");
      const args = ["-C", `${work}/from`, ...by, "commit", "--quiet", "-m", day];
      assert.ok((await new Deno.Command("git", { args, env }).output()).success);
    }
    const history = await GitHistory.create(`${work}/workspace`, `${work}/from`);
    const commits = (): Promise<string> => run("workspace", "log", "--all", "--format=%s");
    await history.moveTo("2026-02-09T12:00:00.000Z");
    assert.equal(await commits(), "");
    await Deno.mkdir(`${work}/workspace/.contextfs`);
    await Deno.writeTextFile(`${work}/workspace/.contextfs/history.ndjson`, "{}\n");
    for (
      const [time, subjects] of [["2026-02-12T12", "12\n11\n10\n"], ["2026-02-11T12", "11\n10\n"]]
    ) {
      await history.moveTo(`${time}:00:00.000Z`);
      assert.equal(await commits(), subjects);
    }
    const files = [...Deno.readDirSync(`${work}/workspace`)].map(({ name }) => name).sort();
    assert.deepEqual(files, [".contextfs", ".git", "10.txt", "11.txt"]);
    assert.equal(await run("workspace", "status", "--short"), "?? .contextfs/\n");
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

Deno.test("readEvidence() tells commits, plans, last answers and typed prompts apart", () => {
  const user = (content: unknown, more = {}) => ({ type: "user", message: { content }, ...more });
  const text = (text: string) => ({
    type: "assistant",
    message: { content: [{ type: "text", text }] },
  });
  const call = (input: unknown) => ({
    type: "assistant",
    message: { content: [{ type: "tool_use", input }] },
  });
  const heredoc =
    `git add -A && git commit -m "$(cat <<'EOF'\nAdd locks\n\nRedis keeps them.\n\nCo-Authored-By: A <a@example.com>\nEOF\n)"`;
  const rows = [
    user("Implement the following plan:\n\n# Locks\n\nUse Redis."),
    text("Looking."),
    user([{ type: "tool_result", content: "out" }]),
    call({ command: heredoc }),
    text("Committed."),
    user("put in by the client", { isMeta: true }),
    user("<command-name>/exit</command-name>"),
    user("and the tests?"),
    call({ command: "git commit -am 'Test locks' && git push" }),
    call({ plan: "## Next\nMore." }),
    text("Done."),
  ];
  const found = readEvidence(rows.map((row) => JSON.stringify({ ...row, uuid: "m" })).join("\n"));
  assert.deepEqual(found.map(({ kind, text }) => `${kind}: ${text.trim()}`), [
    "plan heading: # Locks",
    "plan text: Use Redis.",
    "commit subject: Add locks",
    "commit body: Redis keeps them.",
    "other answer: Looking.",
    "last answer of an exchange: Committed.",
    "typed prompt: and the tests?",
    "commit subject: Test locks",
    "plan heading: ## Next",
    "plan text: More.",
    "last answer of an exchange: Done.",
  ]);
});
