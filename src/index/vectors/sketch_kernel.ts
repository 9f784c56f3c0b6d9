// The sketch kernel, assembled from sketch_kernel.wat.

const binary = "AGFzbQEAAAABGgNgBHt7fX0Be2AHf39/f319fwBgBH9/f38AAg8BA2N0eAZtZW1vcnkCAAEDBQQAAQIC" +
  "Bx8DCGVzdGltYXRlAAEGZ2F0aGVyAAIHbGVuZ3RocwADCowFBEkAIAH9DAAAAAAAAAAAAAAAAAAAAAD9" +
  "OCAA/fsBIAL9E/3mASAD/RP95QEgAf37AUMEAoE7/RP95gFD/P1+P/0T/eQB/eYB/U4L4gICAn8HewJA" +
  "A0AgAkUNAf0MAAAAAAAAAAAAAAAAAAAAACELIAshDCADIQggACABQQR0aiEHA0AgAP0ABAAhCSAI/QAE" +
  "ACAJ/QwPDw8PDw8PDw8PDw8PDw8P/U79DiAI/QAEECAJQQT9bf0O/W4hCiALIAr9jgEhCyAMIApBCP2N" +
  "Af2OASEMIAhBIGohCCAAQRBqIQAgACAHSQ0ACyALIAxBCP2LAf2RASENIA0gDP0NAAEQEQIDEhMEBRQV" +
  "BgcWFyEOIA0gDP0NCAkYGQoLGhsMDRwdDg8eHyEPIAD9AAQAIQkgCf2JASENIAn9igEhDCAGIA79qQEg" +
  "Df2pASAEIAUQAP0LBAAgBiAO/aoBIA39qgEgBCAFEAD9CwQQIAYgD/2pASAM/akBIAQgBRAA/QsEICAG" +
  "IA/9qgEgDP2qASAEIAUQAP0LBDAgAEEQaiEAIAZBwABqIQYgAkEBayECDAALCwtYAQN/IAAhBAJAA0Ag" +
  "A0UNASAAIAEoAgBqIQYgBiACaiEFA0AgBCAG/QAEAP0LBAAgBEEQaiEEIAZBEGohBiAGIAVJDQALIAFB" +
  "BGohASADQQFrIQMMAAsLC4IBAgF/AnsCQANAIAJFDQH9DAAAAAAAAAAAAAAAAAAAAAAhBSAAIAFqIQQD" +
  "QCAA/QEDACEGIAUgBiAG/boB/a4BIQUgAEEIaiEAIAAgBEkNAAsgAyAF/RsAIAX9GwFqIAX9GwIgBf0b" +
  "A2pqt5+2OAIAIANBBGohAyACQQFrIQIMAAsLCw==";

/** The kernel's functions; addresses are bytes in the memory that it was given. */
export interface SketchKernel {
  estimate(
    groups: number,
    columns: number,
    count: number,
    tables: number,
    step: number,
    offset: number,
    out: number,
  ): void;
  gather(block: number, from: number, size: number, count: number): void;
  lengths(rows: number, size: number, count: number, out: number): void;
}

/** Makes an instance over the memory of another kernel. */
export function makeSketchKernel(memory: WebAssembly.Memory): SketchKernel {
  const module = new WebAssembly.Module(sketchKernelBytes());
  const { exports } = new WebAssembly.Instance(module, { ctx: { memory } });
  return exports as unknown as SketchKernel;
}

/** The module's bytes. */
export function sketchKernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(binary);
}
