// all-MiniLM-L6-v2 (int8, Apache-2.0) run by ONNX Runtime in WebAssembly: a text in, a vector of unit
// length out. Takes seconds and 260 MB (docs/SEARCH.md), so only what lives long or may be slow opens it.
// One text at a time: the model scales its int8 steps over all that it is given at once, and a text's
// vector must not depend on its neighbours.

import { indexPieces } from "../../index/text/piece_lines.ts";
import { bertTokens } from "./bert_tokens.ts";
import { readModel, toPath } from "./model_file.ts";

/** The length of a vector. */
export const vectorLength = 384;
/** Of a text, so many tokens count: what the model was trained with. */
export const textTokens = 256;

const vocabulary = new URL("../../../assets/embed/pieces.txt", import.meta.url);

/** An open model; one for the whole process. */
export interface MiniLm {
  embed(text: string): Promise<Float32Array>;
}

/** Opens the model, once per process. */
export function openMiniLm(): Promise<MiniLm> {
  return opened ??= open();
}

let opened: Promise<MiniLm> | undefined;

async function open(): Promise<MiniLm> {
  const bytes = await readModel();
  // A Worker of Deno has a location without an origin, on which the runtime stumbles.
  Reflect.deleteProperty(globalThis, "location");
  const [ort, runtime] = await Promise.all([
    import("onnxruntime-web/wasm"),
    import("onnxruntime-web/ort-wasm-simd-threaded.wasm", { with: { type: "bytes" } }),
  ]);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = runtime.default;
  const session = await ort.InferenceSession.create(bytes);
  const findId = indexPieces(Deno.readTextFileSync(toPath(vocabulary)));
  return {
    async embed(text) {
      const ids = bertTokens(text, findId, textTokens);
      const shape = [1, ids.length];
      const tensor = (values: BigInt64Array) => new ort.Tensor("int64", values, shape);
      const { last_hidden_state: states } = await session.run({
        input_ids: tensor(BigInt64Array.from(ids, BigInt)),
        attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
        token_type_ids: tensor(new BigInt64Array(ids.length)),
      });
      const { data } = states;
      if (!(data instanceof Float32Array)) throw new Error("the model gave no floats");
      return meanOf(data, ids.length);
    },
  };
}

/** The mean of the tokens' states, of unit length. */
function meanOf(states: Float32Array, tokens: number): Float32Array {
  const mean = new Float32Array(vectorLength);
  for (let at = 0; at < tokens * vectorLength; at++) mean[at % vectorLength] += states[at];
  const norm = Math.hypot(...mean) || 1;
  return mean.map((value) => value / norm);
}
