// Snippets show why a row was found, wherever in the text that is and however it is written.

import assert from "node:assert/strict";
import { generateQueries, generateRows } from "../../bench/support/generate.ts";
import { termsOf } from "../../src/search/rank/terms_of.ts";
import { snippetOf } from "../../src/search/snippet.ts";

Deno.test("a snippet holds a term of the query whenever the text does", () => {
  let found = 0;
  const queries = generateQueries(30).map(({ text }) => termsOf(text).map(({ term }) => term));
  for (const line of generateRows({ rows: 300 })) {
    const { text } = JSON.parse(line);
    const own = new Set(termsOf(text).map(({ term }) => term));
    for (const terms of queries) {
      const shared = terms.filter((term) => own.has(term));
      if (shared.length === 0) continue;
      const shown = termsOf(snippetOf(text, weigh(terms))).map(({ term }) => term);
      assert.ok(shared.some((term) => shown.includes(term)), `${terms} in ${text}`);
      found++;
    }
  }
  assert.ok(found > 1000);
});

Deno.test("words are found in other forms, inside names and across separators", () => {
  const filler = "nothing to see here. ".repeat(40);
  for (
    const [query, written] of [
      ["deploying", "the deployment failed"],
      ["hope", "we were hoping"],
      ["getid", "call get_id first"],
      ["get_user", "call getUserName first"],
      ["user", "see src/lib/userStore.ts there"],
      ["1.2.3", "since 1-2-3 it works"],
      ["I/O", "it waits for I/O there"],
      ["retry", "we “retry” — twice — there"],
      ["größe", "die Größe stimmt"],
      ["grosse", "die Größe stimmt"],
      ["丸の内", "東京の丸の内です"],
    ]
  ) {
    const terms = termsOf(query).map(({ term }) => term);
    const snippet = snippetOf(filler + written + " " + filler, weigh(terms));
    assert.ok(snippet.includes(written), `${query}: ${snippet}`);
  }
});

function weigh(terms: string[]): Map<string, number> {
  return new Map(terms.map((term, i) => [term, 1 + i / 10]));
}

Deno.test("a match far into a text is shown, also behind one very long word or empty lines", () => {
  // Large enough that anything but one pass over it would not come to an end.
  const blob = "qXzkEnd".repeat(150_000);
  for (const before of [`needle ${blob} `, "\n".repeat(500_000), "some words ".repeat(100_000)]) {
    const text = `${before}haystack-end`;
    const snippet = snippetOf(text, weigh(["haystack", "end", "haystackend"]));
    assert.ok(snippet.endsWith("haystack-end"), snippet);
  }
  assert.equal(snippetOf(`${"\n".repeat(500_000)}other`, weigh(["absent"])), "…other");
});

Deno.test("a snippet begins at its sentence where that fits beside all matches, else a little before them", () => {
  const decided =
    "We decided to use Redis Streams for the billing worker queue, because it keeps the " +
    "order per customer and survives a restart. RabbitMQ was rejected because nobody runs it.";
  const weights = new Map([["billing", 7], ["worker", 6], ["queue", 5]]);
  assert.match(
    snippetOf(decided, weights, 120),
    /^We decided to use Redis Streams for the billing worker/,
  );
  const later = `${"Something else was said here before that. ".repeat(9)}${decided}`;
  assert.match(snippetOf(later, weights, 120), /^…We decided to use Redis Streams/);
  const endless = `${"word ".repeat(80)}${decided}`;
  assert.match(snippetOf(endless, weights, 80), /^….{0,12}billing worker queue/);
});
