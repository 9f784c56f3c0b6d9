// The embedding kernel, assembled from pool_kernel.wat. Apart from the vector kernel, because every search loads that one.

const binary = "AGFzbQEAAAABCAFgBH9/f38AAwIBAAUDAQABBxECBm1lbW9yeQIABHBvb2wAAArZBQHWBQIEfwt7IAAg" +
  "AUEDdGohBgJAA0AgBCACTw0B/QwAAAAAAAAAAAAAAAAAAAAAIQv9DAAAAAAAAAAAAAAAAAAAAAAhDP0M" +
  "AAAAAAAAAAAAAAAAAAAAACEN/QwAAAAAAAAAAAAAAAAAAAAAIQ79DAAAAAAAAAAAAAAAAAAAAAAhD/0M" +
  "AAAAAAAAAAAAAAAAAAAAACEQ/QwAAAAAAAAAAAAAAAAAAAAAIRH9DAAAAAAAAAAAAAAAAAAAAAAhEgJA" +
  "IARBIGogAksNACAAIQUCQANAIAUgBk8NASAFKAIAIARqIQcgBf0JAgQhCiAH/QAEACEIIAj9hwEhCSAL" +
  "IAogCf2nAf36Af3mAf3kASELIAwgCiAJ/agB/foB/eYB/eQBIQwgCP2IASEJIA0gCiAJ/acB/foB/eYB" +
  "/eQBIQ0gDiAKIAn9qAH9+gH95gH95AEhDiAH/QAEECEIIAj9hwEhCSAPIAogCf2nAf36Af3mAf3kASEP" +
  "IBAgCiAJ/agB/foB/eYB/eQBIRAgCP2IASEJIBEgCiAJ/acB/foB/eYB/eQBIREgEiAKIAn9qAH9+gH9" +
  "5gH95AEhEiAFQQhqIQUMAAsLIAMgC/0LBAAgAyAM/QsEECADIA39CwQgIAMgDv0LBDAgAyAP/QsEQCAD" +
  "IBD9CwRQIAMgEf0LBGAgAyAS/QsEcCADQYABaiEDIARBIGohBAwBCyAAIQUCQANAIAUgBk8NASAFKAIA" +
  "IARqIQcgBf0JAgQhCiAH/QAEACEIIAj9hwEhCSALIAogCf2nAf36Af3mAf3kASELIAwgCiAJ/agB/foB" +
  "/eYB/eQBIQwgCP2IASEJIA0gCiAJ/acB/foB/eYB/eQBIQ0gDiAKIAn9qAH9+gH95gH95AEhDiAFQQhq" +
  "IQUMAAsLIAMgC/0LBAAgAyAM/QsEECADIA39CwQgIAMgDv0LBDAgA0HAAGohAyAEQRBqIQQMAAsLCw==";

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
