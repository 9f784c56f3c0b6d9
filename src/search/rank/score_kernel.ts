// The scoring kernel, assembled from score_kernel.wat.

const binary = "AGFzbQEAAAABUwdgDX9/f39/f3x/f39/f38Bf2AEf39/fwBgCH9/f39/fHx8AGAIf39/f39/f38BfGAI" +
  "f39/f39/fH8Bf2AFf39/fX8Bf2ALf39/f399fH9/f38AAwkIAAECAQMEBQYFAwEAAQdPCQZtZW1vcnkC" +
  "AAphY2N1bXVsYXRlAAAFY291bnQAAQZsb29zZW4AAgZtYXhpbWEAAwNudGgABAdjb2xsZWN0AAUEbmVh" +
  "cgAGBGZ1c2UABwqHDgjlBAIMfwJ8IAcoAlAhGANAIAcrA1ggBysDYCAHKwNoIBe4oqCjIRkgByAXQQN0" +
  "aiAGIBmiIAcrAwiiIAcrAwAgGaCjOQOAAiAXQQFqIRcgF0GAAkkNAAsCQANAIAAgAU8NASAAIRUgAiEW" +
  "IAAtAAAhDyAAQQFqIQAgD0GAAU8EQCAPQf8AcSEPQQchDgNAIAAtAAAhDSAAQQFqIQAgDyANQf8AcSAO" +
  "dHIhDyAOQQdqIQ4gDUGAAU8gDkEjSXENAAsLIAIgD0ECdmohAiAPQQNxIRACQCAQRQRAIBggAkEBdGov" +
  "AQAhFyAXQYACSQRAIAcgF0EDdGorA4ACIRoMAgsLQQQhESAQQQJPBEAgAC0AACERIABBAWohAAtEAAAA" +
  "AAAAAAAhGUEAIRIgB0EQaiETA0AgEUEBcQRAIBMoAgBFBEAgCCAVNgIAIAggFjYCBCAIIAw2AghBfyAS" +
  "aw8LQQEhFCAQBEBBACEUQQAhDgNAIAAtAAAhDSAAQQFqIQAgFCANQf8AcSAOdHIhFCAOQQdqIQ4gDUGA" +
  "AU8gDkEjSXENAAsLIBkgEysDCCAUuKIgEysDECATKwMYIBMoAgAgAkEBdGovAQC4oqCjoCEZCyASQQFq" +
  "IRIgE0EgaiETIBFBAXYhESARDQALIAYgGaIgBysDCKIgBysDACAZoKMhGgsgBARAIAQgAmotAAANAQsg" +
  "AyACaiEVIAogFUECdGohFiAWKAIAIQ0gDUUEQCALIAxBAnRqIBU2AgAgDEEBaiEMCyAWIA0gBXI2AgAg" +
  "CSAVQQN0aiEVIBUgFSsDACAaoDkDAAwACwsgDAtHAQJ/IAAgAUECdGohBAJAA0AgACAETw0BIAMgAiAA" +
  "KAIAQQJ0aigCAEECdGohBSAFIAUoAgBBAWo2AgAgAEEEaiEADAALCwt5AQJ/IAAgAkEBdGohCAJAA0Ag" +
  "ACAITw0BIAEvAQAgA3EEQCAALwEAIQkgACAJQYAESQR/IAQgCUEBdGovAQAFRAAAAAAAAAAARAAAAAAA" +
  "AOA/IAYgBSAJuKCiIAehoJylqws7AQALIABBAmohACABQQJqIQEMAAsLC3ACAn8BfCAAIAFBAnRqIQQC" +
  "QANAIAAgBE8NASAAQYACaiEFIAUgBEsEQCAEIQULRAAAAAAAAPD/IQYDQCAGIAIgACgCAEEDdGorAwCl" +
  "IQYgAEEEaiEAIAAgBUkNAAsgAyAGOQMAIANBCGohAwwACwsLhQMCBn8CfCAAIAFBAnRqIQgCQANAIAAg" +
  "CE8NASAAIAlPBEAgAysDACEOIANBCGohAyAAQYACaiEJIAogBkYEQCAOIAcrAwBlBEAgCSEADAMLCwsg" +
  "ACgCACENIABBBGohACAFBEAgBSAEIA1BAXRqLwEAcUUNAQsgAiANQQN0aisDACEOIAogBkkEQCAKIQsg" +
  "CkEBaiEKAkADQCALRQ0BIAtBAWtBAXYhDCAHIAxBA3RqKwMAIQ8gDyAOZQ0BIAcgC0EDdGogDzkDACAM" +
  "IQsMAAsLIAcgC0EDdGogDjkDAAwBCyAOIAcrAwBlDQBBACELAkADQCALQQF0QQFqIQwgDCAKTw0BIAcg" +
  "DEEDdGorAwAhDyAMQQFqIApJBEAgByAMQQN0aisDCCAPYwRAIAxBAWohDCAHIAxBA3RqKwMAIQ8LCyAO" +
  "IA9lDQEgByALQQN0aiAPOQMAIAwhCwwACwsgByALQQN0aiAOOQMADAALCyAKIAZJBHxEAAAAAAAA8P8F" +
  "IAcrAwALC5kBAgR/AXwgByELIAAgAUECdGohCAJAA0AgACAITw0BIAAgCU8EQCADKwMAIQwgA0EIaiED" +
  "IABBgAJqIQkgDCAGYwRAIAkhAAwCCwsgACgCACEKIABBBGohACAFBEAgBSAEIApBAXRqLwEAcUUNAQsg" +
  "AiAKQQN0aisDACAGYw0AIAcgCjYCACAHQQRqIQcMAAsLIAcgC2tBAnYLmwECA38BeyAEIQYgA/0TIQgC" +
  "QANAIAUgAk8NASAB/QAEACAI/UYgAP0ABAD9DAAAAAAAAAAAAAAAAAAAAAD9OP1P/aQBIQcgAUEQaiEB" +
  "IABBEGohAAJAA0AgB0UNASAEIAUgB2hqNgIAIAQoAgAgAkkEQCAEQQRqIQQLIAcgB0EBa3EhBwwACwsg" +
  "BUEEaiEFDAALCyAEIAZrQQJ2C6sBAgV/An0gACABQQJ0aiEMAkADQCAAIAxPDQEgACgCACELIABBBGoh" +
  "ACACIAtBAnRqKAIAIQ0gAyALQQJ0aioCACEQIBAgBWAhDiAIIA1BAXQgDnJBAnRqIQ8gDyAPKAIAQQFq" +
  "NgIAIA4gByANai0AAHIEQCARIBCXIRELIAtBA3QhCyAKIAtqIAQgC2orAwAgBkMAAAAAIBCXu6KgOQMA" +
  "DAALCyAJIBE4AgAL";

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
