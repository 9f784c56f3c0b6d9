import assert from "node:assert/strict";
import fc from "fast-check";
import { type Entry, tombstoneType } from "../../../src/core/entry.ts";
import { readWords } from "../../../src/index/segment/analyze.ts";
import { met } from "../../../src/index/text/tokenize.ts";
import { localFingerprint } from "../../../src/index/vectors/local_model.ts";
import { embeddableText } from "../../../src/index/vectors/embedder.ts";
import { openLocalEmbedder } from "../../../src/index/vectors/embedder_local.ts";
import { indexPieces, searchPieces } from "../../../src/index/text/piece_lines.ts";
import { WordPieces } from "../../../src/index/text/word_pieces.ts";
import { MemoryReader } from "../../../src/disk/memory_reader.ts";

interface TestVector {
  text: string;
  ids: number[];
  vector: number[];
}

function findVectors(): TestVector[] | undefined {
  try {
    const url = new URL("../../../../shared/model/test_vectors.json", import.meta.url);
    return JSON.parse(Deno.readTextFileSync(url));
  } catch {
    return undefined;
  }
}

Deno.test("the local embedder reproduces the model's test vectors", () => {
  const vectors = findVectors();
  if (vectors === undefined) {
    // deno-lint-ignore no-console
    console.log("skipped: ../shared/model/test_vectors.json is absent");
    return;
  }
  const whole = openLocalEmbedder({ whole: true });
  const lazy = openLocalEmbedder({ whole: false });
  for (const { text, vector } of vectors) {
    const mine = whole.embedText(text);
    const worst = Math.max(...vector.map((value, i) => Math.abs(value - mine[i])));
    assert.ok(worst < 1e-5, `${text.slice(0, 40)}: off by ${worst}`);
    assert.deepEqual(lazy.embedText(text), mine);
  }
});

Deno.test("the local embedder gives the same from memory, from the file, and in a batch", async () => {
  const whole = openLocalEmbedder({ whole: true });
  const lazy = openLocalEmbedder({ whole: false });
  const texts = [
    "",
    "How do we retry HTTPServer.userStore_name in src/lib/index.ts?",
    "cache ".repeat(900),
    "Größe — der Übergang ist geprüft ✓ 日本語",
  ];
  const batch = await whole.embed(texts);
  for (const [i, text] of texts.entries()) {
    assert.deepEqual(lazy.embedText(text), batch[i], text.slice(0, 40));
    assert.deepEqual(whole.embedText(text), batch[i], text.slice(0, 40));
  }
});

Deno.test("word pieces of ASCII text are those that come with other letters around it", () => {
  const pieces = new WordPieces(indexPieces(readAsset("pieces.txt")));
  const idsOf = (text: string): number[] => {
    const ids: number[] = [];
    pieces.forEachId(text, (id) => void ids.push(id));
    return ids;
  };
  const end = idsOf("é");
  const part = fc.constantFrom(
    ..."aZ9_-./'# \n",
    "deploy",
    "userStore",
    "HTTPServer",
    "the",
    "QUEUEd",
  );
  const property = fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
    const text = parts.join("");
    assert.deepEqual(idsOf(`${text} é`), [...idsOf(text), ...end]);
  });
  fc.assert(property, { numRuns: 500, seed: 3 });
});

Deno.test("pieces.txt is the model's vocabulary, sorted; every piece is found in it", () => {
  const vocabulary = readAsset("vocab.txt").split("\n").filter((piece) => piece !== "");
  const lines = vocabulary.map((piece, id) => ({ piece, id }))
    .sort((a, b) => a.piece < b.piece ? -1 : 1).map(({ piece, id }) => `${piece} ${id}\n`);
  assert.equal(readAsset("pieces.txt"), lines.join(""));
  const bytes = new TextEncoder().encode(lines.join(""));
  const indexed = indexPieces(lines.join(""));
  const searched = searchPieces(new MemoryReader(bytes));
  for (const [id, piece] of vocabulary.entries()) {
    assert.equal(indexed(piece), id, piece);
    assert.equal(searched(piece), id, piece);
  }
  for (const none of ["", " ", "\n", "zzzz", "!!", "##", "\uffff", "caché", "the 1996"]) {
    assert.equal(searched(none), indexed(none), none);
  }
});

Deno.test("the fingerprint that is known without the table is the table's", () => {
  assert.equal(openLocalEmbedder({ whole: false }).fingerprint, localFingerprint);
});

function readAsset(name: string): string {
  return Deno.readTextFileSync(new URL(`../../../assets/embed/${name}`, import.meta.url));
}

Deno.test("the words that were read for the index give the vector of the text", () => {
  const embedder = openLocalEmbedder({ whole: true });
  const given = new Float32Array(embedder.dimensions);
  const hash = "0123456789abcdef".repeat(5);
  const plain = fc.constantFrom(
    "getUserName",
    "src/HTTPServer.ts",
    "it's",
    `sha-${hash}`,
    "_",
    "→",
  );
  const odd = fc.oneof(
    fc.constantFrom("…", "™", "naïve", "数据库", "’", "ﬁle", "\u00a0", "😀"),
    fc.string({ maxLength: 12 }),
  );
  const part = fc.oneof({ arbitrary: plain, weight: 40 }, { arbitrary: odd, weight: 1 });
  const field = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(" "));
  let fast = 0;
  fc.assert(fc.property(field, field, (title, text) => {
    const entry: Entry = { id: "H-1", ts: "", role: "user", type: "message", title, text };
    readWords(entry);
    if (!embedder.embedMet(met, given)) return;
    fast++;
    assert.deepEqual(given, embedder.embedText(embeddableText(entry)));
  }));
  assert.ok(fast > 0);
  const forgotten: Entry = { id: "H-2", ts: "", role: "user", type: tombstoneType, text: "words" };
  readWords(forgotten);
  assert.equal(embedder.embedMet(met, given), false);
  const long: Entry = { ...forgotten, type: "message", text: ". ".repeat(10_001) + "words" };
  readWords(long);
  assert.equal(embedder.embedMet(met, given), false);
});
