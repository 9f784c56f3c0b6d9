import assert from "node:assert/strict";
import { openLines } from "../../../src/index/lines/line_table.ts";
import { type CommitWork, findCommitWork } from "../../../src/recall/pr/commit_work.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { type TempRepository, tempRepository } from "../../support/temp_repository.ts";
import { toFileUrl } from "../../../src/core/platform_path.ts";

const limiter = [
  "export function takeToken(bucket: Bucket): boolean {",
  "  bucket.refill(clock.now() - bucket.touched);",
  "  return bucket.tokens-- > 0;",
  "}",
];

Deno.test({
  name: "where a shallow clone ends, a commit does not count as the work of earlier sessions",
  ignore: isMissing("git"),
}, async () => {
  await using whole = await tempRepository();
  const first = await whole.commit("Limit rates", { "limiter.ts": limiter.join("\n") });
  const last = await whole.commit("By hand", { "hand.md": "Nobody recorded this very line.\n" });
  await using clone = await tempRepository();
  await clone.git("fetch", "-q", "--depth", "1", toFileUrl(whole.path), "main");
  await using t = await tempStore({ entries: [editOf("limiter.ts", limiter)] });

  const { parts, unattributed, unread } = await find(t, whole, [last, first]);
  assert.deepEqual(parts.map(({ session, commit }) => [session, commit]), [["S-a", first]]);
  assert.deepEqual([unattributed, unread], [1, 0]);
  // Git has no parent to compare with here, so the commit seems to add every file.
  assert.deepEqual(await find(t, clone, [last]), {
    parts: [],
    subjects: new Map(),
    commits: 1,
    unattributed: 1,
    merges: 0,
    unread: 1,
  });
});

async function find(
  t: TempStore,
  { repository }: TempRepository,
  oids: string[],
): Promise<CommitWork> {
  using table = await openLines(t.open());
  return await findCommitWork(repository, oids, { table });
}

/** What a session wrote shortly before the commits. */
function editOf(path: string, lines: string[]) {
  const input = { file_path: `/work/app/${path}`, old_string: "", new_string: lines.join("\n") };
  return {
    ts: "2025-12-31T23:50:00.000Z",
    role: "assistant" as const,
    type: "tool_call",
    text: "Edit",
    session_id: "S-a",
    project: "/work/app",
    files: [path],
    tool: { name: "Edit", input, effect: "edit" as const },
  };
}
