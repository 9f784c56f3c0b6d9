// The model's file, which the build takes from npm (build/rerank_model.ts): where it is, and that it is
// the very file that was measured. Nothing is downloaded at run time.

import { CtxError } from "../../core/errors.ts";
import { diskFiles } from "../../disk/files.ts";

/** The official int8 file of all-MiniLM-L6-v2 (Apache-2.0); what is not this file is not run. */
export const modelSha256 = "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1";

/** Where it is, beside the licence notices that go with it. */
export const modelFile: URL = new URL(
  "../../../assets/rerank/all-MiniLM-L6-v2-int8.onnx",
  import.meta.url,
);

/** What must be shipped with it. */
export const rerankNotices: URL = new URL(
  "../../../assets/rerank/RERANK_NOTICES.txt",
  import.meta.url,
);

/** Whether the file was installed. */
export function hasModel(): boolean {
  return diskFiles.findSize(toPath(modelFile)) !== undefined;
}

/** The error for a ctx without it. */
export function missingModel(file = modelFile): CtxError {
  return new CtxError("PROVIDER_MISSING", `Cannot rerank: there is no "${toPath(file)}"`, {
    hint: "install a ctx that was built with it, or: ctx config set rerank.kind none",
  });
}

/** Its bytes, checked. */
export async function readModel(file = modelFile): Promise<Uint8Array<ArrayBuffer>> {
  const path = toPath(file);
  if (diskFiles.findSize(path) === undefined) throw missingModel(file);
  const bytes = await Deno.readFile(path);
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  if (found === modelSha256) return bytes;
  throw new CtxError("PROVIDER_MISSING", `Cannot rerank: "${path}" is not the model it should be`, {
    hint: "install ctx again, or: ctx config set rerank.kind none",
  });
}

/** The path of a file that is shipped. */
export function toPath(url: URL): string {
  return decodeURIComponent(url.pathname);
}
