import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { readModel } from "../../../src/search/rerank/model_file.ts";

const error = { name: "CtxError", code: "PROVIDER_MISSING" };

Deno.test("readModel() refuses what is not the very file that was measured, and says what to do", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, "another model");
    await assert.rejects(readModel(pathToFileURL(path)), {
      ...error,
      message: `Cannot rerank: "${path}" is not the model it should be`,
      hint: "install ctx again, or: ctx config set rerank.kind none",
    });
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("readModel() of a ctx without the model says that one built with it is needed", async () => {
  await assert.rejects(readModel(new URL("file:///nowhere/model.onnx")), {
    ...error,
    message: 'Cannot rerank: there is no "/nowhere/model.onnx"',
    hint: "install a ctx that was built with it, or: ctx config set rerank.kind none",
  });
});
