import assert from "node:assert/strict";
import { parseSummary, placeSummary, readableSummary } from "../../src/store/summary.ts";

const first = { kind: "extractive" as const, text: "one\n", archive: "1-a" };
const second = { kind: "model" as const, text: "two\n", archive: "2-b" };

Deno.test("placeSummary() writes between its marks and replaces what it wrote", () => {
  const text = placeSummary(placeSummary("", first), second);
  assert.equal(readableSummary(text), "# Summary\n\ntwo");
  const { written } = parseSummary(text);
  assert.deepEqual(written, { ...second, edited: false });
});

Deno.test("placeSummary() keeps what people write around the marks", () => {
  const text = `my intro\n${placeSummary("", first)}my end\n`;
  assert.equal(readableSummary(placeSummary(text, second)), "my intro\n# Summary\n\ntwo\n\nmy end");
});

Deno.test("placeSummary() keeps a part that was edited between the marks, above the new one", () => {
  const edited = placeSummary("", first).replace("one", "one, corrected by hand");
  assert.equal(parseSummary(edited).written?.edited, true);
  const text = placeSummary(edited, second);
  assert.equal(readableSummary(text), "# Summary\n\none, corrected by hand\n\ntwo");
  assert.equal(parseSummary(text).written?.edited, false);
});

Deno.test("placeSummary() keeps everything when the end mark was deleted", () => {
  const cut = placeSummary("", first).replace("<!-- ctx:end -->", "and my own words");
  assert.match(placeSummary(cut, second), /one\nand my own words\n\n<!-- ctx:begin/);
});
