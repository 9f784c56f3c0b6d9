// The scoring kernel, assembled from score_kernel.wat.

const binary = "AGFzbQEAAAABYAhgDX9/f39/f3x/f39/f38Bf2AEf39/fwBgCH9/f39/fHx8AGAIf39/f39/f38BfGAI" +
  "f39/f39/fH8Bf2AFf39/fX8Bf2AHf39/f39/fwBgDn9/f39/f399fH9/f39/AAMLCgABAgEDBAUGAQcF" +
  "AwEAAQdhCwZtZW1vcnkCAAphY2N1bXVsYXRlAAAFY291bnQAAQZsb29zZW4AAgZtYXhpbWEAAwNudGgA" +
  "BAdjb2xsZWN0AAUEbmVhcgAGBXdlaWdoAAcHc2ltaWxhcgAIBGZ1c2UACQrbEArlBAIMfwJ8IAcoAlAh" +
  "GANAIAcrA1ggBysDYCAHKwNoIBe4oqCjIRkgByAXQQN0aiAGIBmiIAcrAwiiIAcrAwAgGaCjOQOAAiAX" +
  "QQFqIRcgF0GAAkkNAAsCQANAIAAgAU8NASAAIRUgAiEWIAAtAAAhDyAAQQFqIQAgD0GAAU8EQCAPQf8A" +
  "cSEPQQchDgNAIAAtAAAhDSAAQQFqIQAgDyANQf8AcSAOdHIhDyAOQQdqIQ4gDUGAAU8gDkEjSXENAAsL" +
  "IAIgD0ECdmohAiAPQQNxIRACQCAQRQRAIBggAkEBdGovAQAhFyAXQYACSQRAIAcgF0EDdGorA4ACIRoM" +
  "AgsLQQQhESAQQQJPBEAgAC0AACERIABBAWohAAtEAAAAAAAAAAAhGUEAIRIgB0EQaiETA0AgEUEBcQRA" +
  "IBMoAgBFBEAgCCAVNgIAIAggFjYCBCAIIAw2AghBfyASaw8LQQEhFCAQBEBBACEUQQAhDgNAIAAtAAAh" +
  "DSAAQQFqIQAgFCANQf8AcSAOdHIhFCAOQQdqIQ4gDUGAAU8gDkEjSXENAAsLIBkgEysDCCAUuKIgEysD" +
  "ECATKwMYIBMoAgAgAkEBdGovAQC4oqCjoCEZCyASQQFqIRIgE0EgaiETIBFBAXYhESARDQALIAYgGaIg" +
  "BysDCKIgBysDACAZoKMhGgsgBARAIAQgAmotAAANAQsgAyACaiEVIAogFUECdGohFiAWKAIAIQ0gDUUE" +
  "QCALIAxBAnRqIBU2AgAgDEEBaiEMCyAWIA0gBXI2AgAgCSAVQQN0aiEVIBUgFSsDACAaoDkDAAwACwsg" +
  "DAtHAQJ/IAAgAUECdGohBAJAA0AgACAETw0BIAMgAiAAKAIAQQJ0aigCAEECdGohBSAFIAUoAgBBAWo2" +
  "AgAgAEEEaiEADAALCwt5AQJ/IAAgAkEBdGohCAJAA0AgACAITw0BIAEvAQAgA3EEQCAALwEAIQkgACAJ" +
  "QYAESQR/IAQgCUEBdGovAQAFRAAAAAAAAAAARAAAAAAAAOA/IAYgBSAJuKCiIAehoJylqws7AQALIABB" +
  "AmohACABQQJqIQEMAAsLC3ACAn8BfCAAIAFBAnRqIQQCQANAIAAgBE8NASAAQYACaiEFIAUgBEsEQCAE" +
  "IQULRAAAAAAAAPD/IQYDQCAGIAIgACgCAEEDdGorAwClIQYgAEEEaiEAIAAgBUkNAAsgAyAGOQMAIANB" +
  "CGohAwwACwsLhQMCBn8CfCAAIAFBAnRqIQgCQANAIAAgCE8NASAAIAlPBEAgAysDACEOIANBCGohAyAA" +
  "QYACaiEJIAogBkYEQCAOIAcrAwBlBEAgCSEADAMLCwsgACgCACENIABBBGohACAFBEAgBSAEIA1BAXRq" +
  "LwEAcUUNAQsgAiANQQN0aisDACEOIAogBkkEQCAKIQsgCkEBaiEKAkADQCALRQ0BIAtBAWtBAXYhDCAH" +
  "IAxBA3RqKwMAIQ8gDyAOZQ0BIAcgC0EDdGogDzkDACAMIQsMAAsLIAcgC0EDdGogDjkDAAwBCyAOIAcr" +
  "AwBlDQBBACELAkADQCALQQF0QQFqIQwgDCAKTw0BIAcgDEEDdGorAwAhDyAMQQFqIApJBEAgByAMQQN0" +
  "aisDCCAPYwRAIAxBAWohDCAHIAxBA3RqKwMAIQ8LCyAOIA9lDQEgByALQQN0aiAPOQMAIAwhCwwACwsg" +
  "ByALQQN0aiAOOQMADAALCyAKIAZJBHxEAAAAAAAA8P8FIAcrAwALC5kBAgR/AXwgByELIAAgAUECdGoh" +
  "CAJAA0AgACAITw0BIAAgCU8EQCADKwMAIQwgA0EIaiEDIABBgAJqIQkgDCAGYwRAIAkhAAwCCwsgACgC" +
  "ACEKIABBBGohACAFBEAgBSAEIApBAXRqLwEAcUUNAQsgAiAKQQN0aisDACAGYw0AIAcgCjYCACAHQQRq" +
  "IQcMAAsLIAcgC2tBAnYLmwECA38BeyAEIQYgA/0TIQgCQANAIAUgAk8NASAB/QAEACAI/UYgAP0ABAD9" +
  "DAAAAAAAAAAAAAAAAAAAAAD9OP1P/aQBIQcgAUEQaiEBIABBEGohAAJAA0AgB0UNASAEIAUgB2hqNgIA" +
  "IAQoAgAgAkkEQCAEQQRqIQQLIAcgB0EBa3EhBwwACwsgBUEEaiEFDAALCyAEIAZrQQJ2C6YBAgN/Anwg" +
  "ACABQQJ0aiEIIABBgAJqIQlEAAAAAAAA8P8hCwJAA0AgACAITw0BIAAoAgAhByAAQQRqIQAgAiAHQQN0" +
  "aisDACAEIAMgB0EBdGovAQBBA3RqKwMAoiEKIAUgB0EDdGogCjkDACALIAqlIQsgACAJRgRAIAYgCzkD" +
  "ACAGQQhqIQZEAAAAAAAA8P8hCyAJQYACaiEJCwwACwsgBiALOQMAC0IBAn8gACABQQJ0aiEFAkADQCAA" +
  "IAVPDQEgACgCACEEIABBBGohACADIARBA3RqIAIgBEECdGoqAgC7OQMADAALCwuUAgMCfAZ/An0gACAB" +
  "QQJ0aiESIABBgAJqIRBEAAAAAAAA8P8hDwJAA0AgACASTw0BIAAoAgAhESAAQQRqIQAgAiARQQJ0aigC" +
  "ACETIAMgEUECdGoqAgAhFiAWIAdgIRQgCiATQQF0IBRyQQJ0aiEVIBUgFSgCAEEBajYCACAUIAkgE2ot" +
  "AAByBEAgFyAWlyEXCyAGIAUgEUEBdGovAQBBA3RqKwMAIQ4gEUEDdCERIA4gBCARaisDACAIQwAAAAAg" +
  "Fpe7oqCiIQ4gDCARaiAOOQMAIA8gDqUhDyAAIBBGBEAgDSAPOQMAIA1BCGohDUQAAAAAAADw/yEPIBBB" +
  "gAJqIRALDAALCyANIA85AwAgCyAXOAIACw==";

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
    maxima: number,
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
    maxima: number,
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
