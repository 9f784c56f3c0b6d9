// The scoring kernel, assembled from score_kernel.wat.

const binary =
  "AGFzbQEAAAABQgZgDX9/f39/f3x/f39/f38Bf2AEf39/fwBgBX9/f39/AXxgBX9/f3x/AX9gBX9/f31/AX9g" +
  "C39/f39/fXx/f39/AAMHBgABAgMEBQUDAQABBz0HBm1lbW9yeQIACmFjY3VtdWxhdGUAAAVjb3VudAABA250" +
  "aAACB2NvbGxlY3QAAwRuZWFyAAQEZnVzZQAFCoYLBuUEAgx/AnwgBygCUCEYA0AgBysDWCAHKwNgIAcrA2gg" +
  "F7iioKMhGSAHIBdBA3RqIAYgGaIgBysDCKIgBysDACAZoKM5A4ACIBdBAWohFyAXQYACSQ0ACwJAA0AgACAB" +
  "Tw0BIAAhFSACIRYgAC0AACEPIABBAWohACAPQYABTwRAIA9B/wBxIQ9BByEOA0AgAC0AACENIABBAWohACAP" +
  "IA1B/wBxIA50ciEPIA5BB2ohDiANQYABTyAOQSNJcQ0ACwsgAiAPQQJ2aiECIA9BA3EhEAJAIBBFBEAgGCAC" +
  "QQF0ai8BACEXIBdBgAJJBEAgByAXQQN0aisDgAIhGgwCCwtBBCERIBBBAk8EQCAALQAAIREgAEEBaiEAC0QA" +
  "AAAAAAAAACEZQQAhEiAHQRBqIRMDQCARQQFxBEAgEygCAEUEQCAIIBU2AgAgCCAWNgIEIAggDDYCCEF/IBJr" +
  "DwtBASEUIBAEQEEAIRRBACEOA0AgAC0AACENIABBAWohACAUIA1B/wBxIA50ciEUIA5BB2ohDiANQYABTyAO" +
  "QSNJcQ0ACwsgGSATKwMIIBS4oiATKwMQIBMrAxggEygCACACQQF0ai8BALiioKOgIRkLIBJBAWohEiATQSBq" +
  "IRMgEUEBdiERIBENAAsgBiAZoiAHKwMIoiAHKwMAIBmgoyEaCyAEBEAgBCACai0AAA0BCyADIAJqIRUgCiAV" +
  "QQJ0aiEWIBYoAgAhDSANRQRAIAsgDEECdGogFTYCACAMQQFqIQwLIBYgDSAFcjYCACAJIBVBA3RqIRUgFSAV" +
  "KwMAIBqgOQMADAALCyAMC0cBAn8gACABQQJ0aiEEAkADQCAAIARPDQEgAyACIAAoAgBBAnRqKAIAQQJ0aiEF" +
  "IAUgBSgCAEEBajYCACAAQQRqIQAMAAsLC7QCAgR/AnwgACABQQJ0aiEFAkADQCAAIAVPDQEgAiAAKAIAQQN0" +
  "aisDACEJIABBBGohACAGIANJBEAgBiEHIAZBAWohBgJAA0AgB0UNASAHQQFrQQF2IQggBCAIQQN0aisDACEK" +
  "IAogCWUNASAEIAdBA3RqIAo5AwAgCCEHDAALCyAEIAdBA3RqIAk5AwAMAQsgCSAEKwMAZQ0AQQAhBwJAA0Ag" +
  "B0EBdEEBaiEIIAggBk8NASAEIAhBA3RqKwMAIQogCEEBaiAGSQRAIAQgCEEDdGorAwggCmMEQCAIQQFqIQgg" +
  "BCAIQQN0aisDACEKCwsgCSAKZQ0BIAQgB0EDdGogCjkDACAIIQcMAAsLIAQgB0EDdGogCTkDAAwACwsgBiAD" +
  "SQR8RAAAAAAAAPD/BSAEKwMACwtVAQN/IAQhByAAIAFBAnRqIQUCQANAIAAgBU8NASAAKAIAIQYgAEEEaiEA" +
  "IAIgBkEDdGorAwAgA2MNACAEIAY2AgAgBEEEaiEEDAALCyAEIAdrQQJ2C5sBAgN/AXsgBCEGIAP9EyEIAkAD" +
  "QCAFIAJPDQEgAf0ABAAgCP1GIAD9AAQA/QwAAAAAAAAAAAAAAAAAAAAA/Tj9T/2kASEHIAFBEGohASAAQRBq" +
  "IQACQANAIAdFDQEgBCAFIAdoajYCACAEKAIAIAJJBEAgBEEEaiEECyAHIAdBAWtxIQcMAAsLIAVBBGohBQwA" +
  "CwsgBCAGa0ECdgurAQIFfwJ9IAAgAUECdGohDAJAA0AgACAMTw0BIAAoAgAhCyAAQQRqIQAgAiALQQJ0aigC" +
  "ACENIAMgC0ECdGoqAgAhECAQIAVgIQ4gCCANQQF0IA5yQQJ0aiEPIA8gDygCAEEBajYCACAOIAcgDWotAABy" +
  "BEAgESAQlyERCyALQQN0IQsgCiALaiAEIAtqKwMAIAZDAAAAACAQl7uioDkDAAwACwsgCSAROAIACw==";

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
  fuse(
    rows: number,
    count: number,
    matched: number,
    cosines: number,
    score: number,
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
