// An OpenAI-compatible `/embeddings` endpoint on 127.0.0.1: texts that speak of the same thing get the
// same vector. Fails in whichever way a test wants.

/** Ways to fail. */
export type EmbeddingFault = "500" | "401" | "wrong dimensions" | "no JSON" | "hang" | "redirect";

const dimensions = 16;
const groups = [["token", "credential"], ["queue", "backlog"]];

/** An endpoint that goes away with the test. */
export class FakeEmbeddings implements AsyncDisposable {
  /** The texts of each request. */
  readonly requests: string[][] = [];
  readonly keys: (string | null)[] = [];
  fault?: EmbeddingFault;
  /** Where a redirect leads. */
  elsewhere = "";
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #stop = new AbortController();

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#answer(request),
    );
  }

  /** The host and port. */
  get host(): string {
    return `127.0.0.1:${this.#server.addr.port}`;
  }

  get url(): string {
    return `http://${this.host}/v1`;
  }

  /** The user's settings that lead here. */
  get settings(): object {
    return { kind: "http", url: this.url, model: "fake", dimensions };
  }

  async #answer(request: Request): Promise<Response> {
    const { input }: { input: string[] } = await request.json();
    this.requests.push(input);
    this.keys.push(request.headers.get("authorization"));
    switch (this.fault) {
      case "500":
      case "401":
        return new Response("no", { status: Number(this.fault) });
      case "wrong dimensions":
        return Response.json({ data: input.map(() => ({ embedding: [1, 2, 3] })) });
      case "no JSON":
        return new Response("<html>gateway</html>");
      case "redirect":
        return new Response(null, { status: 307, headers: { location: this.elsewhere } });
      case "hang":
        await new Promise<void>((resolve) => {
          this.#stop.signal.addEventListener("abort", () => resolve());
        });
    }
    const data = input.map((text, index) => ({ index, embedding: embed(text) }));
    return Response.json({ data });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#server.shutdown();
  }
}

function embed(text: string): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  vector[dimensions - 1] = 0.01;
  groups.forEach((words, i) => {
    for (const word of words) vector[i] += text.toLowerCase().split(word).length - 1;
  });
  return vector;
}
