// The table of words after any changes is, byte for byte, the table built from nothing; and that one
// says what `readWords` says of each file.

import assert from "node:assert/strict";
import { seededRandom } from "../../../bench/seeded_random.ts";
import { diskFiles, type Files } from "../../../src/store/files/files.ts";
import { layoutOf } from "../../../src/store/files/layout.ts";
import {
  encodeTable,
  openTable,
  type RecordTable,
} from "../../../src/suggest/tables/record_table.ts";
import { leastFiles, type RefreshBudget } from "../../../src/suggest/graph/refresh_budget.ts";
import { refreshWords, type WordsRefreshed } from "../../../src/suggest/words/refresh_words.ts";
import { TableDamage } from "../../../src/suggest/tables/table_damage.ts";
import { profileOf } from "../../../src/suggest/words/term_weight.ts";
import { partsOf, readWords, stemWords } from "../../../src/suggest/words/word_facts.ts";
import {
  openWords,
  termKey,
  wordKeys,
  type WordMeta,
} from "../../../src/suggest/words/word_table.ts";
import { Crash, failingFiles } from "../../support/failing_files.ts";

Deno.test("after any changes the table is that of a build from nothing", async () => {
  for (let seed = 1; seed <= 5; seed++) {
    await using tree = new Tree(seed);
    tree.grow(140);
    await tree.refresh();
    for (let round = 0; round < 3; round++) {
      tree.change(130 + 20 * round);
      await tree.refresh();
      assert.equal(exists(tree.delta), false, "too many changes for a delta");
      const bytes = Deno.readFileSync(tree.table);
      Deno.removeSync(tree.table);
      await tree.refresh();
      assert.ok(isSame(bytes, Deno.readFileSync(tree.table)), `seed ${seed}, round ${round}`);
      // Changes that a delta holds go into the next table too.
      tree.change(9);
      await tree.refresh();
    }
  }
});

Deno.test("a table says of each file what readWords says", async () => {
  for (let seed = 11; seed <= 14; seed++) {
    await using tree = new Tree(seed);
    tree.grow(60);
    tree.write("long.md", `${"aboutWords ".repeat(5454)}crossingName${" $9late_word".repeat(300)}`);
    tree.write(
      "many.ts",
      Array.from({ length: 2600 }, (_, i) => `name${i}$part${i % 7}`).join(" "),
    );
    tree.write("often.ts", "sayAgain(); ".repeat(700));
    tree.write("empty.ts", "");
    await tree.refresh();
    using table = openTable(diskFiles, tree.table)!;
    const { files } = table.readMeta() as WordMeta;
    const plain = `${tree.root}/plain.bin`;
    Deno.writeFileSync(plain, plainTable(tree.root, files));
    using expected = openTable(diskFiles, plain)!;
    assert.deepEqual(contentOf(table), contentOf(expected), `seed ${seed}`);
  }
});

Deno.test("without time a refresh goes in steps, each leaves a table, the last one the whole", async () => {
  await using tree = new Tree(21);
  tree.grow(leastFiles * 2 + 40);
  const hurried: RefreshBudget = { hasTime: () => false, first: tree.paths().at(-1) };
  const steps: number[] = [];
  for (let left = 1; left > 0;) {
    ({ left } = await tree.refresh({ budget: hurried }));
    steps.push(left);
    using words = openWords(diskFiles, tree.layout)!;
    assert.notEqual(words.findId(hurried.first!), undefined, "what is asked about is read first");
  }
  assert.deepEqual(steps, [leastFiles + 40, 40, 0]);
  await tree.assertWhole();
  // Files that wait for their turn keep the words that they had.
  tree.change(leastFiles + 60);
  const last = tree.paths().at(-1)!;
  tree.write(last, "entirelyNewName;");
  const before = holdersOf(tree, "entirelyNewName");
  const { read, left } = await tree.refresh({ budget: { hasTime: () => false } });
  assert.deepEqual([before, read], [[], leastFiles]);
  assert.ok(left > 0);
  while ((await tree.refresh({ budget: { hasTime: () => false } })).left > 0);
  assert.deepEqual(holdersOf(tree, "entirelyNewName"), [last]);
  await tree.refresh();
  await tree.assertWhole();
});

Deno.test("a refresh that dies at any write leaves words that can be used and brought up to date", async () => {
  await using tree = new Tree(31);
  tree.grow(100);
  await tree.refresh();
  tree.change(5);
  await tree.refresh();
  for (let failAt = 1, died = true; died; failAt++) {
    tree.change(70);
    died = false;
    try {
      await tree.refresh({ files: failingFiles(failAt) });
    } catch (error) {
      assert.ok(error instanceof Crash);
      died = true;
    }
    using words = openWords(diskFiles, tree.layout);
    assert.ok(words !== undefined && words.count > 0);
    await tree.refresh();
    await tree.assertWhole();
    tree.change(3);
    await tree.refresh();
  }
});

Deno.test("damage anywhere in the table is met by a refresh that takes it over", async () => {
  await using tree = new Tree(41);
  tree.grow(30);
  await tree.refresh();
  const whole = Deno.readFileSync(tree.table);
  tree.grow(70);
  // The first page is the head and where records are; records are not taken over.
  for (let at = 0; at < whole.length; at += 4099) {
    const bytes = whole.slice();
    bytes[at] ^= 1 << (at % 8);
    Deno.writeFileSync(tree.table, bytes);
    const error = await tree.refresh().then(() => undefined, (error) => error);
    if (error === undefined) await tree.assertWhole();
    else assert.ok(error instanceof TableDamage, `byte ${at}: ${error}`);
  }
});

Deno.test("a table of the time before tails is built anew, not taken over", async () => {
  await using tree = new Tree(51);
  tree.grow(20);
  await tree.refresh();
  {
    using table = openTable(diskFiles, tree.table)!;
    const { files } = table.readMeta() as WordMeta;
    const old = plainTable(tree.root, files);
    Deno.writeFileSync(tree.table, old);
  }
  assert.equal((await tree.refresh()).read, 0, "it still is good to read");
  tree.grow(80);
  assert.equal((await tree.refresh()).read, 100);
  await tree.assertWhole();
});

const syllables = "read write token parse page sort merge hash store entry line graph".split(" ");

/** A workspace that grows and changes by a seed; every write has a time of its own. */
class Tree {
  readonly root = Deno.makeTempDirSync({ prefix: "ctx-build-words-" });
  readonly layout = layoutOf(this.root);
  readonly table = `${this.layout.index}/graph.words.bin`;
  readonly delta = `${this.layout.index}/graph.words.ndjson`;
  readonly #random: () => number;
  readonly #files = new Set<string>();
  #clock = 1_700_000_000;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  paths(): string[] {
    return [...this.#files];
  }

  grow(count: number): void {
    for (let added = 0; added < count;) {
      const depth = this.#below(3);
      const directory = Array.from({ length: depth }, () => `${this.#pick()}_${this.#below(3)}/`);
      const ending = ["ts", "ts", "md", "json", "py"][this.#below(5)];
      const path = `${directory.join("")}${this.#word()}${this.#below(40)}.${ending}`;
      if (this.#files.has(path)) continue;
      this.write(path, this.#text());
      added++;
    }
  }

  /** So many files come, go or become others. */
  change(count: number): void {
    const paths = this.paths();
    for (let i = 0; i < count; i++) {
      const [dice, path] = [this.#random(), paths[(i * 7) % paths.length]];
      if (dice < 0.2 || !this.#files.has(path)) this.grow(1);
      else if (dice < 0.35) this.#remove(path);
      else this.write(path, this.#text());
    }
  }

  write(path: string, text: string): void {
    const full = `${this.root}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(full, text);
    Deno.utimeSync(full, ++this.#clock, this.#clock);
    this.#files.add(path);
  }

  async refresh(
    options: { files?: Files; budget?: RefreshBudget } = {},
  ): Promise<WordsRefreshed> {
    return await refreshWords({ files: diskFiles, layout: this.layout, ...options });
  }

  /** What is there, delta and all, must be what a build from nothing gives. */
  async assertWhole(): Promise<void> {
    const had = exists(this.delta) ? undefined : Deno.readFileSync(this.table);
    Deno.removeSync(this.table);
    await this.refresh();
    if (had !== undefined) assert.ok(isSame(had, Deno.readFileSync(this.table)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Deno.remove(this.root, { recursive: true });
  }

  #remove(path: string): void {
    Deno.removeSync(`${this.root}/${path}`);
    this.#files.delete(path);
  }

  #text(): string {
    return Array.from({ length: this.#below(60) }, () => {
      const dice = this.#random();
      if (dice < 0.1) return `"src/${this.#pick()}.${this.#pick()}.ts"`;
      if (dice < 0.15) {
        return `$${this.#word()}$ ${this.#below(1e6)}${this.#pick()}${this.#below(1e4)}`;
      }
      if (dice < 0.2) return `über${this.#word()} 漢字${this.#pick()}\n`;
      if (dice < 0.25) return `import { a } from "./${this.#pick()}.ts";\n`;
      if (dice < 0.28) return `${this.#pick()} `.repeat(this.#below(400));
      return this.#word();
    }).join([" ", "\n", ".", "(", ";\n"][this.#below(5)]);
  }

  #word(): string {
    return Array.from({ length: 1 + this.#below(3) }, (_, i) => {
      const word = this.#pick();
      return i === 0 ? word : word[0].toUpperCase() + word.slice(1);
    }).join(this.#random() < 0.2 ? "_" : "");
  }

  #pick(): string {
    return syllables[this.#below(syllables.length)] + (this.#random() < 0.1 ? this.#below(30) : "");
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** The table as it was first written down: each file by itself, all keys as texts. */
function plainTable(root: string, files: WordMeta["files"]): Uint8Array {
  const called = new Set(files.flatMap(([path]) => stemWords(path)));
  const all = files.map(([path]) => {
    const isData = path.endsWith(".json");
    return readWords(path, isData ? "" : Deno.readTextFileSync(`${root}/${path}`));
  });
  const holders = new Map<string, number>();
  for (const { terms } of all) {
    for (const term of terms.keys()) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  const world = { holdersOf: (term: string) => holders.get(term)!, files: all.length };
  const records = all.map((words) => {
    const said = [...partsOf(words.words)].filter((word) => called.has(word));
    const { norm, telling } = profileOf(words.terms, world);
    return {
      value: [words.path, norm, telling],
      keys: [...wordKeys(words), ...said.map((word) => `v:${word}`)],
      counts: new Map([...words.terms].map(([term, count]) => [termKey(term), count])),
    };
  });
  return encodeTable({ version: 2, files }, records);
}

function contentOf(table: RecordTable): unknown {
  return [table.readMeta(), table.readSorted(), [...table.readAll()]];
}

function holdersOf(tree: Tree, name: string): string[] {
  using words = openWords(diskFiles, tree.layout)!;
  return words.findHolders(name).map((id) => words.pathOf(id));
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function exists(path: string): boolean {
  return diskFiles.findSize(path) !== undefined;
}
