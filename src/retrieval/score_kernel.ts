// The scoring kernel, assembled from score_kernel.wat.

const binary =
  "AGFzbQEAAAABQwZgDX9/f39/f3x/f39/f38Bf2AEf39/fwBgBX9/f39/AXxgBX9/f3x/AX9gBX9/f31/AX9g" +
  "C39/f399fH9/f39/AX8DBwYAAQIDBAUFAwEAAQc+BwZtZW1vcnkCAAphY2N1bXVsYXRlAAAFY291bnQAAQNu" +
  "dGgAAgdjb2xsZWN0AAMEbmVhcgAEBW1lcmdlAAUKsgkGyQMCDH8BfAJAA0AgACABTw0BIAAhFSACIRZBACEP" +
  "QQAhDgNAIAAtAAAhDSAAQQFqIQAgDyANQf8AcSAOdHIhDyAOQQdqIQ4gDUGAAU8gDkEjSXENAAsgAiAPQQJ2" +
  "aiECIA9BA3EhEEEEIREgEEECTwRAIAAtAAAhESAAQQFqIQALRAAAAAAAAAAAIRlBACESIAdBEGohEwNAIBFB" +
  "AXEEQCATKAIARQRAIAggFTYCACAIIBY2AgQgCCAMNgIIQX8gEmsPC0EBIRQgEARAQQAhFEEAIQ4DQCAALQAA" +
  "IQ0gAEEBaiEAIBQgDUH/AHEgDnRyIRQgDkEHaiEOIA1BgAFPIA5BI0lxDQALCyAZIBMrAwggFLiiIBMrAxAg" +
  "EysDGCATKAIAIAJBAXRqLwEAuKKgo6AhGQsgEkEBaiESIBNBIGohEyARQQF2IREgEQ0ACyAEBEAgBCACai0A" +
  "AA0BCyADIAJqIRcgCiAXQQJ0aigCACEYIBhFBEAgCyAMQQJ0aiAXNgIAIAxBAWohDAsgCiAXQQJ0aiAYIAVy" +
  "NgIAIAkgF0EDdGohFSAVIBUrAwAgBiAZoiAHKwMIoiAHKwMAIBmgo6A5AwAMAAsLIAwLRwECfyAAIAFBAnRq" +
  "IQQCQANAIAAgBE8NASADIAIgACgCAEECdGooAgBBAnRqIQUgBSAFKAIAQQFqNgIAIABBBGohAAwACwsLtAIC" +
  "BH8CfCAAIAFBAnRqIQUCQANAIAAgBU8NASACIAAoAgBBA3RqKwMAIQkgAEEEaiEAIAYgA0kEQCAGIQcgBkEB" +
  "aiEGAkADQCAHRQ0BIAdBAWtBAXYhCCAEIAhBA3RqKwMAIQogCiAJZQ0BIAQgB0EDdGogCjkDACAIIQcMAAsL" +
  "IAQgB0EDdGogCTkDAAwBCyAJIAQrAwBlDQBBACEHAkADQCAHQQF0QQFqIQggCCAGTw0BIAQgCEEDdGorAwAh" +
  "CiAIQQFqIAZJBEAgBCAIQQN0aisDCCAKYwRAIAhBAWohCCAEIAhBA3RqKwMAIQoLCyAJIAplDQEgBCAHQQN0" +
  "aiAKOQMAIAghBwwACwsgBCAHQQN0aiAJOQMADAALCyAGIANJBHxEAAAAAAAA8P8FIAQrAwALC1UBA38gBCEH" +
  "IAAgAUECdGohBQJAA0AgACAFTw0BIAAoAgAhBiAAQQRqIQAgAiAGQQN0aisDACADYw0AIAQgBjYCACAEQQRq" +
  "IQQMAAsLIAQgB2tBAnYLVAECfyAEIQYCQANAIAUgAk8NASABIAVBAnRqKgIAIANgBEAgACAFQQJ0aigCAEUE" +
  "QCAEIAU2AgAgBEEEaiEECwsgBUEBaiEFDAALCyAEIAZrQQJ2C7sBAgV/An0gCiEMAkADQCALIANPDQEgACAL" +
  "QQJ0aigCACENIAEgC0ECdGoqAgAhECAQIARgIQ4gDSAOcgRAIAcgDUEBdCAOckECdGohDyAPIA8oAgBBAWo2" +
  "AgAgDiAGIA1qLQAAcgRAIBEgEJchEQsgCSALQQN0aiACIAtBA3RqKwMAIAVDAAAAACAQl7uioDkDACAKIAs2" +
  "AgAgCkEEaiEKCyALQQFqIQsMAAsLIAggETgCACAKIAxrQQJ2Cw==";

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
