// The scoring kernel, assembled from score_kernel.wat.

const binary = "AGFzbQEAAAABXghgDX9/f39/f3x/f39/f38Bf2AEf39/fwBgCH9/f39/fHx8AGAIf39/f39/f38BfGAI" +
  "f39/f39/fH8Bf2AFf39/fX8Bf2AGf39/f39/AGANf39/f39/f318f39/fwADCwoAAQIBAwQFBgEHBQMB" +
  "AAEHYQsGbWVtb3J5AgAKYWNjdW11bGF0ZQAABWNvdW50AAEGbG9vc2VuAAIGbWF4aW1hAAMDbnRoAAQH" +
  "Y29sbGVjdAAFBG5lYXIABgV3ZWlnaAAHB3NpbWlsYXIACARmdXNlAAkKvA8K5QQCDH8CfCAHKAJQIRgD" +
  "QCAHKwNYIAcrA2AgBysDaCAXuKKgoyEZIAcgF0EDdGogBiAZoiAHKwMIoiAHKwMAIBmgozkDgAIgF0EB" +
  "aiEXIBdBgAJJDQALAkADQCAAIAFPDQEgACEVIAIhFiAALQAAIQ8gAEEBaiEAIA9BgAFPBEAgD0H/AHEh" +
  "D0EHIQ4DQCAALQAAIQ0gAEEBaiEAIA8gDUH/AHEgDnRyIQ8gDkEHaiEOIA1BgAFPIA5BI0lxDQALCyAC" +
  "IA9BAnZqIQIgD0EDcSEQAkAgEEUEQCAYIAJBAXRqLwEAIRcgF0GAAkkEQCAHIBdBA3RqKwOAAiEaDAIL" +
  "C0EEIREgEEECTwRAIAAtAAAhESAAQQFqIQALRAAAAAAAAAAAIRlBACESIAdBEGohEwNAIBFBAXEEQCAT" +
  "KAIARQRAIAggFTYCACAIIBY2AgQgCCAMNgIIQX8gEmsPC0EBIRQgEARAQQAhFEEAIQ4DQCAALQAAIQ0g" +
  "AEEBaiEAIBQgDUH/AHEgDnRyIRQgDkEHaiEOIA1BgAFPIA5BI0lxDQALCyAZIBMrAwggFLiiIBMrAxAg" +
  "EysDGCATKAIAIAJBAXRqLwEAuKKgo6AhGQsgEkEBaiESIBNBIGohEyARQQF2IREgEQ0ACyAGIBmiIAcr" +
  "AwiiIAcrAwAgGaCjIRoLIAQEQCAEIAJqLQAADQELIAMgAmohFSAKIBVBAnRqIRYgFigCACENIA1FBEAg" +
  "CyAMQQJ0aiAVNgIAIAxBAWohDAsgFiANIAVyNgIAIAkgFUEDdGohFSAVIBUrAwAgGqA5AwAMAAsLIAwL" +
  "RwECfyAAIAFBAnRqIQQCQANAIAAgBE8NASADIAIgACgCAEECdGooAgBBAnRqIQUgBSAFKAIAQQFqNgIA" +
  "IABBBGohAAwACwsLeQECfyAAIAJBAXRqIQgCQANAIAAgCE8NASABLwEAIANxBEAgAC8BACEJIAAgCUGA" +
  "BEkEfyAEIAlBAXRqLwEABUQAAAAAAAAAAEQAAAAAAADgPyAGIAUgCbigoiAHoaCcpasLOwEACyAAQQJq" +
  "IQAgAUECaiEBDAALCwtwAgJ/AXwgACABQQJ0aiEEAkADQCAAIARPDQEgAEGAAmohBSAFIARLBEAgBCEF" +
  "C0QAAAAAAADw/yEGA0AgBiACIAAoAgBBA3RqKwMApSEGIABBBGohACAAIAVJDQALIAMgBjkDACADQQhq" +
  "IQMMAAsLC4UDAgZ/AnwgACABQQJ0aiEIAkADQCAAIAhPDQEgACAJTwRAIAMrAwAhDiADQQhqIQMgAEGA" +
  "AmohCSAKIAZGBEAgDiAHKwMAZQRAIAkhAAwDCwsLIAAoAgAhDSAAQQRqIQAgBQRAIAUgBCANQQF0ai8B" +
  "AHFFDQELIAIgDUEDdGorAwAhDiAKIAZJBEAgCiELIApBAWohCgJAA0AgC0UNASALQQFrQQF2IQwgByAM" +
  "QQN0aisDACEPIA8gDmUNASAHIAtBA3RqIA85AwAgDCELDAALCyAHIAtBA3RqIA45AwAMAQsgDiAHKwMA" +
  "ZQ0AQQAhCwJAA0AgC0EBdEEBaiEMIAwgCk8NASAHIAxBA3RqKwMAIQ8gDEEBaiAKSQRAIAcgDEEDdGor" +
  "AwggD2MEQCAMQQFqIQwgByAMQQN0aisDACEPCwsgDiAPZQ0BIAcgC0EDdGogDzkDACAMIQsMAAsLIAcg" +
  "C0EDdGogDjkDAAwACwsgCiAGSQR8RAAAAAAAAPD/BSAHKwMACwuZAQIEfwF8IAchCyAAIAFBAnRqIQgC" +
  "QANAIAAgCE8NASAAIAlPBEAgAysDACEMIANBCGohAyAAQYACaiEJIAwgBmMEQCAJIQAMAgsLIAAoAgAh" +
  "CiAAQQRqIQAgBQRAIAUgBCAKQQF0ai8BAHFFDQELIAIgCkEDdGorAwAgBmMNACAHIAo2AgAgB0EEaiEH" +
  "DAALCyAHIAtrQQJ2C5sBAgN/AXsgBCEGIAP9EyEIAkADQCAFIAJPDQEgAf0ABAAgCP1GIAD9AAQA/QwA" +
  "AAAAAAAAAAAAAAAAAAAA/Tj9T/2kASEHIAFBEGohASAAQRBqIQACQANAIAdFDQEgBCAFIAdoajYCACAE" +
  "KAIAIAJJBEAgBEEEaiEECyAHIAdBAWtxIQcMAAsLIAVBBGohBQwACwsgBCAGa0ECdgtWAQJ/IAAgAUEC" +
  "dGohBwJAA0AgACAHTw0BIAAoAgAhBiAAQQRqIQAgBSAGQQN0aiACIAZBA3RqKwMAIAQgAyAGQQF0ai8B" +
  "AEEDdGorAwCiOQMADAALCwtCAQJ/IAAgAUECdGohBQJAA0AgACAFTw0BIAAoAgAhBCAAQQRqIQAgAyAE" +
  "QQN0aiACIARBAnRqKgIAuzkDAAwACwsLxgEDAXwFfwJ9IAAgAUECdGohDwJAA0AgACAPTw0BIAAoAgAh" +
  "DiAAQQRqIQAgAiAOQQJ0aigCACEQIAMgDkECdGoqAgAhEyATIAdgIREgCiAQQQF0IBFyQQJ0aiESIBIg" +
  "EigCAEEBajYCACARIAkgEGotAAByBEAgFCATlyEUCyAGIAUgDkEBdGovAQBBA3RqKwMAIQ0gDkEDdCEO" +
  "IAwgDmogDSAEIA5qKwMAIAhDAAAAACATl7uioKI5AwAMAAsLIAsgFDgCAAs=";

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
  loosen(
    lengths: number,
    flags: number,
    rows: number,
    mask: number,
    table: number,
    raise: number,
    scale: number,
    lower: number,
  ): void;
  maxima(rows: number, count: number, key: number, maxima: number): void;
  nth(
    rows: number,
    count: number,
    key: number,
    maxima: number,
    flags: number,
    mask: number,
    n: number,
    heap: number,
  ): number;
  collect(
    rows: number,
    count: number,
    key: number,
    maxima: number,
    flags: number,
    mask: number,
    bar: number,
    out: number,
  ): number;
  similar(rows: number, count: number, cosines: number, key: number): void;
  near(matched: number, cosines: number, size: number, near: number, out: number): number;
  weigh(
    rows: number,
    count: number,
    score: number,
    flags: number,
    factors: number,
    key: number,
  ): void;
  fuse(
    rows: number,
    count: number,
    matched: number,
    cosines: number,
    score: number,
    flags: number,
    factors: number,
    near: number,
    worth: number,
    pass: number,
    counts: number,
    best: number,
    key: number,
  ): void;
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
