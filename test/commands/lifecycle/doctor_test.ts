import assert from "node:assert/strict";
import { catchUp } from "../../../src/index/catch_up.ts";
import { makeFiles } from "../../../src/disk/files.ts";
import { repository } from "../../support/repository.ts";
import { type TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

interface Exam {
  healthy: boolean;
  fixed: string[];
  checks: { name: string; invariant?: number; status: string; detail: string }[];
}

async function checkOf(t: TempStore, name: string, options = {}): Promise<Exam["checks"][number]> {
  const { checks } = await t.run<Exam>("doctor", {}, options);
  const found = checks.find((check) => check.name === name);
  assert.ok(found, `no check ${name}`);
  return found;
}

Deno.test("every invariant is checked by doctor or proved by a test that FORMAT.md names", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const { checks } = await t.run<Exam>("doctor");
  const format = Deno.readTextFileSync(`${repository}/docs/FORMAT.md`);
  const invariants = format.split("## Invariants")[1].split("\n## ")[0];
  const numbers = [...invariants.matchAll(/^(\d+)\. /gm)].map((match) => Number(match[1]));
  assert.deepEqual(numbers, Array.from({ length: 14 }, (_, i) => i + 1));
  for (const number of numbers) {
    const row = new RegExp(`^\\| ${number} +\\|(.*)\\|(.*)\\|$`, "m").exec(invariants);
    assert.ok(row, `invariant ${number} is not in the table`);
    const [, checked, proved] = row;
    const names = new Set(
      checks.filter((check) => check.invariant === number).map((check) => check.name),
    );
    const said = [...checked.matchAll(/`(\w+)`/g)].map((match) => match[1]);
    assert.equal(said.length === 0, checked.trim().startsWith("no:"), `${number}`);
    for (const name of names) assert.ok(said.includes(name), `${number}: ${name} is not named`);
    for (const name of said) assert.ok(checks.some((check) => check.name === name), name);
    const tests = [...proved.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1]);
    assert.ok(tests.length > 0, `invariant ${number} is proved nowhere`);
    for (const path of tests) assert.ok(Deno.statSync(`${repository}/${path}`).isFile);
  }
});

Deno.test("doctor names programs called ctx on the PATH when there is more than one", async () => {
  await using t = await tempStore();
  const [program, separator] = Deno.build.os === "windows" ? ["ctx.exe", ";"] : ["ctx", ":"];
  for (const name of ["bin1", "bin2"]) {
    await Deno.mkdir(`${t.workspace}/${name}`);
    await Deno.writeTextFile(`${t.workspace}/${name}/${program}`, "", { mode: 0o755 });
  }
  // What cannot be run is no program.
  await Deno.mkdir(`${t.workspace}/plain`);
  await Deno.writeTextFile(`${t.workspace}/plain/ctx`, "");
  const path = ["plain", "bin1", "nowhere", "bin2"].map((name) => `${t.workspace}/${name}`).join(
    separator,
  );
  const env = (name: string) => name === "PATH" ? path : undefined;
  const clash = await checkOf(t, "path", { env });
  assert.deepEqual([clash.status, clash.detail], [
    "warning",
    `2 programs named ctx are on the PATH, the first one runs: ` +
    `${t.workspace}/bin1/${program}, ${t.workspace}/bin2/${program}`,
  ]);
});

Deno.test("doctor tells a compact that was interrupted from damage, and --fix finishes it", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  t.write("move.json", '{"version":1,"archive_bytes":0}');
  t.write("history.archive.ndjson", t.read("history.ndjson").split("\n")[0] + "\n");
  const pools = await checkOf(t, "pools");
  assert.deepEqual([pools.status, pools.invariant], ["warning", 4]);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
  assert.deepEqual(t.ids(), ["H-H1", "H-H2"]);
});

Deno.test("doctor says that an id is in both pools, and --fix keeps one copy", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  t.write("history.archive.ndjson", t.read("history.ndjson").split("\n")[0] + "\n");
  const { healthy } = await t.run<Exam>("doctor");
  assert.equal(healthy, false);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
  assert.deepEqual(t.ids(), ["H-H1", "H-H2"]);
});

/** A store with an index of two segments, vectors and a tail. */
async function indexedStore(): Promise<TempStore> {
  const entries = Array.from({ length: 300 }, (_, i) => ({
    text: `row ${i} about ${["caches", "queues", "locks"][i % 3]} ${"words ".repeat(20)}`,
    session_id: `S-${i % 5}`,
  }));
  const t = await tempStore({ entries });
  await t.run("reindex", { vectors: true });
  await t.run("forget", { ids: ["H-H7"] });
  await t.run("save", { text: "a tail" });
  await t.run("reindex");
  await t.run("save", { text: "another tail" });
  return t;
}

function indexFiles(t: TempStore, suffix: string): string[] {
  return [...Deno.readDirSync(t.path("index"))].map((item) => `index/${item.name}`)
    .filter((name) => name.endsWith(suffix)).sort();
}

Deno.test("doctor reads every page of the index, finds it sound, and says how far it is", async () => {
  await using t = await indexedStore();
  assert.deepEqual(await t.ailments(), []);
  const { detail } = await checkOf(t, "index");
  assert.match(detail, /^30\d rows in \d segments, with vectors, \d+ bytes behind$/);
});

const breakers: [string, RegExp, (t: TempStore) => void][] = [
  ["a flipped bit in any page of a segment", /is damaged at byte/, (t) => {
    const name = indexFiles(t, ".seg")[0];
    const bytes = t.bytes(name);
    const pages = Math.floor(bytes.length / 4100);
    t.write(name, bytes.with((pages - 1) * 4096 + 100, bytes[(pages - 1) * 4096 + 100] ^ 4));
  }],
  ["a flipped bit in the vectors", /is damaged at byte/, (t) => {
    const name = indexFiles(t, ".vec")[0];
    t.write(name, t.bytes(name).with(5000, 77));
  }],
  [
    "a segment that is gone",
    /is missing/,
    (t) => Deno.removeSync(t.path(indexFiles(t, ".seg")[0])),
  ],
  ["a damaged page table", /page table/, (t) => {
    const name = indexFiles(t, ".seg")[0];
    const bytes = t.bytes(name);
    t.write(name, bytes.with(bytes.length - 2, bytes[bytes.length - 2] ^ 1));
  }],
  ["a changed manifest", /manifest\.json is damaged/, (t) => {
    t.write("index/manifest.json", t.read("index/manifest.json").replace('"rows":', '"rows":1'));
  }],
  [
    "segments without a manifest",
    /no manifest/,
    (t) => Deno.removeSync(t.path("index/manifest.json")),
  ],
  ["a log that was rewritten", /rewritten since .+ \(history\.ndjson, bytes 0 to \d+\)/, (t) => {
    const lines = t.read("history.ndjson").split("\n");
    t.write("history.ndjson", [...lines.toSpliced(3, 1).slice(0, -1), lines[3], ""].join("\n"));
  }],
  ["a log that was edited in its middle", /no longer matches the index at byte/, (t) => {
    t.write("history.ndjson", t.read("history.ndjson").replace('"id":"H-H150"', '"id":"H-X150"'));
  }],
];

for (const [what, said, spoil] of breakers) {
  Deno.test(`doctor tells of ${what}, and --fix builds the index anew`, async () => {
    await using t = await indexedStore();
    spoil(t);
    const found = await t.run<Exam>("doctor");
    const index = found.checks.find((check) => check.name === "index")!;
    assert.deepEqual([index.status, index.invariant, found.healthy], ["warning", 6, true]);
    assert.match(index.detail, said);
    const { checks, fixed } = await t.run<Exam>("doctor", { fix: true });
    assert.deepEqual(checks.filter((check) => check.status !== "ok"), []);
    assert.ok(fixed.length > 0);
    const { results, engine } = await t.run<{ results: unknown[]; engine: string }>("search", {
      query: "caches",
    });
    assert.ok(results.length > 0 && engine !== "", JSON.stringify(engine));
    assert.deepEqual(t.warnings.filter((warning) => warning.includes("index")), []);
  });
}

Deno.test("doctor tells of a row that was changed in its place (invariant 1)", async () => {
  await using t = await indexedStore();
  t.write("history.ndjson", t.read("history.ndjson").replace('"id":"H-H150"', '"id":"H-X150"'));
  assert.equal((await checkOf(t, "rows")).status, "warning");
  assert.equal((await checkOf(t, "logs")).status, "ok");
  t.write("history.ndjson", t.read("history.ndjson").replace("another tail", "another mail"));
  const logs = await checkOf(t, "logs");
  assert.deepEqual([logs.status, logs.invariant], ["warning", 1]);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("doctor tells of text that was altered in the middle of a log, and where", async () => {
  await using t = await indexedStore();
  const spoil = (...rows: number[]): void => {
    let log = t.read("history.ndjson");
    for (const row of rows) log = log.replace(`row ${row} about`, `row ${row} abuot`);
    t.write("history.ndjson", log);
  };
  spoil(149);
  const at = t.read("history.ndjson").indexOf('{"id":"H-H150"');
  const one = `a row was edited after it was indexed: H-H150 at byte ${at} of ` +
    "history.ndjson";
  const rows = await checkOf(t, "rows");
  assert.deepEqual([rows.status, rows.invariant], ["warning", 1]);
  assert.equal(
    rows.detail,
    `${one}; if you made this change on purpose, run: ctx reindex --full`,
  );
  assert.equal((await checkOf(t, "index")).detail, `${one}; search works without the index`);
  spoil(151, 160);
  assert.match((await checkOf(t, "rows")).detail, /^3 rows were edited .+ the first is H-H150 at/);
  await t.run("reindex", { full: true });
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("doctor tells of text that was altered in segments that were merged", async () => {
  const entries = Array.from({ length: 40 }, (_, i) => `row ${i} about ${"tides ".repeat(20)}`);
  await using t = await tempStore({ entries: entries.slice(0, 10) });
  for (let i = 10; i < entries.length; i += 10) {
    await catchUp(t.open(), { sealBytes: 1 });
    t.write("history.ndjson", toLog(entries.slice(0, i + 10)));
  }
  await t.run("forget", { ids: ["H-H3"] });
  await catchUp(t.open(), { sealBytes: 1, purge: true });
  const { segments } = JSON.parse(t.read("index/manifest.json")).manifest;
  assert.ok(segments.some(({ purged }: { purged: boolean }) => purged));
  assert.deepEqual(await t.ailments(), []);
  t.write("history.ndjson", t.read("history.ndjson").replace("row 22 about", "row 22 abuot"));
  assert.match((await checkOf(t, "rows")).detail, /edited after it was indexed: H-H23 at byte/);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("doctor tells of an index that is far behind, and looking alone does not change it", async () => {
  await using t = await tempStore();
  const rows = Array.from({ length: 1200 }, (_, i) => `row ${i}${" ".repeat(15_000)}.`);
  t.append("history.ndjson", toLog(rows));
  await t.run("save", { text: "counted" });
  Deno.removeSync(t.path("index"), { recursive: true });
  assert.match((await checkOf(t, "index")).detail, /^no index: every search reads \d{8} bytes$/);
  assert.equal(t.exists("index"), false);
  await t.run("reindex");
  t.append("history.ndjson", toLog(rows, "T"));
  const { status, detail } = await checkOf(t, "index");
  assert.equal(status, "warning");
  assert.match(detail, /bytes behind the logs$/);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("doctor leaves an index of a newer ctx alone", async () => {
  await using t = await indexedStore();
  const { checksum } = await import("../../../src/core/checksum.ts");
  const { manifest } = JSON.parse(t.read("index/manifest.json"));
  const body = JSON.stringify({ ...manifest, version: 99 });
  const text = `{"checksum":${checksum(new TextEncoder().encode(body))},"manifest":${body}}\n`;
  t.write("index/manifest.json", text);
  await t.run("doctor", { fix: true });
  assert.match((await checkOf(t, "index")).detail, /newer version of ctx/);
  assert.equal(t.read("index/manifest.json"), text);
});

Deno.test("doctor tells when the index would show a forgotten entry", async () => {
  await using t = await tempStore({ entries: Array.from({ length: 20 }, (_, i) => `row ${i}`) });
  await catchUp(t.open(), { sealBytes: 1 });
  await t.run("forget", { ids: ["H-H7"] });
  await catchUp(t.open(), { sealBytes: 1 });
  assert.equal((await checkOf(t, "index")).status, "ok");
  const { checksum } = await import("../../../src/core/checksum.ts");
  const { manifest } = JSON.parse(t.read("index/manifest.json"));
  const segments = manifest.segments.map((segment: object) => ({ ...segment, dead: [] }));
  assert.notDeepEqual(segments, manifest.segments);
  const body = JSON.stringify({ ...manifest, segments });
  const sum = checksum(new TextEncoder().encode(body));
  t.write("index/manifest.json", `{"checksum":${sum},"manifest":${body}}\n`);
  assert.match((await checkOf(t, "index")).detail, /shows a forgotten entry: H-H7/);
});

Deno.test("doctor tells where a forgotten entry is still named, and --fix takes it out", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  await t.run("pin", { target: "H-H1" });
  const pins = t.read("pins.md");
  await t.run("forget", { ids: ["H-H1"] });
  t.write("pins.md", pins);
  const found = await checkOf(t, "forgotten");
  assert.deepEqual([found.status, found.invariant], ["warning", 12]);
  assert.match(found.detail, /pins\.md/);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
  assert.ok(!t.read("pins.md").includes("H-H1"));
});

Deno.test("doctor tells of a file for people that is half written", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const begin = "<!-- ctx:begin kind=extractive archive=0 hash=1 -->\n";
  const halves: [string, string | Uint8Array][] = [
    ["pins.md", Uint8Array.of(45, 32, 0xc3)],
    ["pins.md", "- a\0b\n"],
    ["summary.md", `${begin}half`],
    ["summary.md", "half\n<!-- ctx:end -->\n"],
  ];
  for (const [name, bytes] of halves) {
    t.write(name, bytes);
    const { status, invariant, detail } = await checkOf(t, "edited");
    assert.deepEqual([status, invariant], ["warning", 13]);
    assert.ok(detail.includes(name), detail);
    Deno.removeSync(t.path(name));
  }
  t.write("summary.md", `mine\n${begin}whole\n<!-- ctx:end -->\nmine too\n`);
  assert.equal((await checkOf(t, "edited")).status, "ok");
});

Deno.test("doctor points at entries that still hold what looks like a secret", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  await using t = await tempStore({ entries: [{ id: "H-1", text: `token ${token}` }] });
  const { status, detail, invariant } = await checkOf(t, "secrets");
  assert.deepEqual([status, invariant], ["warning", 9]);
  assert.ok(detail.includes("H-1") && !detail.includes(token));
});

for (const name of ["history.ndjson", "state.json", "pins.md"]) {
  for (const fix of [false, true]) {
    Deno.test(`doctor ${fix ? "--fix " : ""}names a ${name} that may not be read`, async () => {
      await using t = await tempStore({ entries: ["one"], files: { "pins.md": "- one\n" } });
      await t.run("save", { text: "two" });
      const path = t.path(name);
      const refuse = (asked: string | URL): void => {
        if (asked === path) {
          throw new Deno.errors.PermissionDenied("Permission denied (os error 13)");
        }
      };
      const files = makeFiles({
        ...Deno,
        openSync: (asked, options) => (refuse(asked), Deno.openSync(asked, options)),
        readFileSync: (asked) => (refuse(asked), Deno.readFileSync(asked)),
      });
      assert.deepEqual(await t.run<Exam>("doctor", { fix }, { files }), {
        healthy: false,
        fixed: [],
        checks: [{
          name: "files",
          status: "failed",
          detail: `"${path}" cannot be read: permission denied; check its owner and permissions`,
          fixable: false,
        }],
      });
    });
  }
}
