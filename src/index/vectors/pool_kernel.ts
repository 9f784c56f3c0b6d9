// The embedding kernel, assembled from pool_kernel.wat. Apart from the vector kernel, because every search loads that one.

const binary = "AGFzbQEAAAABCAFgBH9/f38AAwIBAAUDAQABBxECBm1lbW9yeQIABHBvb2wAAAqqAgGnAgIDfwd7IAAg" +
  "AUEDdGohBgNA/QwAAAAAAAAAAAAAAAAAAAAAIQr9DAAAAAAAAAAAAAAAAAAAAAAhC/0MAAAAAAAAAAAA" +
  "AAAAAAAAACEM/QwAAAAAAAAAAAAAAAAAAAAAIQ0gACEFAkADQCAFIAZPDQEgBSgCACAEav0ABAAhByAF" +
  "/QkCBCEJIAf9hwEhCCAKIAkgCP2nAf36Af3mAf3kASEKIAsgCSAI/agB/foB/eYB/eQBIQsgB/2IASEI" +
  "IAwgCSAI/acB/foB/eYB/eQBIQwgDSAJIAj9qAH9+gH95gH95AEhDSAFQQhqIQUMAAsLIAMgCv0LBAAg" +
  "AyAL/QsEECADIAz9CwQgIAMgDf0LBDAgA0HAAGohAyAEQRBqIQQgBCACSQ0ACws=";

/** The kernel's functions; addresses are bytes in its memory. */
export interface PoolKernel {
  memory: WebAssembly.Memory;
  pool(list: number, count: number, size: number, out: number): void;
}

/** Makes an instance with at least some bytes of memory. */
export function makePoolKernel(memoryBytes: number): PoolKernel {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(poolKernelBytes()));
  const kernel = exports as unknown as PoolKernel;
  kernel.memory.grow(Math.ceil(memoryBytes / 65_536));
  return kernel;
}

/** The module's bytes. */
export function poolKernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(binary);
}
