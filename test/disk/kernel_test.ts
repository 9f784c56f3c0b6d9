import assert from "node:assert/strict";
import { checksum, foldLanes } from "../../src/core/checksum.ts";
import { kernelBytes, makeKernel } from "../../src/disk/kernel.ts";
import { PagedSource } from "../../src/disk/byte_source.ts";
import { pageChecksums, wholeChecksum } from "../../src/disk/page_checksums.ts";
import { toPagedFile } from "../../src/disk/paged_file.ts";
import type { FileReader } from "../../src/disk/files.ts";
import { makePoolKernel, poolKernelBytes } from "../../src/index/vectors/pool_kernel.ts";
import { makeRandom } from "../../bench/support/generate.ts";

Deno.test("the kernels hold their text, assembled", async () => {
  const { default: makeWabt } = await import("wabt");
  const wabt = await makeWabt();
  const kernels = {
    "disk/kernel.wat": kernelBytes(),
    "index/vectors/pool_kernel.wat": poolKernelBytes(),
  };
  for (const [name, bytes] of Object.entries(kernels)) {
    const text = Deno.readTextFileSync(new URL(`../../src/${name}`, import.meta.url));
    const { buffer } = wabt.parseWat(name, text, { simd: true }).toBinary({});
    assert.deepEqual(bytes, new Uint8Array(buffer), name);
  }
});

Deno.test("the embedding kernel adds up rows as plain code does, to the last bit", () => {
  const random = makeRandom(11);
  const kernel = makePoolKernel(1 << 17);
  const rows = new Int8Array(kernel.memory.buffer, 65_536, 48 * 9);
  for (let i = 0; i < rows.length; i++) rows[i] = Math.floor(random() * 256) - 128;
  const addresses = new Uint32Array(kernel.memory.buffer, 0, 10);
  const factors = new Float32Array(kernel.memory.buffer, 0, 10);
  const sum = new Float32Array(48);
  for (const [i, row] of [3, 0, 8, 3, 7].entries()) {
    addresses[i * 2] = 65_536 + row * 48;
    factors[i * 2 + 1] = random() - 0.5;
    for (let column = 0; column < 48; column++) {
      sum[column] += Math.fround(factors[i * 2 + 1] * rows[row * 48 + column]);
    }
  }
  kernel.pool(0, 5, 48, 4096);
  assert.deepEqual(new Float32Array(kernel.memory.buffer, 4096, 48), sum);
  kernel.pool(0, 0, 48, 4096);
  assert.deepEqual(new Float32Array(kernel.memory.buffer, 4096, 48), new Float32Array(48));
});

Deno.test("the kernel multiplies as plain code does", () => {
  const random = makeRandom(3);
  const kernel = makeKernel(1 << 17);
  const query = new Int16Array(kernel.memory.buffer, 0, 256);
  const rows = new Int8Array(kernel.memory.buffer, 512, 256 * 9);
  const bytes = new Int8Array(kernel.memory.buffer, 4096, 256);
  for (let i = 0; i < 256; i++) bytes[i] = query[i] = Math.floor(random() * 255) - 127;
  for (let i = 0; i < rows.length; i++) rows[i] = Math.floor(random() * 255) - 127;
  // The greatest sums that there are, and the least.
  for (const values of [query, bytes, rows]) values.fill(127, 0, 64);
  rows.fill(-127, 256, 320);
  for (const count of [1, 4, 9]) {
    for (const [name, from] of [["dot", 0], ["dot_bytes", 4096]] as const) {
      kernel[name](from, 512, 256, count, 65_536);
      const found = new Int32Array(kernel.memory.buffer, 65_536, count);
      for (let row = 0; row < count; row++) {
        let sum = 0;
        for (let i = 0; i < 256; i++) sum += query[i] * rows[256 * row + i];
        assert.equal(found[row], sum, name);
      }
    }
  }
});

Deno.test("the kernel's checksum is the checksum", () => {
  const random = makeRandom(5);
  const kernel = makeKernel(1 << 17);
  const pages = new Uint8Array(kernel.memory.buffer, 0, 8192);
  for (let i = 0; i < pages.length; i++) pages[i] = random() * 256;
  kernel.lanes(0, 4096, 2, 65_536);
  const lanes = new Int32Array(kernel.memory.buffer, 65_536, 8);
  for (const page of [0, 1]) {
    const [a, b, c, d] = lanes.subarray(page * 4, page * 4 + 4);
    const bytes = pages.slice(page * 4096, (page + 1) * 4096);
    assert.equal(foldLanes(a, b, c, d, 4096), checksum(bytes));
  }
});

Deno.test("checksums of tables of any length are the same with the kernel", () => {
  const random = makeRandom(7);
  for (const length of [0, 1, 15, 16, 17, 40, 4096, 18_020, 300_000]) {
    const bytes = Uint8Array.from({ length }, () => random() * 256);
    assert.equal(wholeChecksum(bytes), checksum(bytes), String(length));
  }
  const pages = Uint8Array.from({ length: 4096 * 130 }, () => random() * 256);
  const expected = Array.from(
    { length: 130 },
    (_, page) => checksum(pages.slice(page * 4096, (page + 1) * 4096)),
  );
  assert.deepEqual(pageChecksums(pages, 4096), expected);
});

Deno.test("bytes are read as they are in the file, and a changed page is found wherever it is", () => {
  const random = makeRandom(9);
  for (const count of [1, 2, 3, 5, 64, 65, 130]) {
    const body = Uint8Array.from({ length: 4096 * count }, () => random() * 256);
    const { bytes, checksum } = toPagedFile([body]);
    const open = (): PagedSource =>
      new PagedSource(memoryFile(bytes), { label: "x", bytes: bytes.length, checksum });
    for (let i = 0; i < 20; i++) {
      const from = Math.floor(random() * body.length);
      const length = Math.floor(random() * (body.length - from + 1));
      assert.deepEqual(open().read(from, length), body.slice(from, from + length));
    }
    for (const bad of [0, count >> 1, count - 1]) {
      bytes[bad * 4096 + 77] ^= 4;
      const damaged = { name: "IndexDamage", message: `x is damaged at byte ${bad * 4096}` };
      assert.throws(() => open().read(0, body.length), damaged);
      assert.throws(() => open().verify(), damaged);
      bytes[bad * 4096 + 77] ^= 4;
    }
    open().verify();
  }
});

function memoryFile(bytes: Uint8Array): FileReader {
  return {
    size: bytes.length,
    isCurrent: () => true,
    readAt(offset, into) {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
    [Symbol.dispose]() {},
  };
}

Deno.test("the kernel makes cosines as plain code does", () => {
  const random = makeRandom(13);
  const kernel = makeKernel(1 << 17);
  const dots = new Int32Array(kernel.memory.buffer, 0, 100).map(() => random() * 2e6 - 1e6);
  const norms = new Float32Array(100).map((_, i) => i % 9 === 0 ? 0 : random() * 2000);
  new Int32Array(kernel.memory.buffer, 0, 100).set(dots);
  new Float32Array(kernel.memory.buffer, 4096, 100).set(norms);
  kernel.cosines(0, 4096, 100, 1234.5678, 8192);
  assert.deepEqual(
    new Float32Array(kernel.memory.buffer, 8192, 100),
    new Float32Array(100).map((_, i) => norms[i] === 0 ? 0 : dots[i] / (1234.5678 * norms[i])),
  );
});
