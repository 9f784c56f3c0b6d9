import assert from "node:assert/strict";
import fc from "fast-check";
import { mayHoldTime, offsetFrom } from "../../../src/core/time/time_span.ts";
import { timesIn } from "../../../src/core/time/times_in.ts";
import { inZone } from "../../support/in_zone.ts";

/** A Monday. */
const nowMs = Date.parse("2026-11-16T09:00:00Z");

/** The words of a question that are a time, with the newest span that they may mean, as days. */
function found(text: string): string[] {
  return inZone("UTC", () => timesIn(text, nowMs)).map(({ spans, start, end }) => {
    const [from, to] = [spans[0].fromMs, spans[0].toMs - 1].map((ms) =>
      new Date(ms).toISOString().slice(0, 10)
    );
    return `${text.slice(start, end)} = ${from}${to === from ? "" : `..${to}`}`;
  });
}

Deno.test("timesIn() finds times as people write them in questions", () => {
  const table: [text: string, ...times: string[]][] = [
    ["what broke on 16.01.2024?", "16.01.2024 = 2024-01-16"],
    ["errors of 2026-11-15.", "2026-11-15 = 2026-11-15"],
    ["log at 2026-11-15T10:22:33.123Z said", "2026-11-15T10:22:33.123Z = 2026-11-15"],
    ["found on 1 February, 2023", "1 February, 2023 = 2023-02-01"],
    ["shared on December 1,2023 taken", "December 1,2023 = 2023-12-01"],
    ["trips in May 2023", "May 2023 = 2023-05-01..2023-05-31"],
    ["when did she camp in August?", "August = 2026-08-01..2026-08-31"],
    ["gifts on Aug 15th", "Aug 15th = 2026-08-15"],
    ["injury in 2022?", "2022 = 2022-01-01..2022-12-31"],
    ["who in 2022 moved away", "2022 = 2022-01-01..2022-12-31"],
    ["what in 2022 happened", "2022 = 2022-01-01..2022-12-31"],
    [
      "trips between August 11 and August 15 2023",
      "August 11 = 2023-08-11..2023-08-15",
      "August 15 2023 = 2023-08-15",
    ],
    ["from 3 May to 5 May, 2022", "3 May = 2022-05-03..2022-05-05", "5 May, 2022 = 2022-05-05"],
    ["on May 3 or May 5, 2022", "May 3 = 2022-05-03", "May 5, 2022 = 2022-05-05"],
    ["the week before August 3, 2023", "the week before August 3, 2023 = 2023-07-27..2023-08-02"],
    ["the week after 3 August 2023", "the week after 3 August 2023 = 2023-08-04..2023-08-10"],
    [
      "camped two weeks before 3 August 2023?",
      "two weeks before 3 August 2023 = 2023-07-17..2023-07-23",
    ],
    ["the day before 2023-08-03", "the day before 2023-08-03 = 2023-08-02"],
    ["two days after 2023-08-03", "two days after 2023-08-03 = 2023-08-05"],
    ["what did we do yesterday", "yesterday = 2026-11-15"],
    ["decisions of last week", "last week = 2026-11-09..2026-11-15"],
    ["fixed 3 days ago", "3 days ago = 2026-11-13"],
    ["moved two weeks ago", "two weeks ago = 2026-11-02..2026-11-08"],
    ["decided on Friday", "Friday = 2026-11-13"],
    ["deployed last monday", "last monday = 2026-11-09"],
    [
      "planned in may, done 2026-W45",
      "may = 2026-05-01..2026-05-31",
      "2026-W45 = 2026-11-02..2026-11-08",
    ],
  ];
  for (const [text, ...times] of table) assert.deepEqual(found(text), times, text);
});

Deno.test("timesIn() leaves words, versions, counts, ports and names alone", () => {
  const words = [
    "may I march on",
    "the job may 5 times retry",
    "top 1 may be",
    "march of progress",
    "sat down",
    "did we sit on sun server",
    "wed on mon",
    "a second ago",
    "the second step",
    "version 1.2.2024",
    "v 1.2.2024",
    "1.2.2024.7",
    "node 10.12.22",
    "in 2000 rows",
    "listen on 8080",
    "port 2024",
    "logs/2026-11-15.log",
    "2026-11-15-ab",
    "id-2026-11-15",
    "2026-02-30",
    "on 31 april 2023",
    "Mondays",
    "decimals",
    "Maria in Marcheville",
    "next to last",
    "last one",
    "in 2999",
    "1/2000 in UK",
    "H-2026",
    "mar file",
    "HTTP 2023",
    "days ago",
  ];
  for (const text of words) assert.deepEqual(found(text), [], text);
});

Deno.test("timesIn() lets a month or day without a year be of any year up to now", () => {
  inZone("UTC", () => {
    const [{ spans }] = timesIn("camping in December", nowMs);
    const at = (time: string): number => offsetFrom(spans, Date.parse(time));
    assert.deepEqual(["2023-12-24", "2025-12-01", "2003-12-31"].map(at), [0, 0, 0]);
    assert.equal(at("2026-12-02"), Date.parse("2026-12-02") - Date.parse("2026-01-01") + 1);
    assert.equal(at("2023-11-30"), -86_400_000);
    assert.equal(at("2024-01-02"), 86_400_001);
  });
});

Deno.test("timesIn() takes any text, and mayHoldTime() says yes wherever it finds something", () => {
  const words =
    "may 5 2023 in August last week 16.01.2024 2026-02-30 31 days ago , on monday \u0000 日"
      .split(" ");
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), { maxLength: 12 })
    .map((parts) => parts.join(" "));
  fc.assert(fc.property(text, (query) => {
    let last = 0;
    for (const { spans, start, end } of timesIn(query, nowMs)) {
      assert.ok(mayHoldTime(query), query);
      assert.ok(start >= last && end > start && end <= query.length);
      for (const { fromMs, toMs } of spans) assert.ok(fromMs < toMs);
      last = end;
    }
  }));
});

Deno.test("timesIn() takes a pasted log for what it is: the first times, whatever is around them", () => {
  // Looking back over a long word from every time took minutes here.
  assert.equal(timesIn("a".repeat(100_000) + " today".repeat(20_000), nowMs).length, 8);
  assert.equal(timesIn("on May 5 ".repeat(1000), nowMs).length, 8);
});
