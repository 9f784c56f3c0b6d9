// The embedding kernel, assembled from pool_kernel.wat. Apart from the vector kernel, because every search loads that one.

const binary = "AGFzbQEAAAABCAFgBH9/f38AAwIBAAUDAQABBxECBm1lbW9yeQIABHBvb2wAAAqoBgGlBgIFfwt7IAAg" +
  "AUEDdGohBiAAIQUCQANAIAUgBk8NASAFKAIAIQdBACEEA0AgCCAHIARqKAIAaiEIIARBwABqIQQgBCAC" +
  "SQ0ACyAFQQhqIQUMAAsLIAMgCDYCAEEAIQQCQANAIAQgAk8NAf0MAAAAAAAAAAAAAAAAAAAAACEM/QwA" +
  "AAAAAAAAAAAAAAAAAAAAIQ39DAAAAAAAAAAAAAAAAAAAAAAhDv0MAAAAAAAAAAAAAAAAAAAAACEP/QwA" +
  "AAAAAAAAAAAAAAAAAAAAIRD9DAAAAAAAAAAAAAAAAAAAAAAhEf0MAAAAAAAAAAAAAAAAAAAAACES/QwA" +
  "AAAAAAAAAAAAAAAAAAAAIRMCQCAEQSBqIAJLDQAgACEFAkADQCAFIAZPDQEgBSgCACAEaiEHIAX9CQIE" +
  "IQsgB/0ABAAhCSAJ/YcBIQogDCALIAr9pwH9+gH95gH95AEhDCANIAsgCv2oAf36Af3mAf3kASENIAn9" +
  "iAEhCiAOIAsgCv2nAf36Af3mAf3kASEOIA8gCyAK/agB/foB/eYB/eQBIQ8gB/0ABBAhCSAJ/YcBIQog" +
  "ECALIAr9pwH9+gH95gH95AEhECARIAsgCv2oAf36Af3mAf3kASERIAn9iAEhCiASIAsgCv2nAf36Af3m" +
  "Af3kASESIBMgCyAK/agB/foB/eYB/eQBIRMgBUEIaiEFDAALCyADIAz9CwQAIAMgDf0LBBAgAyAO/QsE" +
  "ICADIA/9CwQwIAMgEP0LBEAgAyAR/QsEUCADIBL9CwRgIAMgE/0LBHAgA0GAAWohAyAEQSBqIQQMAQsg" +
  "ACEFAkADQCAFIAZPDQEgBSgCACAEaiEHIAX9CQIEIQsgB/0ABAAhCSAJ/YcBIQogDCALIAr9pwH9+gH9" +
  "5gH95AEhDCANIAsgCv2oAf36Af3mAf3kASENIAn9iAEhCiAOIAsgCv2nAf36Af3mAf3kASEOIA8gCyAK" +
  "/agB/foB/eYB/eQBIQ8gBUEIaiEFDAALCyADIAz9CwQAIAMgDf0LBBAgAyAO/QsEICADIA/9CwQwIANB" +
  "wABqIQMgBEEQaiEEDAALCws=";

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
