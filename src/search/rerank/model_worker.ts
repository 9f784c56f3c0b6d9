// The Worker that runs the model: a text takes up to a second, in which a server must go on answering.
// Ending the Worker gives all of its memory back.

import { type ErrorBody, toCtxError, toErrorBody } from "../../core/errors.ts";
import { openMiniLm } from "./minilm.ts";

/** A text to embed; without one the model is only opened. */
export interface ModelQuestion {
  number: number;
  text?: string;
}

/** The vector of a text, or why there is none. */
export interface ModelAnswer {
  number: number;
  vector?: Float32Array;
  failure?: ErrorBody;
}

const scope = globalThis as unknown as Worker;

scope.onmessage = async ({ data: { number, text } }: MessageEvent<ModelQuestion>) => {
  let answer: ModelAnswer;
  try {
    const model = await openMiniLm();
    answer = { number, vector: text === undefined ? undefined : await model.embed(text) };
  } catch (error) {
    answer = { number, failure: toErrorBody(toCtxError(error)) };
  }
  scope.postMessage(answer);
};
