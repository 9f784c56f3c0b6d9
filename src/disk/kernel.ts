// The vector kernel, assembled from kernel.wat.

const binary = "AGFzbQEAAAABMQdgAXsBf2AFf39/f38AYAR/f39/AGACf38Bf2ACe38Bf2AEf39/fwF/YAV/f398fwAD" +
  "CAcAAQIDBAUGBQMBAAEHKgUGbWVtb3J5AgADZG90AAEFbGFuZXMAAgVjaGVjawAFB2Nvc2luZXMABgrR" +
  "CAcZACAA/RsAIAD9GwFqIAD9GwIgAP0bA2pqC9ACAgN/BnsgAyEHAkADQCAHQQBMDQH9DAAAAAAAAAAA" +
  "AAAAAAAAAAAhCCAIIQkgCCEKIAghC0EAIQUDQCAAIAVBAXRqIQYgBv0ABAAhDCAG/QAEECENIAEgBWoh" +
  "BiAIIAwgBv0BAwD9ugH9rgEhCCAIIA0gBv0BAwj9ugH9rgEhCCAGIAJqIQYgCSAMIAb9AQMA/boB/a4B" +
  "IQkgCSANIAb9AQMI/boB/a4BIQkgBiACaiEGIAogDCAG/QEDAP26Af2uASEKIAogDSAG/QEDCP26Af2u" +
  "ASEKIAYgAmohBiALIAwgBv0BAwD9ugH9rgEhCyALIA0gBv0BAwj9ugH9rgEhCyAFQRBqIQUgBSACSQ0A" +
  "CyAEIAgQADYCACAEIAkQADYCBCAEIAoQADYCCCAEIAsQADYCDCAEQRBqIQQgASACQQJ0aiEBIAdBBGsh" +
  "BwwACwsLigECAX8BewJAA0AgAkUNAf0MsXk3nnfK64U9rrLCL+vUJyEFQQAhBANAIAUgACAEav0ABAD9" +
  "Uf0MsXk3nrF5N56xeTeesXk3nv21ASEFIAUgBUEP/a0B/VEhBSAEQRBqIQQgBCABSQ0ACyADIAX9CwQA" +
  "IANBEGohAyAAIAFqIQAgAkEBayECDAALCwsYACAAIAFzQfeUr694bCEAIAAgAEENdnMLIAAgASAA/RsA" +
  "EAMgAP0bARADIAD9GwIQAyAA/RsDEAMLxgMDA38EewN/AkADQCAGIAJPDQEgAUEAIAZBAWogAkkbIQsg" +
  "CyABaiALIAZBAmogAkkbIQwgDCABaiAMIAZBA2ogAkkbIQ39DLF5N553yuuFPa6ywi/r1CchByAHIQgg" +
  "ByEJIAchCkEAIQQDQCAAIARqIQUgByAF/QAEAP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQcgCCAFIAtq" +
  "/QAEAP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQggCSAFIAxq/QAEAP1R/QyxeTeesXk3nrF5N56xeTee" +
  "/bUBIQkgCiAFIA1q/QAEAP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQogByAHQQ/9rQH9USEHIAggCEEP" +
  "/a0B/VEhCCAJIAlBD/2tAf1RIQkgCiAKQQ/9rQH9USEKIARBEGohBCAEIAFJDQALIAMgBkECdGohBSAF" +
  "KAIAIAcgARAERw0BIAZBAWohBiAGIAJPDQEgBSgCBCAIIAEQBEcNASAGQQFqIQYgBiACTw0BIAUoAggg" +
  "CSABEARHDQEgBkEBaiEGIAYgAk8NASAFKAIMIAogARAERw0BIAZBAWohBiAAIAFBAnRqIQAMAAsLIAYL" +
  "VQEBfQJAA0AgAkUNASABKgIAIQUgBEMAAAAAIAAoAgC3IAMgBbuio7YgBUMAAAAAWxs4AgAgAEEEaiEA" +
  "IAFBBGohASAEQQRqIQQgAkEBayECDAALCws=";

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
