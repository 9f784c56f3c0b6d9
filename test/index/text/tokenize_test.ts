import assert from "node:assert/strict";
import { stem } from "../../../src/index/text/stem.ts";
import { tokenize } from "../../../src/index/text/tokenize.ts";

function terms(text: string): string[] {
  const found: string[] = [];
  tokenize(text, (term, kind) => found.push(kind === "word" ? term : `<${term}>`));
  return found;
}

Deno.test("tokenize() stems words and leaves stop words out", () => {
  assert.deepEqual(terms("The deployments are failing"), ["deploy", "fail"]);
  assert.deepEqual(terms("deploying, deployed; deploy!"), ["deploy", "deploy", "deploy"]);
});

Deno.test("tokenize() splits identifiers and keeps them whole in one spelling", () => {
  for (const name of ["userStoreName", "user_store_name", "user-store-name", "UserStoreName"]) {
    assert.deepEqual(terms(name), ["user", "store", "name", "<userstorename>"], name);
  }
  assert.deepEqual(terms("HTTPServer"), ["http", "server", "<httpserver>"]);
});

Deno.test("tokenize() gives a path's parts, its components and the whole path", () => {
  assert.deepEqual(terms("src/core/entry.ts"), [
    "src",
    "core",
    "entri",
    "ts",
    "<entryts>",
    "<srccoreentryts>",
  ]);
});

Deno.test("tokenize() keeps the dots of version numbers", () => {
  assert.deepEqual(terms("3.1.18"), ["3", "1", "18", "<3.1.18>"]);
});

Deno.test("tokenize() folds case, width and diacritics", () => {
  assert.deepEqual(terms("Größe CAFÉ ﬁle ＡＢＣ"), ["gross", "cafe", "file", "abc"]);
});

Deno.test("tokenize() gives pairs and characters of scripts without spaces", () => {
  assert.deepEqual(terms("日本語"), ["<日>", "<本>", "<語>", "日本", "本語"]);
  assert.deepEqual(terms("犬"), ["犬"]);
});

Deno.test("tokenize() takes possessives and contractions apart", () => {
  assert.deepEqual(terms("Caroline's isn't here"), ["carolin"]);
});

Deno.test("tokenize() cuts very long runs instead of indexing them whole", () => {
  assert.equal(terms("a".repeat(5000))[0].length, 64);
});

Deno.test("tokenize() counts words for the length, not the wholes", () => {
  assert.equal(tokenize("userStoreName is here", () => {}), 3);
});

Deno.test("stem() agrees with Porter's published examples", () => {
  const examples: Record<string, string> = {
    caresses: "caress",
    ponies: "poni",
    cats: "cat",
    agreed: "agre",
    plastered: "plaster",
    motoring: "motor",
    hopping: "hop",
    filing: "file",
    happy: "happi",
    relational: "relat",
    conditional: "condit",
    vietnamization: "vietnam",
    triplicate: "triplic",
    hopefulness: "hope",
    revival: "reviv",
    adoption: "adopt",
    controlling: "control",
    rate: "rate",
  };
  for (const [word, expected] of Object.entries(examples)) assert.equal(stem(word), expected, word);
});
