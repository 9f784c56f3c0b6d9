import assert from "node:assert/strict";
import stringWidth from "string-width";
import { toTerminal } from "../../src/cli/line/to_terminal.ts";
import { cellsOf, displayWidth } from "../../src/view/display_width.ts";

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

Deno.test("what a terminal would obey takes the columns that it is shown in", () => {
  for (
    const code of [0, 0x07, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x200e, 0x202a, 0x202e, 0x2066, 0x2069]
  ) {
    const text = `a${String.fromCharCode(code)}b`;
    assert.equal(displayWidth(text), toTerminal(text).length, code.toString(16));
  }
});
