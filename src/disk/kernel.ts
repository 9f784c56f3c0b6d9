// The vector kernel, assembled from kernel.wat.

const binary = "AGFzbQEAAAABMQdgAXsBf2AFf39/f38AYAR/f39/AGACf38Bf2ACe38Bf2AEf39/fwF/YAV/f398fwAD" +
  "CQgAAQECAwQFBgUDAQABBzYGBm1lbW9yeQIAA2RvdAABCWRvdF9ieXRlcwACBWxhbmVzAAMFY2hlY2sA" +
  "Bgdjb3NpbmVzAAcKxQwIGQAgAP0bACAA/RsBaiAA/RsCIAD9GwNqagvQAgIDfwZ7IAMhBwJAA0AgB0EA" +
  "TA0B/QwAAAAAAAAAAAAAAAAAAAAAIQggCCEJIAghCiAIIQtBACEFA0AgACAFQQF0aiEGIAb9AAQAIQwg" +
  "Bv0ABBAhDSABIAVqIQYgCCAMIAb9AQMA/boB/a4BIQggCCANIAb9AQMI/boB/a4BIQggBiACaiEGIAkg" +
  "DCAG/QEDAP26Af2uASEJIAkgDSAG/QEDCP26Af2uASEJIAYgAmohBiAKIAwgBv0BAwD9ugH9rgEhCiAK" +
  "IA0gBv0BAwj9ugH9rgEhCiAGIAJqIQYgCyAMIAb9AQMA/boB/a4BIQsgCyANIAb9AQMI/boB/a4BIQsg" +
  "BUEQaiEFIAUgAkkNAAsgBCAIEAA2AgAgBCAJEAA2AgQgBCAKEAA2AgggBCALEAA2AgwgBEEQaiEEIAEg" +
  "AkECdGohASAHQQRrIQcMAAsLC7ECAgN/BnsgAyEHAkADQCAHQQBMDQH9DAAAAAAAAAAAAAAAAAAAAAAh" +
  "CCAIIQkgCCEKIAghC0EAIQUDQCAAIAVq/QAEACEMIAEgBWohBiAIIAwgBv0ABAAiDf2cASAMIA39nQH9" +
  "jgH9fv2uASEIIAYgAmohBiAJIAwgBv0ABAAiDf2cASAMIA39nQH9jgH9fv2uASEJIAYgAmohBiAKIAwg" +
  "Bv0ABAAiDf2cASAMIA39nQH9jgH9fv2uASEKIAYgAmohBiALIAwgBv0ABAAiDf2cASAMIA39nQH9jgH9" +
  "fv2uASELIAVBEGohBSAFIAJJDQALIAQgCBAANgIAIAQgCRAANgIEIAQgChAANgIIIAQgCxAANgIMIARB" +
  "EGohBCABIAJBAnRqIQEgB0EEayEHDAALCwuKAQIBfwF7AkADQCACRQ0B/QyxeTeed8rrhT2ussIv69Qn" +
  "IQVBACEEA0AgBSAAIARq/QAEAP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQUgBSAFQQ/9rQH9USEFIARB" +
  "EGohBCAEIAFJDQALIAMgBf0LBAAgA0EQaiEDIAAgAWohACACQQFrIQIMAAsLCxgAIAAgAXNB95Svr3hs" +
  "IQAgACAAQQ12cwsgACABIAD9GwAQBCAA/RsBEAQgAP0bAhAEIAD9GwMQBAuHBQMDfwR7A38CQANAIAYg" +
  "Ak8NASABQQAgBkEBaiACSRshCyALIAFqIAsgBkECaiACSRshDCAMIAFqIAwgBkEDaiACSRshDf0MsXk3" +
  "nnfK64U9rrLCL+vUJyEHIAchCCAHIQkgByEKQQAhBANAIAAgBGohBSAHIAX9AAQA/VH9DLF5N56xeTee" +
  "sXk3nrF5N579tQEhByAIIAUgC2r9AAQA/VH9DLF5N56xeTeesXk3nrF5N579tQEhCCAJIAUgDGr9AAQA" +
  "/VH9DLF5N56xeTeesXk3nrF5N579tQEhCSAKIAUgDWr9AAQA/VH9DLF5N56xeTeesXk3nrF5N579tQEh" +
  "CiAHIAdBD/2tAf1RIQcgCCAIQQ/9rQH9USEIIAkgCUEP/a0B/VEhCSAKIApBD/2tAf1RIQogByAF/QAE" +
  "EP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQcgCCAFIAtq/QAEEP1R/QyxeTeesXk3nrF5N56xeTee/bUB" +
  "IQggCSAFIAxq/QAEEP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQkgCiAFIA1q/QAEEP1R/QyxeTeesXk3" +
  "nrF5N56xeTee/bUBIQogByAHQQ/9rQH9USEHIAggCEEP/a0B/VEhCCAJIAlBD/2tAf1RIQkgCiAKQQ/9" +
  "rQH9USEKIARBIGohBCAEIAFJDQALIAMgBkECdGohBSAFKAIAIAcgARAFRw0BIAZBAWohBiAGIAJPDQEg" +
  "BSgCBCAIIAEQBUcNASAGQQFqIQYgBiACTw0BIAUoAgggCSABEAVHDQEgBkEBaiEGIAYgAk8NASAFKAIM" +
  "IAogARAFRw0BIAZBAWohBiAAIAFBAnRqIQAMAAsLIAYLVQEBfQJAA0AgAkUNASABKgIAIQUgBEMAAAAA" +
  "IAAoAgC3IAMgBbuio7YgBUMAAAAAWxs4AgAgAEEEaiEAIAFBBGohASAEQQRqIQQgAkEBayECDAALCws=";

/** The kernel's functions; addresses are bytes in its memory. */
export interface Kernel {
  memory: WebAssembly.Memory;
  dot(query: number, rows: number, size: number, count: number, out: number): void;
  dot_bytes(query: number, rows: number, size: number, count: number, out: number): void;
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
