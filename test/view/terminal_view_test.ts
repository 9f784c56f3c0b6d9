// What a terminal's view makes of texts, times, sizes and rows; and what a pipe's leaves alone.

import assert from "node:assert/strict";
import { makeTerminalView } from "../../src/view/terminal_view.ts";
import { endMark, firstMark } from "../../src/view/styles.ts";
import { makeView, stripMarks, type Style, styleNames } from "../../src/command/view.ts";

const now = new Date(2026, 10, 17, 14, 3).getTime();
const view = makeTerminalView({ color: true, width: 40, now });
const plain = makeTerminalView({ color: false, width: 40, now });
const marks = (style: Style): string => String.fromCharCode(firstMark + styleNames.indexOf(style));
const at = (...parts: [number, number, number, number, number]): string =>
  new Date(...parts).toISOString();

Deno.test("view.time() is by the clock for a week and by the day before that", () => {
  const times = [
    [at(2026, 10, 17, 14, 3), "just now"],
    [at(2026, 10, 17, 13, 58), "5 minutes ago"],
    [at(2026, 10, 17, 9, 7), "today 09:07"],
    [at(2026, 10, 16, 23, 59), "Mon 23:59"],
    [at(2026, 10, 11, 0, 0), "Wed 00:00"],
    [at(2026, 10, 10, 23, 59), "10 Nov"],
    [at(2026, 2, 12, 8, 0), "12 Mar"],
    [at(2024, 2, 12, 8, 0), "12 Mar 2024"],
    // Another machine's clock may be ahead.
    [at(2026, 10, 19, 8, 0), "19 Nov 2026"],
    ["no time", "no time"],
  ];
  assert.deepEqual(times.map(([ts]) => [ts, plain.time(ts)]), times);
});

Deno.test("view.age() counts in one unit, as every surface does", () => {
  const ages = [
    [at(2026, 10, 17, 14, 3), "just now"],
    [at(2026, 10, 17, 13, 58), "5 minutes ago"],
    [at(2026, 10, 17, 13, 0), "1 hour ago"],
    [at(2026, 10, 16, 20, 0), "18 hours ago"],
    [at(2026, 10, 16, 8, 0), "1 day ago"],
    [at(2026, 10, 14, 23, 0), "2 days ago"],
    [at(2026, 9, 27, 8, 0), "3 weeks ago"],
    [at(2026, 2, 12, 8, 0), "8 months ago"],
    [at(2023, 2, 12, 8, 0), "3 years ago"],
  ];
  assert.deepEqual(ages.map(([ts]) => [ts, plain.age(ts)]), ages);
});

Deno.test("view.moment() says the zone", () => {
  assert.match(plain.moment(at(2024, 2, 12, 8, 5)), /^Tue 12 Mar 2024, 08:05 UTC(?:[+-]\d+)?/);
});

Deno.test("a pipe gets times, ids and texts as they are stored", () => {
  const pipe = makeView({});
  const ts = "2024-03-12T08:00:00.000Z";
  const long = "word ".repeat(100);
  assert.deepEqual(
    [pipe.time(ts), pipe.age(ts), pipe.moment(ts), pipe.id("H-1"), pipe.cut(long), pipe.wrap(long)],
    [ts, ts, ts, "H-1", long, long],
  );
  assert.deepEqual([pipe.size(2_300_000), pipe.count(1883)], ["2300000 bytes", "1883"]);
});

Deno.test("sizes and counts are for people", () => {
  const sizes = [1, 999, 1000, 2_345_678, 9_960_000, 999_600, 41e9].map((n) => plain.size(n));
  assert.deepEqual(sizes, ["1 byte", "999 bytes", "1.0 kB", "2.3 MB", "10 MB", "1.0 MB", "41 GB"]);
  assert.deepEqual([0, 1883, 1234567].map((n) => plain.count(n)), ["0", "1,883", "1,234,567"]);
});

Deno.test("view.cut() counts columns, breaks no character and closes styles", () => {
  assert.equal(plain.cut("a\n  b"), "a b");
  assert.equal(plain.cut("丸の内の天気", 7), "丸の内…");
  assert.equal(plain.cut("👩‍👩‍👧 family and more", 8), "👩‍👩‍👧 fami…");
  assert.equal(
    view.cut(`${view.match("token rotation")} rest`, 6),
    `${marks("match")}token${endMark}…`,
  );
  assert.equal(plain.cut("anything", 0), "");
});

Deno.test("view.wrap() keeps to the columns, whatever the words", () => {
  const text = `Tokens rotate ${
    view.match("on every use")
  } and 丸の内の天気は晴れですよね、今日も。\n\n  - ${"x".repeat(70)} end`;
  const wrapped = view.wrap(text, { indent: "   ", first: "1. " });
  const lines = wrapped.split("\n");
  assert.deepEqual(lines.filter((line) => view.widthOf(line) > 40), []);
  assert.equal(stripMarks(wrapped).replace(/\s|1\. /g, ""), stripMarks(text).replace(/\s/g, ""));
  assert.equal(lines[0], `1. Tokens rotate ${marks("match")}on every use${endMark} and`);
  const cut = view.wrap(text, { lines: 2 }).split("\n");
  assert.equal(cut.length, 2);
  assert.ok(cut[1].endsWith("…") && view.widthOf(cut[1]) <= 40);
});

Deno.test("view.wrap() walks one long word once, and its style goes on from line to line", () => {
  const styled = view.wrap(view.match("x".repeat(70)), { indent: "  ", first: "" }).split("\n");
  assert.deepEqual(styled.map((line) => view.widthOf(line)), [40, 32]);
  assert.deepEqual(styled.map((line) => line.endsWith(endMark)), [true, true]);
  // Once for every line that it makes would be days.
  const lines = view.wrap("x".repeat(4 << 20)).split("\n");
  assert.deepEqual([lines.length, lines[0].length], [Math.ceil((4 << 20) / 40), 40]);
});

Deno.test("view.table() has one column give way, drops empty ones and aligns numbers", () => {
  const rows = [["a", "", "12", "丸の内 and a long text that does not fit"], ["bcd", "", "3", "x"]];
  assert.equal(
    plain.table(rows, { right: [2] }),
    "a    12  丸の内 and a long text that do…\nbcd   3  x",
  );
});

Deno.test("view.id() shows what suffices; stored marks never pass for styles", () => {
  const suffices = (id: string): number | undefined => id === "H-1m2ff20hgvzrprjcr" ? 6 : undefined;
  const known = makeTerminalView({ color: true, width: 80, now, suffices });
  assert.equal(
    known.id("H-1m2ff20hgvzrprjcr"),
    `${marks("prefix")}H-1m2f${endMark}${marks("dim")}f20h${endMark}`,
  );
  assert.equal(known.id("H-other"), `${marks("name")}H-other${endMark}`);
});
