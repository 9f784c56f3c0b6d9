// Bodies and what they carry, plain and sealed.

import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeBody, encodeBody } from "../../../src/team/trust/row_body.ts";
import {
  encodePayload,
  kindOf,
  type PayloadKind,
  readPayload,
  type SharedEntry,
} from "../../../src/team/trust/row_payload.ts";
import type { WireRow } from "../../../src/team/trust/wire_row.ts";

const place = { space: "team", writer: "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001", seq: 7, id: "H-a" };
const key = { epoch: 258, key: new Uint8Array(32).map((_, i) => i) };
const findKey = (epoch: number): Uint8Array | undefined => epoch === 258 ? key.key : undefined;
const entry: SharedEntry = {
  id: "H-a",
  ts: "2026-05-01T07:00:00.000Z",
  role: "note",
  type: "decision",
  text: "We rotate tokens.",
  author: "ada",
  seq: 7,
};

Deno.test("a sealed body is that of the format", () => {
  const random = new Uint8Array(16).map((_, i) => 100 + i);
  const body = encodeBody(new TextEncoder().encode("hello"), place, { key, random });
  assert.equal(body.toHex(), knownSealed);
  assert.deepEqual(decodeBody(body, place, findKey), {
    payload: new TextEncoder().encode("hello"),
  });
});

/** Computed once by another implementation (WebCrypto); it must never change. */
const knownSealed =
  "0101026465666768696a6b6c6d6e6f70717273207eb20a163c07729c23098b60ad7498cd92da93c2";

Deno.test("WebCrypto opens what was sealed", async () => {
  const body = encodeBody(encodePayload(entry), place, { key });
  const fields = [place.space, place.writer, "7", "H-a"].flatMap((text) => {
    const bytes = [...new TextEncoder().encode(text)];
    return [0, 0, 0, bytes.length, ...bytes];
  });
  const opened = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: body.slice(3, 15), additionalData: new Uint8Array(fields) },
    await crypto.subtle.importKey("raw", key.key, "AES-GCM", false, ["decrypt"]),
    body.slice(19),
  );
  assert.deepEqual(new Uint8Array(opened), encodePayload(entry));
});

Deno.test("the same text twice gives other bodies: a digest that stays tells nothing", () => {
  const payload = encodePayload(entry);
  assert.notDeepEqual(encodeBody(payload, place), encodeBody(payload, place));
  assert.notDeepEqual(encodeBody(payload, place, { key }), encodeBody(payload, place, { key }));
});

Deno.test("a sealed body opens with its key and at its place only; any byte counts (property)", () => {
  const body = encodeBody(encodePayload(entry), place, { key });
  const other = (): Uint8Array => new Uint8Array(32);
  assert.equal(decodeBody(body, place, other).fault, "not_sealed_here");
  assert.deepEqual(decodeBody(body, place), { fault: "no_key", epoch: 258 });
  for (
    const moved of [
      { ...place, space: "other" },
      { ...place, writer: "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0002" },
      { ...place, seq: 8 },
      { ...place, id: "H-b" },
      { ...place, id: "H-", writer: `${place.writer}a` },
    ]
  ) assert.equal(decodeBody(body, moved, findKey).fault, "not_sealed_here");
  fc.assert(fc.property(
    fc.nat(body.length - 1),
    fc.integer({ min: 1, max: 255 }),
    (at, change) => {
      // Four of the random bytes are no part of the iv; the chain's digest covers them.
      fc.pre(at < 15 || at >= 19);
      // Format "plain" gives the sealed bytes as they are, never what was sealed.
      const decoded = decodeBody(body.with(at, body[at] ^ change), place, () => key.key);
      if (at === 0 && decoded.payload) assert.deepEqual(decoded.payload, body.subarray(19));
      else if (at !== 1 && at !== 2) assert.ok(decoded.fault);
    },
  ));
});

Deno.test("a body that is too short or of a later format is none", () => {
  for (const body of [new Uint8Array(), new Uint8Array(18), Uint8Array.of(2, ...new Array(40))]) {
    assert.deepEqual(decodeBody(body, place, findKey), { fault: "not_a_body" });
  }
  const cut = encodeBody(new Uint8Array(), place, { key }).subarray(0, 30);
  assert.equal(decodeBody(cut, place, findKey).fault, "not_sealed_here");
});

Deno.test("rows give back exactly the signed line, plain and sealed", () => {
  const tombstone = { ...entry, type: "tombstone", refs: ["H-x"], text: "" };
  const cases: [SharedEntry, PayloadKind][] = [
    [entry, "entry"],
    [{ ...entry, text: "lone \ud800, line\nbreak, \u2028" }, "entry"],
    [tombstone, "tombstone"],
    [{ ...tombstone, erased: true }, "erase"],
    [{ ...tombstone, erased: "true" }, "tombstone"],
  ];
  for (const [given, kind] of cases) {
    assert.equal(kindOf(given), kind);
    const line = encodePayload(given);
    assert.deepEqual(read(wire(line, kind)), { kind, line, entry: given });
    assert.deepEqual(read(wire(line, "sealed", key)), { kind, line, entry: given });
  }
});

Deno.test("a void row only fills its place", () => {
  assert.deepEqual(read(wire(new Uint8Array(), "void")), { kind: "void" });
  assert.deepEqual(read(wire(new Uint8Array(), "sealed", key)), { kind: "void" });
  assert.deepEqual(read(wire(new Uint8Array(), "entry")), { fault: "not_an_entry" });
});

Deno.test("a row that says another place or author inside is refused", () => {
  for (const changed of [{ id: "H-b" }, { author: "bob" }, { seq: 8 }]) {
    const line = encodePayload({ ...entry, ...changed });
    assert.deepEqual(read(wire(line, "entry")), { fault: "foreign_row" });
    assert.deepEqual(read(wire(line, "sealed", key)), { fault: "foreign_row" });
  }
  const moved = { ...wire(encodePayload(entry), "sealed", key), seq: 8 };
  assert.deepEqual(read(moved), { fault: "foreign_row" });
  assert.deepEqual(read(wire(encodePayload(entry), "sealed", { ...key, epoch: 9 })), {
    fault: "no_key",
  });
});

Deno.test("a line that could be read in two ways is refused", () => {
  const text = JSON.stringify(entry);
  const others = [
    `${text}\n{"id":"H-z"}`,
    text.replace('"ts"', '\n"ts"'),
    text.replace("{", "{ "),
    text.replace('{"id":"H-a"', '{"id":"H-mine","id":"H-a"'),
    text.replace('"author":"ada"', '"author":"bob","author":"ada"'),
    text.replace('"seq":7', '"seq":7.0'),
    text.replace('"role":"note",', ""),
    text.replace('"note"', '"root"'),
    text.replace('"type":"decision",', ""),
    text.replace("2026-05-01T07:00:00.000Z", "yesterday"),
    text.replace('"text"', '"content"'),
    text.replace('"author":"ada",', ""),
    text.replace('"seq":7', '"seq":"7"'),
    `[${text}]`,
    "null",
    "not json",
  ];
  for (const other of others) {
    assert.notEqual(other, text);
    const line = new TextEncoder().encode(other);
    assert.deepEqual(read(wire(line, "entry")), { fault: "not_an_entry" }, other);
  }
  const line = encodePayload(entry);
  assert.deepEqual(read(wire(line.with(20, 0xff), "entry")), { fault: "not_an_entry" });
});

Deno.test("the kind outside must be the kind inside", () => {
  const line = encodePayload(entry);
  for (const kind of ["tombstone", "erase", "void", "sealed"]) {
    assert.deepEqual(read(wire(line, kind)), { fault: "not_an_entry" }, kind);
  }
  assert.deepEqual(read(wire(line, "entry", key)), { fault: "not_an_entry" });
});

function wire(
  payload: Uint8Array,
  kind: string,
  sealed?: typeof key,
): WireRow & { body: Uint8Array } {
  const { writer, seq, id } = place;
  const body = encodeBody(payload, place, { key: sealed });
  return { writer, seq, id, kind, visibility: "space", ts: entry.ts, body, sig: new Uint8Array() };
}

function read(row: WireRow & { body: Uint8Array }): unknown {
  return readPayload(row, { space: "team", author: "ada", findKey });
}
