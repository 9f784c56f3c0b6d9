// The vector kernel, assembled from kernel.wat.
// Loaded only when vectors are searched or written.

const binary = "AGFzbQEAAAABEAJgBX9/f39/AGAEf39/fwADAwIAAQUDAQABBxgDBm1lbW9yeQIAA2RvdAAABWxhbmVz" +
  "AAEKsgICowECAX8DewJAA0AgA0UNAf0MAAAAAAAAAAAAAAAAAAAAACEGQQAhBQNAIAAgBWr9AAQAIQcg" +
  "ASAFav0ABAAhCCAGIAcgCP2cAf1+/a4BIQYgBiAHIAj9nQH9fv2uASEGIAVBEGohBSAFIAJJDQALIAQg" +
  "Bv0bACAG/RsBaiAG/RsCIAb9GwNqajYCACAEQQRqIQQgASACaiEBIANBAWshAwwACwsLigECAX8BewJA" +
  "A0AgAkUNAf0MsXk3nnfK64U9rrLCL+vUJyEFQQAhBANAIAUgACAEav0ABAD9Uf0MsXk3nrF5N56xeTee" +
  "sXk3nv21ASEFIAUgBUEP/a0B/VEhBSAEQRBqIQQgBCABSQ0ACyADIAX9CwQAIANBEGohAyAAIAFqIQAg" +
  "AkEBayECDAALCws=";

/** The kernel's functions; addresses are bytes in its memory. */
export interface Kernel {
  memory: WebAssembly.Memory;
  dot(query: number, rows: number, size: number, count: number, out: number): void;
  lanes(pages: number, size: number, count: number, out: number): void;
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
