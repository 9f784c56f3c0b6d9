// The chain against somebody who has the server: any change is either noticed or changes nothing.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  type ChainCursor,
  chainStart,
  sealBatch,
  verifyRows,
} from "../../../src/team/trust/chain.ts";
import { isSignedBy, makeSignKey } from "../../../src/team/trust/keys.ts";
import { encodeBody } from "../../../src/team/trust/row_body.ts";
import type { UnsignedRow, WireRow } from "../../../src/team/trust/wire_row.ts";
import { rfcKey } from "../../support/rfc_key.ts";

const space = "team";
const writer = "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001";
const publicKey = rfcKey.publicKey;
const options = { space, writer, cursor: chainStart, publicKey };

Deno.test("a chain's links and signature are those of the format", () => {
  const random = new Uint8Array(16).fill(7);
  const place = { space, writer, seq: 1, id: "H-é" };
  const payload = new TextEncoder().encode('{"id":"H-é"}');
  const body = encodeBody(payload, place, { random });
  assert.equal(body.toHex(), `000000${"07".repeat(16)}${payload.toHex()}`);
  const { rows, cursor } = seal([{ ...row(1, "H-é"), body }, { ...row(2, "H-b"), body }]);
  // The format once more, by hand.
  const field = (text: string): Uint8Array[] => {
    const bytes = new TextEncoder().encode(text);
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, bytes.length);
    return [size, bytes];
  };
  const hash = (parts: Uint8Array[]): Uint8Array => {
    const made = createHash("sha256");
    for (const part of parts) made.update(part);
    return new Uint8Array(made.digest());
  };
  let link: Uint8Array = new Uint8Array(32);
  for (const { seq, id, kind, visibility, ts, body } of rows) {
    const fields = [space, writer, String(seq), id, kind, visibility, ts].flatMap(field);
    const purpose = new TextEncoder().encode("ctx-link-1");
    link = hash([purpose, link, ...fields, hash([body!])]);
  }
  assert.deepEqual([cursor.seq, cursor.link.toHex()], [2, link.toHex()]);
  assert.deepEqual(rows.map(({ sig }) => sig.length), [32, 96]);
  assert.equal(rows[0].sig.toHex(), hash([body]).toHex());
  const signed = new Uint8Array([...new TextEncoder().encode("ctx-sig-1"), ...link]);
  assert.ok(isSignedBy(publicKey, { bytes: signed, signature: rows[1].sig.subarray(32) }));
  assert.equal(link.toHex(), knownLink);
});

/** Written down once: it must never change, for it lies on servers. */
const knownLink = "0bdfc0ce6ac418c79f7324b96ce99d86f211c7be26eecfe66e41b3ef8cc0bff6";

Deno.test("batches follow each other, over one call or several", () => {
  const [first, second] = twoBatches();
  const all = verifyRows([...first.rows, ...second.rows], options);
  assert.deepEqual(ids(all.accepted), ["H-1", "H-2", "H-3", "H-4", "H-5"]);
  assert.deepEqual([all.cursor, all.stop], [second.cursor, undefined]);
  const later = verifyRows(second.rows, { ...options, cursor: first.cursor });
  assert.deepEqual([ids(later.accepted), later.cursor], [["H-4", "H-5"], second.cursor]);
  assert.deepEqual(verifyRows([], options).cursor, chainStart);
});

Deno.test("a batch that does not follow its cursor is not signed", () => {
  assert.throws(() => seal([row(2, "H-2")]), /does not follow/);
  assert.throws(() => seal([row(1, "H-1"), row(1, "H-2")]), /does not follow/);
  assert.throws(() => seal([{ ...row(1, "H-1"), writer: "other" }]), /does not follow/);
});

Deno.test("a changed body is one refused row; the others stand", () => {
  const [first, second] = twoBatches();
  const rows = [...first.rows, ...second.rows];
  rows[1] = { ...rows[1], body: rows[1].body!.with(-1, 1) };
  const { accepted, refused, cursor, stop } = verifyRows(rows, options);
  assert.deepEqual(ids(accepted), ["H-1", "H-3", "H-4", "H-5"]);
  assert.deepEqual(refused, [{ row: rows[1], reason: "altered_row" }]);
  assert.deepEqual([cursor, stop], [second.cursor, undefined]);
});

Deno.test("a body that is gone leaves the chain whole, and is told apart", () => {
  const [first] = twoBatches();
  const rows = first.rows.with(0, { ...first.rows[0], body: null });
  const { accepted, bodiless, cursor } = verifyRows(rows, options);
  assert.deepEqual([ids(accepted), ids(bodiless)], [["H-2", "H-3"], ["H-1"]]);
  assert.deepEqual(cursor, first.cursor);
});

Deno.test("what comes again, is left out, is cut or is another's stops the writer there", () => {
  const [first, second] = twoBatches();
  const rows = [...first.rows, ...second.rows];
  const cases: [string, WireRow[], ChainCursor, string[], object?][] = [
    ["replayed batch", first.rows, first.cursor, [], { reason: "replay", seq: 1 }],
    ["row twice", rows.toSpliced(3, 0, rows[2]), chainStart, ["H-1", "H-2", "H-3"], {
      reason: "replay",
      seq: 3,
    }],
    ["row left out", rows.toSpliced(1, 1), chainStart, [], { reason: "gap", seq: 3 }],
    ["batch left out", second.rows, chainStart, [], { reason: "gap", seq: 4 }],
    ["order changed", [rows[1], rows[0], rows[2]], chainStart, [], { reason: "gap", seq: 2 }],
    ["cut within a batch", rows.slice(0, 4), chainStart, ["H-1", "H-2", "H-3"], {
      reason: "unsigned_end",
      seq: 4,
    }],
    // A server may always say that it knows no more; what is there is still the writer's.
    ["cut at a batch's end", rows.slice(0, 3), chainStart, ["H-1", "H-2", "H-3"], undefined],
    ["cut to nothing", [], chainStart, [], undefined],
  ];
  for (const [name, given, cursor, accepted, stop] of cases) {
    const verified = verifyRows(given, { ...options, cursor });
    assert.deepEqual([ids(verified.accepted), verified.stop], [accepted, stop], name);
    assert.equal(verified.accepted.length + verified.pending.length, given.length, name);
  }
});

Deno.test("rows count for their own writer, space and key only", () => {
  const [{ rows }] = twoBatches();
  const stop = (given: WireRow[], changed: Partial<typeof options>): unknown => {
    const { accepted, stop } = verifyRows(given, { ...options, ...changed });
    return [accepted.length, stop?.reason];
  };
  const other = "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0002";
  assert.deepEqual(stop(rows, { writer: other }), [0, "foreign_row"]);
  const moved = rows.map((row) => ({ ...row, writer: other }));
  assert.deepEqual(stop(moved, { writer: other }), [0, "bad_signature"]);
  assert.deepEqual(stop(rows, { space: "others" }), [0, "bad_signature"]);
  assert.deepEqual(stop(rows, { publicKey: makeSignKey().publicKey }), [0, "bad_signature"]);
  // Space and writer cannot trade characters with each other.
  const shifted = rows.map((row) => ({ ...row, writer: writer.slice(1) }));
  assert.deepEqual(
    stop(shifted, { space: space + writer[0], writer: writer.slice(1) }),
    [0, "bad_signature"],
  );
});

Deno.test("rows pushed again with another content under the same place are not taken", () => {
  const [first] = twoBatches();
  const forged = seal([row(1, "H-1"), row(2, "H-x"), row(3, "H-3")], makeSignKey());
  // The last row with the true signature does not make the others true.
  const rows = [...forged.rows.slice(0, 2), first.rows[2]];
  assert.equal(verifyRows(rows, options).stop?.reason, "bad_signature");
});

Deno.test("any change of any byte of any field of any row is noticed (property)", () => {
  const [first, second] = twoBatches();
  const rows = [...first.rows, ...second.rows];
  const whole = verifyRows(rows, options);
  const fields = ["writer", "seq", "id", "kind", "visibility", "ts", "body", "sig"] as const;
  fc.assert(
    fc.property(
      fc.nat(rows.length - 1),
      fc.constantFrom(...fields),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (at, field, place, change) => {
        const changed = { ...rows[at], [field]: alter(rows[at][field]!, place, change) };
        const verified = verifyRows(rows.with(at, changed as WireRow), options);
        // The batch before the change stands; of the changed row nothing is ever accepted.
        assert.ok(verified.stop || verified.refused.length === 1);
        assert.ok(verified.accepted.every((row) => whole.accepted.includes(row)));
        assert.ok(verified.accepted.length >= (at < 3 ? 0 : 3));
        if (field !== "body") assert.ok(verified.cursor.seq < whole.cursor.seq);
      },
    ),
    { numRuns: 600 },
  );
});

Deno.test("whatever is done to the order, only what the writer wrote is accepted (property)", () => {
  const batches: WireRow[] = [];
  let cursor = chainStart;
  for (let start = 1; start <= 12; start += 3) {
    const sealed = seal([0, 1, 2].map((i) => row(start + i, `H-${start + i}`)), rfcKey, cursor);
    batches.push(...sealed.rows);
    cursor = sealed.cursor;
  }
  fc.assert(
    fc.property(
      fc.array(fc.nat(batches.length - 1), { maxLength: 16 }),
      fc.nat(4),
      (order, lead) => {
        const rows = [...batches.slice(0, lead * 3), ...order.map((i) => batches[i])];
        const { accepted, cursor } = verifyRows(rows, options);
        assert.deepEqual(accepted, batches.slice(0, accepted.length));
        assert.equal(accepted.length % 3, 0);
        assert.equal(cursor.seq, accepted.length);
        assert.ok(accepted.length >= lead * 3);
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("links are the same however rows are cut into batches, long ids or not", () => {
  const rows = [row(1, "H-1"), row(2, "H-" + "語".repeat(700)), row(3, "H-3")];
  const whole = seal(rows);
  let cursor = chainStart;
  for (const single of rows) cursor = seal([single], rfcKey, cursor).cursor;
  assert.deepEqual(cursor, whole.cursor);
  assert.deepEqual(verifyRows(whole.rows, options).cursor, cursor);
});

Deno.test("a signature column of another size is a wrong signature", () => {
  const [{ rows }] = twoBatches();
  for (const size of [0, 31, 33, 95, 97]) {
    const sig = new Uint8Array([...rows[2].sig, 0]).subarray(0, size);
    const { accepted, stop } = verifyRows(rows.with(2, { ...rows[2], sig }), options);
    assert.deepEqual([accepted, stop], [[], { reason: "bad_signature", seq: 3 }]);
  }
});

function twoBatches(): { rows: WireRow[]; cursor: ChainCursor }[] {
  const first = seal([row(1, "H-1"), row(2, "H-2"), row(3, "H-3")]);
  return [first, seal([row(4, "H-4"), row(5, "H-5")], rfcKey, first.cursor)];
}

function seal(
  rows: UnsignedRow[],
  key = rfcKey,
  cursor: ChainCursor = chainStart,
): { rows: WireRow[]; cursor: ChainCursor } {
  return sealBatch(rows, { space, writer, cursor, key });
}

function row(seq: number, id: string): UnsignedRow {
  const payload = new TextEncoder().encode(`{"id":"${id}"}`);
  const body = encodeBody(payload, { space, writer, seq, id });
  const ts = "2026-05-01T07:00:00.000Z";
  return { writer, seq, id, kind: "entry", visibility: "space", ts, body };
}

/** One byte or character becomes another; a number moves. */
function alter(
  value: string | number | Uint8Array,
  place: number,
  change: number,
): string | number | Uint8Array {
  if (typeof value === "number") return value + change;
  if (typeof value !== "string") {
    const at = place % value.length;
    return value.with(at, value[at] ^ change);
  }
  const at = place % value.length;
  const unit = String.fromCharCode(value.charCodeAt(at) ^ (change & 31 || 1));
  return value.slice(0, at) + unit + value.slice(at + 1);
}

function ids(rows: readonly WireRow[]): string[] {
  return rows.map(({ id }) => id);
}
