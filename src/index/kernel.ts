// The vector kernel, assembled from kernel.wat.
// Loaded only when vectors are searched or written.

const binary =
  "AGFzbQEAAAABLAZgBX9/f39/AGAEf39/fwBgAn9/AX9gAnt/AX9gBH9/f38Bf2AFf39/fH8AAwcGAAECAwQF" +
  "BQMBAAEHKgUGbWVtb3J5AgADZG90AAAFbGFuZXMAAQVjaGVjawAEB2Nvc2luZXMABQqKBwajAQIBfwN7AkAD" +
  "QCADRQ0B/QwAAAAAAAAAAAAAAAAAAAAAIQZBACEFA0AgACAFav0ABAAhByABIAVq/QAEACEIIAYgByAI/ZwB" +
  "/X79rgEhBiAGIAcgCP2dAf1+/a4BIQYgBUEQaiEFIAUgAkkNAAsgBCAG/RsAIAb9GwFqIAb9GwIgBv0bA2pq" +
  "NgIAIARBBGohBCABIAJqIQEgA0EBayEDDAALCwuKAQIBfwF7AkADQCACRQ0B/QyxeTeed8rrhT2ussIv69Qn" +
  "IQVBACEEA0AgBSAAIARq/QAEAP1R/QyxeTeesXk3nrF5N56xeTee/bUBIQUgBSAFQQ/9rQH9USEFIARBEGoh" +
  "BCAEIAFJDQALIAMgBf0LBAAgA0EQaiEDIAAgAWohACACQQFrIQIMAAsLCxgAIAAgAXNB95Svr3hsIQAgACAA" +
  "QQ12cwsgACABIAD9GwAQAiAA/RsBEAIgAP0bAhACIAD9GwMQAgvGAwMDfwR7A38CQANAIAYgAk8NASABQQAg" +
  "BkEBaiACSRshCyALIAFqIAsgBkECaiACSRshDCAMIAFqIAwgBkEDaiACSRshDf0MsXk3nnfK64U9rrLCL+vU" +
  "JyEHIAchCCAHIQkgByEKQQAhBANAIAAgBGohBSAHIAX9AAQA/VH9DLF5N56xeTeesXk3nrF5N579tQEhByAI" +
  "IAUgC2r9AAQA/VH9DLF5N56xeTeesXk3nrF5N579tQEhCCAJIAUgDGr9AAQA/VH9DLF5N56xeTeesXk3nrF5" +
  "N579tQEhCSAKIAUgDWr9AAQA/VH9DLF5N56xeTeesXk3nrF5N579tQEhCiAHIAdBD/2tAf1RIQcgCCAIQQ/9" +
  "rQH9USEIIAkgCUEP/a0B/VEhCSAKIApBD/2tAf1RIQogBEEQaiEEIAQgAUkNAAsgAyAGQQJ0aiEFIAUoAgAg" +
  "ByABEANHDQEgBkEBaiEGIAYgAk8NASAFKAIEIAggARADRw0BIAZBAWohBiAGIAJPDQEgBSgCCCAJIAEQA0cN" +
  "ASAGQQFqIQYgBiACTw0BIAUoAgwgCiABEANHDQEgBkEBaiEGIAAgAUECdGohAAwACwsgBgtVAQF9AkADQCAC" +
  "RQ0BIAEqAgAhBSAEQwAAAAAgACgCALcgAyAFu6KjtiAFQwAAAABbGzgCACAAQQRqIQAgAUEEaiEBIARBBGoh" +
  "BCACQQFrIQIMAAsLCw==";

/** The kernel's functions; addresses are bytes in its memory. */
export interface Kernel {
  memory: WebAssembly.Memory;
  dot(query: number, rows: number, size: number, count: number, out: number): void;
  lanes(pages: number, size: number, count: number, out: number): void;
  check(pages: number, size: number, count: number, expected: number): number;
  cosines(dots: number, norms: number, count: number, norm: number, out: number): void;
}

/** Makes an instance with at least some bytes of memory. */
export function makeKernel(memoryBytes: number): Kernel {
  const module = new WebAssembly.Module(kernelBytes());
  const { exports } = new WebAssembly.Instance(module);
  const kernel = exports as unknown as Kernel;
  const pages = Math.ceil(memoryBytes / 65_536);
  if (pages > 1) kernel.memory.grow(pages - 1);
  return kernel;
}

/** The module's bytes. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(binary);
}
