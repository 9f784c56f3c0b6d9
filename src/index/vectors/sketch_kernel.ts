// The sketch kernel, assembled from sketch_kernel.wat.

const binary = "AGFzbQEAAAABGgNgBHt7fX0Be2AHf39/f319fwBgBH9/f38AAg8BA2N0eAZtZW1vcnkCAAEDBAMAAQIH" +
  "FgIIZXN0aW1hdGUAAQdsZW5ndGhzAAIKswQDSQAgAf0MAAAAAAAAAAAAAAAAAAAAAP04IAD9+wEgAv0T" +
  "/eYBIAP9E/3lASAB/fsBQwQCgTv9E/3mAUP8/X4//RP95AH95gH9TgviAgICfwd7AkADQCACRQ0B/QwA" +
  "AAAAAAAAAAAAAAAAAAAAIQsgCyEMIAMhCCAAIAFBBHRqIQcDQCAA/QAEACEJIAj9AAQAIAn9DA8PDw8P" +
  "Dw8PDw8PDw8PDw/9Tv0OIAj9AAQQIAlBBP1t/Q79biEKIAsgCv2OASELIAwgCkEI/Y0B/Y4BIQwgCEEg" +
  "aiEIIABBEGohACAAIAdJDQALIAsgDEEI/YsB/ZEBIQ0gDSAM/Q0AARARAgMSEwQFFBUGBxYXIQ4gDSAM" +
  "/Q0ICRgZCgsaGwwNHB0ODx4fIQ8gAP0ABAAhCSAJ/YkBIQ0gCf2KASEMIAYgDv2pASAN/akBIAQgBRAA" +
  "/QsEACAGIA79qgEgDf2qASAEIAUQAP0LBBAgBiAP/akBIAz9qQEgBCAFEAD9CwQgIAYgD/2qASAM/aoB" +
  "IAQgBRAA/QsEMCAAQRBqIQAgBkHAAGohBiACQQFrIQIMAAsLC4IBAgF/AnsCQANAIAJFDQH9DAAAAAAA" +
  "AAAAAAAAAAAAAAAhBSAAIAFqIQQDQCAA/QEDACEGIAUgBiAG/boB/a4BIQUgAEEIaiEAIAAgBEkNAAsg" +
  "AyAF/RsAIAX9GwFqIAX9GwIgBf0bA2pqt5+2OAIAIANBBGohAyACQQFrIQIMAAsLCw==";

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
