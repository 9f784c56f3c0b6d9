// The scoring kernel, assembled from score_kernel.wat.

const binary = "AGFzbQEAAAABXghgDX9/f39/f3x/f39/f38Bf2AEf39/fwBgCH9/f39/fHx8AGAIf39/f39/f38BfGAI" +
  "f39/f39/fH8Bf2AFf39/fX8Bf2AGf39/f39/AGANf39/f39/f318f39/fwADCgkAAQIBAwQFBgcFAwEA" +
  "AQdXCgZtZW1vcnkCAAphY2N1bXVsYXRlAAAFY291bnQAAQZsb29zZW4AAgZtYXhpbWEAAwNudGgABAdj" +
  "b2xsZWN0AAUEbmVhcgAGBXdlaWdoAAcEZnVzZQAICvkOCeUEAgx/AnwgBygCUCEYA0AgBysDWCAHKwNg" +
  "IAcrA2ggF7iioKMhGSAHIBdBA3RqIAYgGaIgBysDCKIgBysDACAZoKM5A4ACIBdBAWohFyAXQYACSQ0A" +
  "CwJAA0AgACABTw0BIAAhFSACIRYgAC0AACEPIABBAWohACAPQYABTwRAIA9B/wBxIQ9BByEOA0AgAC0A" +
  "ACENIABBAWohACAPIA1B/wBxIA50ciEPIA5BB2ohDiANQYABTyAOQSNJcQ0ACwsgAiAPQQJ2aiECIA9B" +
  "A3EhEAJAIBBFBEAgGCACQQF0ai8BACEXIBdBgAJJBEAgByAXQQN0aisDgAIhGgwCCwtBBCERIBBBAk8E" +
  "QCAALQAAIREgAEEBaiEAC0QAAAAAAAAAACEZQQAhEiAHQRBqIRMDQCARQQFxBEAgEygCAEUEQCAIIBU2" +
  "AgAgCCAWNgIEIAggDDYCCEF/IBJrDwtBASEUIBAEQEEAIRRBACEOA0AgAC0AACENIABBAWohACAUIA1B" +
  "/wBxIA50ciEUIA5BB2ohDiANQYABTyAOQSNJcQ0ACwsgGSATKwMIIBS4oiATKwMQIBMrAxggEygCACAC" +
  "QQF0ai8BALiioKOgIRkLIBJBAWohEiATQSBqIRMgEUEBdiERIBENAAsgBiAZoiAHKwMIoiAHKwMAIBmg" +
  "oyEaCyAEBEAgBCACai0AAA0BCyADIAJqIRUgCiAVQQJ0aiEWIBYoAgAhDSANRQRAIAsgDEECdGogFTYC" +
  "ACAMQQFqIQwLIBYgDSAFcjYCACAJIBVBA3RqIRUgFSAVKwMAIBqgOQMADAALCyAMC0cBAn8gACABQQJ0" +
  "aiEEAkADQCAAIARPDQEgAyACIAAoAgBBAnRqKAIAQQJ0aiEFIAUgBSgCAEEBajYCACAAQQRqIQAMAAsL" +
  "C3kBAn8gACACQQF0aiEIAkADQCAAIAhPDQEgAS8BACADcQRAIAAvAQAhCSAAIAlBgARJBH8gBCAJQQF0" +
  "ai8BAAVEAAAAAAAAAABEAAAAAAAA4D8gBiAFIAm4oKIgB6GgnKWrCzsBAAsgAEECaiEAIAFBAmohAQwA" +
  "CwsLcAICfwF8IAAgAUECdGohBAJAA0AgACAETw0BIABBgAJqIQUgBSAESwRAIAQhBQtEAAAAAAAA8P8h" +
  "BgNAIAYgAiAAKAIAQQN0aisDAKUhBiAAQQRqIQAgACAFSQ0ACyADIAY5AwAgA0EIaiEDDAALCwuFAwIG" +
  "fwJ8IAAgAUECdGohCAJAA0AgACAITw0BIAAgCU8EQCADKwMAIQ4gA0EIaiEDIABBgAJqIQkgCiAGRgRA" +
  "IA4gBysDAGUEQCAJIQAMAwsLCyAAKAIAIQ0gAEEEaiEAIAUEQCAFIAQgDUEBdGovAQBxRQ0BCyACIA1B" +
  "A3RqKwMAIQ4gCiAGSQRAIAohCyAKQQFqIQoCQANAIAtFDQEgC0EBa0EBdiEMIAcgDEEDdGorAwAhDyAP" +
  "IA5lDQEgByALQQN0aiAPOQMAIAwhCwwACwsgByALQQN0aiAOOQMADAELIA4gBysDAGUNAEEAIQsCQANA" +
  "IAtBAXRBAWohDCAMIApPDQEgByAMQQN0aisDACEPIAxBAWogCkkEQCAHIAxBA3RqKwMIIA9jBEAgDEEB" +
  "aiEMIAcgDEEDdGorAwAhDwsLIA4gD2UNASAHIAtBA3RqIA85AwAgDCELDAALCyAHIAtBA3RqIA45AwAM" +
  "AAsLIAogBkkEfEQAAAAAAADw/wUgBysDAAsLmQECBH8BfCAHIQsgACABQQJ0aiEIAkADQCAAIAhPDQEg" +
  "ACAJTwRAIAMrAwAhDCADQQhqIQMgAEGAAmohCSAMIAZjBEAgCSEADAILCyAAKAIAIQogAEEEaiEAIAUE" +
  "QCAFIAQgCkEBdGovAQBxRQ0BCyACIApBA3RqKwMAIAZjDQAgByAKNgIAIAdBBGohBwwACwsgByALa0EC" +
  "dgubAQIDfwF7IAQhBiAD/RMhCAJAA0AgBSACTw0BIAH9AAQAIAj9RiAA/QAEAP0MAAAAAAAAAAAAAAAA" +
  "AAAAAP04/U/9pAEhByABQRBqIQEgAEEQaiEAAkADQCAHRQ0BIAQgBSAHaGo2AgAgBCgCACACSQRAIARB" +
  "BGohBAsgByAHQQFrcSEHDAALCyAFQQRqIQUMAAsLIAQgBmtBAnYLVgECfyAAIAFBAnRqIQcCQANAIAAg" +
  "B08NASAAKAIAIQYgAEEEaiEAIAUgBkEDdGogAiAGQQN0aisDACAEIAMgBkEBdGovAQBBA3RqKwMAojkD" +
  "AAwACwsLxgEDAXwFfwJ9IAAgAUECdGohDwJAA0AgACAPTw0BIAAoAgAhDiAAQQRqIQAgAiAOQQJ0aigC" +
  "ACEQIAMgDkECdGoqAgAhEyATIAdgIREgCiAQQQF0IBFyQQJ0aiESIBIgEigCAEEBajYCACARIAkgEGot" +
  "AAByBEAgFCATlyEUCyAGIAUgDkEBdGovAQBBA3RqKwMAIQ0gDkEDdCEOIAwgDmogDSAEIA5qKwMAIAhD" +
  "AAAAACATl7uioKI5AwAMAAsLIAsgFDgCAAs=";

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
