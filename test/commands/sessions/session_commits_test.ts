// `ctx session commits`: by the lines of real commits made with git, and by what tools printed.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { tempRepository } from "../../support/temp_repository.ts";
import { TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

const ignore = isMissing("git");
const lines = [
  "export function takeToken(bucket: Bucket): boolean {",
  "  bucket.refill(clock.now() - bucket.touched);",
  "  return bucket.tokens-- > 0;",
  "}",
];
const session_id = "S-work";

interface Answer {
  commits: { commit: string; subject: string; files: string[]; id?: string; on_head: boolean }[];
  pulls: { number: number; url?: string; id?: string; commit?: string }[];
  because?: string;
}

/** A command and what it printed. */
function run(id: string, command: string, output: string): Partial<Entry>[] {
  const tool = { name: "Bash", call_id: id };
  return [
    {
      id: `H-${id}c`,
      session_id,
      role: "assistant",
      type: "tool_call",
      text: `Bash: ${command}`,
      tool: { ...tool, effect: "run", input: { command } },
    },
    { id: `H-${id}`, session_id, role: "tool", type: "tool_output", text: output, tool },
  ];
}

Deno.test({
  name: "session commits: what took its edits, what it opened, and nothing of others",
  ignore,
  async fn() {
    await using repository = await tempRepository();
    const { path } = repository;
    await repository.commit("First", { "README.md": "# Rates\n" });
    await repository.git("remote", "add", "origin", "git@github.com:acme/rates.git");
    await repository.commit("Limit rates (#7)", { "src/limiter.ts": lines.join("\n") });
    await repository.commit("By hand", { "hand.md": "Nobody recorded this very line.\n" });
    const t = new TempStore(path);
    await t.run("init");
    const input = { file_path: `${path}/src/limiter.ts`, content: lines.join("\n") };
    const rows: Partial<Entry>[] = [
      { session_id, role: "user", type: "turn", text: "Limit the rates" },
      {
        session_id,
        role: "assistant",
        type: "tool_call",
        text: "Write",
        project: path,
        files: ["src/limiter.ts"],
        tool: { name: "Write", input, effect: "edit", call_id: "w" },
      },
      ...run("gone", "git commit -m 'Try it'", "[work 1a2b3c4] Try it\n 1 file changed"),
      ...run("open", "gh pr create --fill", "https://github.com/acme/rates/pull/9\n"),
      ...run("look", "gh pr view 3", "https://github.com/acme/rates/pull/3\n"),
      ...run("cat", "cat log", "[work 9a9b9c9] Not its own\nhttps://github.com/acme/rates/pull/4"),
    ];
    t.write(
      "history.ndjson",
      toLog(
        rows.map((row, i) => ({
          ts: new Date(Date.UTC(2025, 11, 31, 23, 50, i)).toISOString(),
          ...row,
        })),
      ),
    );
    const answer = await t.run<Answer>("session commits", { session: session_id });
    const oid = await repository.git("rev-parse", "HEAD~1");
    assert.deepEqual(
      answer.commits.map(({ commit, subject, files, id, on_head }) => [
        commit,
        subject,
        files,
        id,
        on_head,
      ]),
      [
        ["1a2b3c4", "Try it", [], "H-gone", false],
        [oid, "Limit rates (#7)", ["src/limiter.ts"], undefined, true],
      ],
    );
    assert.deepEqual(answer.pulls, [
      { number: 9, url: "https://github.com/acme/rates/pull/9", id: "H-open" },
      { number: 7, commit: oid, url: "https://github.com/acme/rates/pull/7" },
    ]);
    const { stdout } = await t.ctx(["session", "commits", session_id]);
    assert.match(stdout, /Limit rates \(#7\) +src\/limiter\.ts/);
  },
});

Deno.test("session commits: without a repository it says why, and what tools told stays", async () => {
  await using t = await tempStore({
    entries: run("made", "git commit -m Start", "[main (root-commit) 1a2b3c4] Start"),
  });
  const answer = await t.run<Answer>("session commits", { session: session_id });
  assert.deepEqual(answer.commits.map(({ subject, on_head }) => [subject, on_head]), [
    ["Start", false],
  ]);
  assert.match(answer.because ?? "", /git/);
});
