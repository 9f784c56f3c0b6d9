// The scoring kernel, assembled from score_kernel.wat.

const binary =
  "AGFzbQEAAAABQwZgDX9/f39/f3x/f39/f38Bf2AEf39/fwBgBX9/f39/AXxgBX9/f3x/AX9gBX9/f31/AX9g" +
  "C39/f399fH9/f39/AX8DBwYAAQIDBAUFAwEAAQc+BwZtZW1vcnkCAAphY2N1bXVsYXRlAAAFY291bnQAAQNu" +
  "dGgAAgdjb2xsZWN0AAMEbmVhcgAEBW1lcmdlAAUKzgoG5QQCDH8CfCAHKAJQIRgDQCAHKwNYIAcrA2AgBysD" +
  "aCAXuKKgoyEZIAcgF0EDdGogBiAZoiAHKwMIoiAHKwMAIBmgozkDgAIgF0EBaiEXIBdBgAJJDQALAkADQCAA" +
  "IAFPDQEgACEVIAIhFiAALQAAIQ8gAEEBaiEAIA9BgAFPBEAgD0H/AHEhD0EHIQ4DQCAALQAAIQ0gAEEBaiEA" +
  "IA8gDUH/AHEgDnRyIQ8gDkEHaiEOIA1BgAFPIA5BI0lxDQALCyACIA9BAnZqIQIgD0EDcSEQAkAgEEUEQCAY" +
  "IAJBAXRqLwEAIRcgF0GAAkkEQCAHIBdBA3RqKwOAAiEaDAILC0EEIREgEEECTwRAIAAtAAAhESAAQQFqIQAL" +
  "RAAAAAAAAAAAIRlBACESIAdBEGohEwNAIBFBAXEEQCATKAIARQRAIAggFTYCACAIIBY2AgQgCCAMNgIIQX8g" +
  "EmsPC0EBIRQgEARAQQAhFEEAIQ4DQCAALQAAIQ0gAEEBaiEAIBQgDUH/AHEgDnRyIRQgDkEHaiEOIA1BgAFP" +
  "IA5BI0lxDQALCyAZIBMrAwggFLiiIBMrAxAgEysDGCATKAIAIAJBAXRqLwEAuKKgo6AhGQsgEkEBaiESIBNB" +
  "IGohEyARQQF2IREgEQ0ACyAGIBmiIAcrAwiiIAcrAwAgGaCjIRoLIAQEQCAEIAJqLQAADQELIAMgAmohFSAK" +
  "IBVBAnRqIRYgFigCACENIA1FBEAgCyAMQQJ0aiAVNgIAIAxBAWohDAsgFiANIAVyNgIAIAkgFUEDdGohFSAV" +
  "IBUrAwAgGqA5AwAMAAsLIAwLRwECfyAAIAFBAnRqIQQCQANAIAAgBE8NASADIAIgACgCAEECdGooAgBBAnRq" +
  "IQUgBSAFKAIAQQFqNgIAIABBBGohAAwACwsLtAICBH8CfCAAIAFBAnRqIQUCQANAIAAgBU8NASACIAAoAgBB" +
  "A3RqKwMAIQkgAEEEaiEAIAYgA0kEQCAGIQcgBkEBaiEGAkADQCAHRQ0BIAdBAWtBAXYhCCAEIAhBA3RqKwMA" +
  "IQogCiAJZQ0BIAQgB0EDdGogCjkDACAIIQcMAAsLIAQgB0EDdGogCTkDAAwBCyAJIAQrAwBlDQBBACEHAkAD" +
  "QCAHQQF0QQFqIQggCCAGTw0BIAQgCEEDdGorAwAhCiAIQQFqIAZJBEAgBCAIQQN0aisDCCAKYwRAIAhBAWoh" +
  "CCAEIAhBA3RqKwMAIQoLCyAJIAplDQEgBCAHQQN0aiAKOQMAIAghBwwACwsgBCAHQQN0aiAJOQMADAALCyAG" +
  "IANJBHxEAAAAAAAA8P8FIAQrAwALC1UBA38gBCEHIAAgAUECdGohBQJAA0AgACAFTw0BIAAoAgAhBiAAQQRq" +
  "IQAgAiAGQQN0aisDACADYw0AIAQgBjYCACAEQQRqIQQMAAsLIAQgB2tBAnYLVAECfyAEIQYCQANAIAUgAk8N" +
  "ASABIAVBAnRqKgIAIANgBEAgACAFQQJ0aigCAEUEQCAEIAU2AgAgBEEEaiEECwsgBUEBaiEFDAALCyAEIAZr" +
  "QQJ2C7sBAgV/An0gCiEMAkADQCALIANPDQEgACALQQJ0aigCACENIAEgC0ECdGoqAgAhECAQIARgIQ4gDSAO" +
  "cgRAIAcgDUEBdCAOckECdGohDyAPIA8oAgBBAWo2AgAgDiAGIA1qLQAAcgRAIBEgEJchEQsgCSALQQN0aiAC" +
  "IAtBA3RqKwMAIAVDAAAAACAQl7uioDkDACAKIAs2AgAgCkEEaiEKCyALQQFqIQsMAAsLIAggETgCACAKIAxr" +
  "QQJ2Cw==";

/** The kernel's functions; addresses are bytes in its memory. */
export interface ScoreKernel {
  memory: WebAssembly.Memory;
  accumulate(
    list: number,
    end: number,
    row: number,
    base: number,
    dead: number,
    bit: number,
    idf: number,
    model: number,
    resume: number,
    score: number,
    matched: number,
    touched: number,
    count: number,
  ): number;
  count(rows: number, count: number, matched: number, counts: number): void;
  nth(rows: number, count: number, key: number, n: number, heap: number): number;
  collect(rows: number, count: number, key: number, bar: number, out: number): number;
  near(matched: number, cosines: number, size: number, near: number, out: number): number;
  merge(
    matched: number,
    cosines: number,
    score: number,
    size: number,
    near: number,
    worth: number,
    pass: number,
    counts: number,
    best: number,
    key: number,
    out: number,
  ): number;
}

/** Makes an instance. */
export function makeScoreKernel(): ScoreKernel {
  const module = new WebAssembly.Module(scoreKernelBytes());
  return new WebAssembly.Instance(module).exports as unknown as ScoreKernel;
}

/** The module's bytes. */
export function scoreKernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(binary);
}
