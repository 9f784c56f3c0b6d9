// The vector kernel, assembled from kernel.wat.

const binary =
  "AGFzbQEAAAABMQdgAXsBf2AFf39/f38AYAR/f39/AGACf38Bf2ACe38Bf2AEf39/fwF/YAV/f398fwADCAcA" +
  "AQIDBAUGBQMBAAEHKgUGbWVtb3J5AgADZG90AAEFbGFuZXMAAgVjaGVjawAFB2Nvc2luZXMABgrRCAcZACAA" +
  "/RsAIAD9GwFqIAD9GwIgAP0bA2pqC9ACAgN/BnsgAyEHAkADQCAHQQBMDQH9DAAAAAAAAAAAAAAAAAAAAAAh" +
  "CCAIIQkgCCEKIAghC0EAIQUDQCAAIAVBAXRqIQYgBv0ABAAhDCAG/QAEECENIAEgBWohBiAIIAwgBv0BAwD9" +
  "ugH9rgEhCCAIIA0gBv0BAwj9ugH9rgEhCCAGIAJqIQYgCSAMIAb9AQMA/boB/a4BIQkgCSANIAb9AQMI/boB" +
  "/a4BIQkgBiACaiEGIAogDCAG/QEDAP26Af2uASEKIAogDSAG/QEDCP26Af2uASEKIAYgAmohBiALIAwgBv0B" +
  "AwD9ugH9rgEhCyALIA0gBv0BAwj9ugH9rgEhCyAFQRBqIQUgBSACSQ0ACyAEIAgQADYCACAEIAkQADYCBCAE" +
  "IAoQADYCCCAEIAsQADYCDCAEQRBqIQQgASACQQJ0aiEBIAdBBGshBwwACwsLigECAX8BewJAA0AgAkUNAf0M" +
  "sXk3nnfK64U9rrLCL+vUJyEFQQAhBANAIAUgACAEav0ABAD9Uf0MsXk3nrF5N56xeTeesXk3nv21ASEFIAUg" +
  "BUEP/a0B/VEhBSAEQRBqIQQgBCABSQ0ACyADIAX9CwQAIANBEGohAyAAIAFqIQAgAkEBayECDAALCwsYACAA" +
  "IAFzQfeUr694bCEAIAAgAEENdnMLIAAgASAA/RsAEAMgAP0bARADIAD9GwIQAyAA/RsDEAMLxgMDA38EewN/" +
  "AkADQCAGIAJPDQEgAUEAIAZBAWogAkkbIQsgCyABaiALIAZBAmogAkkbIQwgDCABaiAMIAZBA2ogAkkbIQ39" +
  "DLF5N553yuuFPa6ywi/r1CchByAHIQggByEJIAchCkEAIQQDQCAAIARqIQUgByAF/QAEAP1R/QyxeTeesXk3" +
  "nrF5N56xeTee/bUBIQcgCCAFIAtq/QAEAP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQggCSAFIAxq/QAEAP1R" +
  "/QyxeTeesXk3nrF5N56xeTee/bUBIQkgCiAFIA1q/QAEAP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQogByAH" +
  "QQ/9rQH9USEHIAggCEEP/a0B/VEhCCAJIAlBD/2tAf1RIQkgCiAKQQ/9rQH9USEKIARBEGohBCAEIAFJDQAL" +
  "IAMgBkECdGohBSAFKAIAIAcgARAERw0BIAZBAWohBiAGIAJPDQEgBSgCBCAIIAEQBEcNASAGQQFqIQYgBiAC" +
  "Tw0BIAUoAgggCSABEARHDQEgBkEBaiEGIAYgAk8NASAFKAIMIAogARAERw0BIAZBAWohBiAAIAFBAnRqIQAM" +
  "AAsLIAYLVQEBfQJAA0AgAkUNASABKgIAIQUgBEMAAAAAIAAoAgC3IAMgBbuio7YgBUMAAAAAWxs4AgAgAEEE" +
  "aiEAIAFBBGohASAEQQRqIQQgAkEBayECDAALCws=";

/** The kernel's functions; addresses are bytes in its memory. */
export interface Kernel {
  memory: WebAssembly.Memory;
  dot(query: number, rows: number, size: number, count: number, out: number): void;
  lanes(pages: number, size: number, count: number, out: number): void;
  check(pages: number, size: number, count: number, expected: number): number;
  cosines(dots: number, norms: number, count: number, norm: number, out: number): void;
}

/** Compiled once for all instances. */
let compiled: WebAssembly.Module | undefined;

/** Makes an instance with at least some bytes of memory. */
export function makeKernel(memoryBytes: number): Kernel {
  compiled ??= new WebAssembly.Module(kernelBytes());
  const { exports } = new WebAssembly.Instance(compiled);
  const kernel = exports as unknown as Kernel;
  const pages = Math.ceil(memoryBytes / 65_536);
  if (pages > 1) kernel.memory.grow(pages - 1);
  return kernel;
}

/** The module's bytes. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(binary);
}
