import assert from "node:assert/strict";
import { findWireTime } from "../../../src/team/remote/wire_time.ts";

Deno.test("a time of the wire is read exactly as Date reads it", () => {
  const texts = [
    "2026-11-16T22:37:52.001Z",
    "2024-02-29T23:59:59.999Z",
    "1000-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "1969-12-31T23:59:59.999Z",
  ];
  for (const text of [...texts, ...texts]) {
    assert.equal(findWireTime(text), new Date(text).getTime(), text);
  }
});

Deno.test("a text that Date would write otherwise is no time of the wire", () => {
  const texts = [
    "2026-11-16T22:37:52Z",
    "2026-11-16T22:37:52.0010Z",
    "2026-11-16T22:37:52.001+00:00",
    "2026-11-16 22:37:52.001Z",
    "2026-11-16T24:00:00.000Z",
    "2026-11-16T22:60:00.000Z",
    "2026-11-16T22:37:60.000Z",
    "2026-11-16T22-37:52.001Z",
    "2026-11-16T22:37-52.001Z",
    "2026-11-16T22:37:52,001Z",
    "2026-11-16T22:37:52.001z",
    "2026-11-16T2a:37:52.001Z",
    "2026-11-16T22:37:52.00 Z",
    "2026-02-29T00:00:00.000Z",
    "2026-13-01T00:00:00.000Z",
    "aaaa-11-16T00:00:00.000Z",
    "+12026-11-16T00:00:00.00Z",
    "",
  ];
  for (const text of texts) assert.equal(findWireTime(text), undefined, text);
});
