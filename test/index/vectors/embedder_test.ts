// One suite for every embedder, and the endpoint's failures against a scripted server.

import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import type { Embedder } from "../../../src/index/vectors/embedder.ts";
import { makeHttpEmbedder } from "../../../src/index/vectors/embedder_http.ts";
import { openLocalEmbedder } from "../../../src/index/vectors/embedder_local.ts";

interface Call {
  url: string;
  body: { input: string[]; model: string };
  authorization: string | null;
}

/** A `fetch` that answers by a script; the last answer repeats. */
function scripted(...answers: ((call: Call) => Response)[]) {
  const calls: Call[] = [];
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const call = {
      url: String(input),
      body: JSON.parse(String(init?.body)),
      authorization: new Headers(init?.headers).get("authorization"),
    };
    calls.push(call);
    return Promise.resolve((answers[calls.length - 1] ?? answers[answers.length - 1])(call));
  };
  return { calls, fetch };
}

/** Vectors that depend on the text alone; in reverse order, as an endpoint may answer. */
function vectorsFor({ body }: Call): Response {
  const data = body.input.map((text, index) => ({
    index,
    embedding: Array.from(
      { length: 24 },
      (_, i) => Math.sin(text.length * (i + 1)) + text.charCodeAt(0),
    ),
  }));
  return Response.json({ data: data.reverse() });
}

const pause = () => Promise.resolve();
const endpoint = { baseUrl: "http://models.test/v1/", model: "m", dimensions: 24, sleep: pause };

const embedders: [string, () => Embedder][] = [
  ["local", () => openLocalEmbedder({ whole: true })],
  ["local, read by position", () => openLocalEmbedder({ whole: false })],
  ["http", () => makeHttpEmbedder({ ...endpoint, ...scripted(vectorsFor) })],
];

for (const [name, make] of embedders) {
  Deno.test(`embedder ${name} keeps the contract`, async () => {
    const embedder = make();
    const texts = ["how do I resume a session", "", "x", "how do I resume a session"];
    const vectors = await embedder.embed(texts);
    assert.equal(vectors.length, texts.length);
    for (const vector of vectors) {
      assert.equal(vector.length, embedder.dimensions);
      const norm = Math.hypot(...vector);
      assert.ok(Math.abs(norm - 1) < 1e-5 || norm === 0, `norm ${norm}`);
    }
    assert.equal(Math.hypot(...vectors[1]), 0);
    assert.deepEqual(vectors[0], vectors[3]);
    assert.deepEqual(await embedder.embed([]), []);
    assert.equal(make().fingerprint, embedder.fingerprint);
    assert.match(embedder.fingerprint, /^\w+$/);
  });
}

Deno.test("the HTTP embedder batches, sends the key and cuts long texts", async () => {
  const { calls, fetch } = scripted(vectorsFor);
  const embedder = makeHttpEmbedder({ ...endpoint, key: "k", batch: 2, maxChars: 3, fetch });
  await embedder.embed(["a", "bbbbbb", "c"]);
  assert.deepEqual(calls.map(({ body }) => body.input), [["a", "bbb"], ["c"]]);
  assert.equal(calls[0].url, "http://models.test/v1/embeddings");
  assert.equal(calls[0].authorization, "Bearer k");
});

Deno.test("the HTTP embedder tries again on 429 and 5xx, then answers", async () => {
  const { calls, fetch } = scripted(
    () => new Response("", { status: 429, headers: { "retry-after": "1" } }),
    () => new Response("", { status: 503 }),
    vectorsFor,
  );
  const waits: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void waits.push(ms));
  await makeHttpEmbedder({ ...endpoint, fetch, sleep }).embed(["a"]);
  assert.equal(calls.length, 3);
  assert.deepEqual(waits, [1000, 1000]);
});

const failures: [string, (call: Call) => Response, number][] = [
  ["a refusal", () => new Response("no", { status: 401 }), 1],
  ["an endless 500", () => new Response("", { status: 500 }), 4],
  ["a wrong shape", () => Response.json({ data: [{ embedding: [1, 2] }] }), 1],
  ["no data", () => Response.json({}), 1],
];
for (const [name, answer, tries] of failures) {
  Deno.test(`the HTTP embedder reports ${name} without the key`, async () => {
    const { calls, fetch } = scripted(answer);
    const embedder = makeHttpEmbedder({ ...endpoint, key: "sk-secret-key", fetch });
    const error = await embedder.embed(["a"]).catch((thrown) => thrown);
    assert.ok(error instanceof CtxError);
    assert.equal(error.code, "PROVIDER_FAILED");
    assert.doesNotMatch(`${error.message} ${error.hint}`, /secret/);
    assert.equal(calls.length, tries);
  });
}
