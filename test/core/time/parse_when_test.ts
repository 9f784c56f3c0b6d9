import assert from "node:assert/strict";
import { parseUntil, parseWhen } from "../../../src/core/time/parse_when.ts";
import { inZone } from "../../support/in_zone.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

/** A Monday, at 05:00 in Berlin. */
const nowMs = Date.parse("2026-11-16T04:00:00Z");

/** What flags take: the first and the last moment, in local time. */
const table: [text: string, from: string, to: string][] = [
  ["90m", "2026-11-16T03:30:00.000", "2026-11-16T03:30:00.000"],
  ["12h", "2026-11-15T17:00:00.000", "2026-11-15T17:00:00.000"],
  ["7d", "2026-11-09T05:00:00.000", "2026-11-09T05:00:00.000"],
  ["2w", "2026-11-02T05:00:00.000", "2026-11-02T05:00:00.000"],
  ["now", "2026-11-16T05:00:00.000", "2026-11-16T05:00:00.000"],
  ["today", "2026-11-16T00:00:00.000", "2026-11-16T23:59:59.999"],
  ["Yesterday", "2026-11-15T00:00:00.000", "2026-11-15T23:59:59.999"],
  ["2 weeks ago", "2026-11-02T00:00:00.000", "2026-11-02T23:59:59.999"],
  ["2 weeks", "2026-11-02T00:00:00.000", "2026-11-02T23:59:59.999"],
  ["two  weeks ago", "2026-11-02T00:00:00.000", "2026-11-02T23:59:59.999"],
  ["a month ago", "2026-10-16T00:00:00.000", "2026-10-16T23:59:59.999"],
  ["3 hours ago", "2026-11-16T02:00:00.000", "2026-11-16T02:00:00.000"],
  ["last 7 days", "2026-11-09T00:00:00.000", "2026-11-16T05:00:00.000"],
  ["last week", "2026-11-09T00:00:00.000", "2026-11-15T23:59:59.999"],
  ["this week", "2026-11-16T00:00:00.000", "2026-11-22T23:59:59.999"],
  ["last month", "2026-10-01T00:00:00.000", "2026-10-31T23:59:59.999"],
  ["last year", "2025-01-01T00:00:00.000", "2025-12-31T23:59:59.999"],
  ["monday", "2026-11-16T00:00:00.000", "2026-11-16T23:59:59.999"],
  ["last monday", "2026-11-09T00:00:00.000", "2026-11-09T23:59:59.999"],
  ["tue", "2026-11-10T00:00:00.000", "2026-11-10T23:59:59.999"],
  ["august", "2026-08-01T00:00:00.000", "2026-08-31T23:59:59.999"],
  ["december", "2025-12-01T00:00:00.000", "2025-12-31T23:59:59.999"],
  ["november", "2026-11-01T00:00:00.000", "2026-11-30T23:59:59.999"],
  ["last november", "2025-11-01T00:00:00.000", "2025-11-30T23:59:59.999"],
  ["May 2023", "2023-05-01T00:00:00.000", "2023-05-31T23:59:59.999"],
  ["2023-05", "2023-05-01T00:00:00.000", "2023-05-31T23:59:59.999"],
  ["2023", "2023-01-01T00:00:00.000", "2023-12-31T23:59:59.999"],
  ["2026-W45", "2026-11-02T00:00:00.000", "2026-11-08T23:59:59.999"],
  ["2026-W53", "2026-12-28T00:00:00.000", "2027-01-03T23:59:59.999"],
  ["16.01.2024", "2024-01-16T00:00:00.000", "2024-01-16T23:59:59.999"],
  ["1.2.2024", "2024-02-01T00:00:00.000", "2024-02-01T23:59:59.999"],
  ["1 February 2023", "2023-02-01T00:00:00.000", "2023-02-01T23:59:59.999"],
  ["1st of Feb, 2023", "2023-02-01T00:00:00.000", "2023-02-01T23:59:59.999"],
  ["February 1, 2023", "2023-02-01T00:00:00.000", "2023-02-01T23:59:59.999"],
  ["feb 29", "2024-02-29T00:00:00.000", "2024-02-29T23:59:59.999"],
  ["2026-11-15", "2026-11-15T00:00:00.000", "2026-11-15T23:59:59.999"],
  ["2026/1/5", "2026-01-05T00:00:00.000", "2026-01-05T23:59:59.999"],
  ["2026-11-15T10:00", "2026-11-15T10:00:00.000", "2026-11-15T10:00:59.999"],
  ["2026-11-15 10:00:05", "2026-11-15T10:00:05.000", "2026-11-15T10:00:05.999"],
  ["2026-11-15T10:00:05.250Z", "2026-11-15T11:00:05.250", "2026-11-15T11:00:05.250"],
  ["2026-11-15T10:00:00+0300", "2026-11-15T08:00:00.000", "2026-11-15T08:00:00.999"],
];

Deno.test({
  name: "parseWhen() and parseUntil() take a time's first and last moment, by local days",
  ignore: notOnWindows("the zone of a process cannot be set"),
}, () => {
  inZone("Europe/Berlin", () => {
    for (const [text, from, to] of table) {
      assert.equal(parseWhen(text, nowMs), new Date(from).toISOString(), text);
      assert.equal(parseUntil(text, nowMs), new Date(to).toISOString(), text);
    }
  });
});

Deno.test({
  name: "parseUntil() includes the 25 hours of the day on which clocks go back",
  ignore: notOnWindows("the zone of a process cannot be set"),
}, () => {
  inZone("Europe/Berlin", () => {
    assert.equal(parseWhen("2026-10-25", nowMs), "2026-10-24T22:00:00.000Z");
    assert.equal(parseUntil("2026-10-25", nowMs), "2026-10-25T22:59:59.999Z");
  });
});

Deno.test("parseWhen() refuses days that do not exist and what is no time", () => {
  const noDay = ["2026-02-30", "2026-13-01", "31 April", "2025-W53", "2026-00", "30.2.2024"];
  for (const text of [...noDay, "2026-11-15T25:00", "February 29, 2023"]) {
    assert.throws(() => parseWhen(text, nowMs), {
      code: "USAGE",
      message: `Cannot read the time "${text}": no such date`,
    });
  }
  for (
    const text of [
      "gibberish",
      "",
      "12",
      "-7d",
      "7 d ago",
      "9999 years ago",
      "9999999d",
      "1e3",
      "may be",
    ]
  ) {
    assert.throws(() => parseWhen(text, nowMs), { code: "USAGE" }, text);
  }
});
