// Exact bytes in, exact bytes out: whatever text goes in through argv or stdin comes back byte for
// byte, on a pipe and page by page under --json.

import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeExact } from "../../../src/core/utf8.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const samples: Record<string, string> = {
  "newlines at both ends": "\n\nfirst\nsecond\n\n",
  "quotes and backslashes": `"double" 'single' \`back\` \\n \\\\ \\u0041`,
  "tabs and spaces": "\ta\t\tb  c \t",
  "emoji with joiners": "👩‍👩‍👧‍👦 🏴‍☠️ 🇩🇪 é e\u0301",
  "Chinese, Japanese and Korean": "记忆 メモリー 기억",
  "a text of flags": "--json --help -h -- --workspace /",
  "a byte order mark": "\ufeffstarts with a BOM",
  "Windows line ends": "one\r\ntwo\r\n",
  "control characters": "\x01\x1b[31mred\x1b[0m\x7f\x85\u2028\u2029",
  "noncharacters and direction overrides": "\ufdd0\ufdd1\uffff\u202eabc\u202c",
};
const onStdinOnly: Record<string, string> = {
  "NUL bytes": "a\0b\0\0",
  "lone surrogates": "high \ud83d, low \ude00, reversed \ude00\ud83d, end \ud800",
  "a single newline": "\n",
  // Deno takes a carriage return off the end of every argument before a program sees it.
  "a carriage return at the end": "three\r",
};

for (const [name, text] of Object.entries({ ...samples, ...onStdinOnly })) {
  Deno.test(`save - then get on a pipe gives back ${name}`, async () => {
    await using t = await tempStore();
    const saved = await t.ctx(["save", "-"], { stdin: encodeExact(text) });
    assert.equal(saved.stderr, "");
    const got = await t.ctx(["get", saved.stdout.trim(), "--head", "0"]);
    assert.deepEqual(got, {
      code: 0,
      bytes: encodeExact(text),
      stdout: new TextDecoder("utf-8", { ignoreBOM: true }).decode(encodeExact(text)),
      stderr: "",
    });
  });
}

Deno.test("save takes each text from argv after -- and get gives it back", async () => {
  await using t = await tempStore();
  for (const [name, text] of Object.entries(samples)) {
    const saved = await t.ctx(["save", "--", text]);
    const got = await t.ctx(["get", saved.stdout.trim(), "--head", "0"]);
    assert.deepEqual(got.bytes, encodeExact(text), name);
  }
});

Deno.test("a text that starts with a dash and no -- is refused with the way out", async () => {
  await using t = await tempStore();
  assert.deepEqual(await t.ctx(["save", "--flags are text"]), {
    code: 2,
    bytes: new Uint8Array(),
    stdout: "",
    stderr: 'ctx: Cannot run save: unknown flag "--flags are text"\n' +
      "hint: ctx save --help; put -- before text that starts with a dash\n",
  });
});

Deno.test("bytes that are no UTF-8 are refused with their position and nothing is written", async () => {
  await using t = await tempStore();
  const stdin = Uint8Array.of(0x61, 0x62, 0xff, 0x63);
  const { code, stdout, stderr } = await t.ctx(["save", "-"], { stdin });
  assert.deepEqual({ code, stdout, stderr }, {
    code: 2,
    stdout: "",
    stderr: "ctx: Cannot read the text: byte 0xff at offset 2 is not UTF-8\n" +
      "hint: convert it first, for example with iconv -f latin1 -t utf-8\n",
  });
  assert.equal(t.read("history.ndjson"), "");
});

Deno.test("5 MB in one entry come back byte for byte, whole and by pages", async () => {
  await using t = await tempStore();
  const piece = `line 0123456789 "quoted" \t 记忆 😀\r\n`;
  const text = piece.repeat(Math.ceil(5_000_000 / encodeExact(piece).length)) + "last byte";
  const bytes = encodeExact(text);
  assert.ok(bytes.length >= 5_000_000);
  const saved = await t.ctx(["save", "-"], { stdin: bytes });
  const id = saved.stdout.trim();
  const whole = await t.ctx(["get", id, "--head", "0"]);
  assert.ok(equalBytes(whole.bytes, bytes), "the pipe differs");
  let pages = "";
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page = await t.ctx(["get", id, "--json", "--head", "1700000", "--offset", `${offset}`]);
    const [item] = JSON.parse(page.stdout).results;
    assert.equal(item.original_chars, text.length);
    pages += item.text;
    offset = item.next_offset;
  }
  assert.ok(equalBytes(encodeExact(pages), bytes), "the pages differ");
});

Deno.test("paging by next_offset gives back any text with any page size", async () => {
  await using t = await tempStore();
  await fc.assert(
    fc.asyncProperty(anyText(), fc.integer({ min: 1, max: 9 }), async (text, head) => {
      const { id } = await t.run<{ id: string }>("save", { text: "-" }, {
        readInput: () => Promise.resolve(encodeExact(text)),
      });
      let pages = "";
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page: Got = await t.run("get", { ids: [id], head, offset });
        pages += page.results[0].text;
        offset = page.results[0].next_offset;
      }
      assert.equal(pages, text);
    }),
    { numRuns: 60 },
  );
});

Deno.test("any text goes through real processes unchanged", async () => {
  await using t = await tempStore();
  await fc.assert(
    fc.asyncProperty(anyText(), async (text) => {
      const saved = await t.ctx(["save", "-"], { stdin: encodeExact(text) });
      const got = await t.ctx(["get", saved.stdout.trim(), "--head", "0"]);
      assert.deepEqual(got.bytes, encodeExact(text));
    }),
    { numRuns: 8 },
  );
});

interface Got {
  results: { text: string; next_offset?: number }[];
}

/** Any string of UTF-16 units, lone surrogates included, that is not empty. */
function anyText(): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0xd800, max: 0xdfff }),
    fc.integer({ min: 0, max: 0xffff }),
  );
  return fc.array(unit, { minLength: 1, maxLength: 60 })
    .map((units) => String.fromCharCode(...units))
    .filter((text) => text !== "-");
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
