import assert from "node:assert/strict";
import { escapeMarkdown } from "../../../src/recall/pr/escape_markdown.ts";

const cases: [said: string, told: string][] = [
  ["Use snake_case and 2 * 3", "Use snake\\_case and 2 \\* 3"],
  ["<script>x</script> & &lt;", "&lt;script&gt;x&lt;/script&gt; &amp; &amp;&#8203;lt;"],
  ["![x](y) [a]: b", "!\\[x\\](y) \\[a\\]: b"],
  [
    "@me, a/b#12, GH-12, !3, %4, ~5, $6, ^a",
    "@&#8203;me, a/b\\#&#8203;12, GH&#8203;-12, !&#8203;3, %&#8203;4, \\~&#8203;5, \\$&#8203;6, \\^&#8203;a",
  ],
  ["https://x.org www.x.org", "https:&#8203;//x.org www&#8203;.x.org"],
  ["# Title", "\\# Title"],
  ["- item", "\\- item"],
  ["+ item", "\\+ item"],
  ["1. item", "1&#8203;. item"],
  ["> quote", "&gt; quote"],
  ["=== | --- |", "\\=== \\| --- \\|"],
  ["```js\ncode\n```", "\\`\\`\\`js code \\`\\`\\`"],
  ["a\\", "a\\\\"],
  ["100% sure! a: b, a - b = c + d", "100% sure! a: b, a - b = c + d"],
];

for (const [said, told] of cases) {
  Deno.test(`escapeMarkdown: ${JSON.stringify(said)}`, () => {
    assert.equal(escapeMarkdown(said), told);
  });
}
