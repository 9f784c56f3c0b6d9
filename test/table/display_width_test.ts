import assert from "node:assert/strict";
import stringWidth from "string-width";
import { cellsOf, displayWidth } from "../../src/table/display_width.ts";

const samples = [
  ..."abc … ─│▌★❯ 丸の内 東京都 é e\u0301 👍 👍🏽 👨‍👩‍👧‍👦 🇩🇪 🇩🇪🇫🇷 ❤️ ❤ ☃ ⌚ ✔ ✔️ 1️⃣ ｱﾞ 한국어 ไทย ก็ العربية"
    .split(" "),
  ..."→⇒✓ “quoted” naïve 🏳️‍🌈 🧑‍💻 ™ © ½ ﬁ ℹ️ 🅰️ � a\u200bb \u00ad \ufeffx".split(" "),
  "one line of plain words",
  "",
];

Deno.test("displayWidth() agrees with string-width, which takes too long to load", () => {
  const widths = (measure: (text: string) => number): [string, number][] =>
    samples.map((text) => [text, measure(text)]);
  assert.deepEqual(widths(displayWidth), widths(stringWidth));
});

Deno.test("cellsOf() keeps together what is shown as one character", () => {
  const cells = (text: string): string[] => [...cellsOf(text)].map((cell) => cell.text);
  assert.deepEqual(cells("e\u0301x👍🏽👨‍👩‍👧🇩🇪🇫🇷丸"), ["e\u0301", "x", "👍🏽", "👨‍👩‍👧", "🇩🇪", "🇫🇷", "丸"]);
  assert.equal(cells("any text 丸").join(""), "any text 丸");
});
