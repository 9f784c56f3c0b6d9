// A segment's tables say what its rows say, as built and as merged.

import assert from "node:assert/strict";
import type { Entry } from "../../src/core/entry.ts";
import { concat } from "../../src/core/utf8.ts";
import { mergeSegments } from "../../src/index/segment/merge.ts";
import { Segment } from "../../src/index/segment/segment.ts";
import { SegmentBuilder } from "../../src/index/segment/segment_builder.ts";
import { idHashOf, sessionHash } from "../../src/index/segment/segment_format.ts";
import { reindex } from "../../src/index/reindex_store.ts";
import { search } from "../../src/search/run_search.ts";
import { request, SearchStore } from "../support/stores/search_store.ts";

function makeEntry(i: number, rest: Partial<Entry> = {}): Entry {
  const ts = new Date(Date.UTC(2026, 0, 10 - i)).toISOString();
  return { id: `H-${i}`, ts, role: "user", type: "turn", text: `word${i} cache`, ...rest };
}

function build(entries: Entry[]): Segment {
  const builder = new SegmentBuilder("hot");
  entries.forEach((entry, i) => builder.add({ entry, pool: "hot", offset: i * 100, length: 100 }));
  return Segment.fromBytes(builder.finish());
}

const entries = [
  makeEntry(0, { session_id: "S-1" }),
  makeEntry(1, { session_id: "S-2" }),
  makeEntry(2, {
    type: "decision",
    role: "note",
    refs: ["H-0", "H-1", "H-0"],
    record: { by: "rules" },
  }),
  makeEntry(3, { session_id: "S-1" }),
  makeEntry(4, { type: "tombstone", text: "", refs: ["H-3"] }),
  makeEntry(5, { type: "decision", role: "note", refs: ["H-1"], record: { by: "rules" } }),
];

function tell(segment: Segment) {
  return {
    sessions: [...segment.readTable("sessions")],
    citing: ["H-0", "H-1", "H-3"].map((id) => segment.recordsCiting(idHashOf(id))),
    oldest: new Date(segment.totals.oldestMs).toISOString().slice(0, 10),
    newest: new Date(segment.totals.newestMs).toISOString().slice(0, 10),
  };
}

Deno.test("a segment knows the entries of its sessions, its times and what cites an entry", () => {
  const counts = [[sessionHash("S-1") >>> 0, 2], [sessionHash("S-2") >>> 0, 1]]
    .sort(([a], [b]) => a - b);
  assert.deepEqual(tell(build(entries)), {
    sessions: counts.flat(),
    citing: [[2], [2, 5], []],
    oldest: "2026-01-05",
    newest: "2026-01-10",
  });
  assert.equal(build([]).totals.oldestMs, Infinity);
});

Deno.test("merged segments have the tables of one that is built anew", async () => {
  const { bytes } = await mergeSegments([
    { segment: build(entries.slice(0, 3)), dead: new Set([0]) },
    { segment: build(entries.slice(3)), dead: new Set([2]) },
  ]);
  const kept = entries.filter((_, i) => i !== 0 && i !== 5);
  assert.deepEqual(tell(Segment.fromBytes(concat(bytes))), tell(build(kept)));
});

Deno.test("known() gives those of some terms that a segment has, in any script", () => {
  const words = Array.from({ length: 300 }, (_, i) => `w${i.toString(36)}x`);
  const others = ["日本", "ﬀ", "𝒜b", "\ud83d\ude00", "é", "w"];
  const segment = build([...words, ...others].map((text, i) => makeEntry(i, { text })));
  const all = [...segment.terms("")];
  const asked = [...all, "aa", "w5", "wzzz", "zz", "\uffee"].sort();
  assert.deepEqual([...segment.known(asked)], all);
  assert.ok(all.every((term) => segment.findPostings(term) !== undefined));
  assert.ok(!["aa", "w5", "wzzz", "zz", "\uffee"].some((term) => segment.findPostings(term)));
  assert.deepEqual([...build([]).known(asked)], []);
});

Deno.test("a search that finds nothing tells the sessions and times of what is still there", async () => {
  const draft = (id: string, day: number, session_id: string) => ({
    id,
    session_id,
    ts: `2026-01-0${day}T00:00:00.000Z`,
    text: "rotate the token",
  });
  const rows = [draft("H-a", 1, "S-1"), draft("H-b", 2, "S-2"), draft("H-c", 3, "S-2")];
  await using t = new SearchStore([...rows, draft("H-d", 4, "S-3")]);
  const tellSpan = async () => {
    const { coverage } = await search(t.store, request("zebra"));
    const { entries, sessions, first_ts, last_ts } = coverage;
    return [entries, sessions, first_ts?.slice(0, 10), last_ts?.slice(0, 10)];
  };
  await reindex(t.store);
  assert.deepEqual(await tellSpan(), [4, 3, "2026-01-01", "2026-01-04"]);
  // In the tail: the rows that they name stay in their segment, and are dead there.
  const forget = (id: string) => ({ id: `T-${id}`, type: "tombstone", text: "", refs: [id] });
  t.append("history.ndjson", [forget("H-a"), forget("H-b")]);
  assert.deepEqual(await tellSpan(), [2, 2, "2026-01-03", "2026-01-04"]);
  t.append("history.ndjson", [forget("H-d"), forget("H-c")]);
  assert.deepEqual((await tellSpan()).slice(0, 2), [0, 0]);
});
