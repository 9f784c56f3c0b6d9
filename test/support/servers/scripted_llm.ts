// An OpenAI-compatible server on 127.0.0.1 that says what a test wrote down, streaming or not, and
// remembers what it was asked. Each request takes the next line of the script; the last one stays.

/** One scripted reply. */
export type ScriptedReply =
  | { text: string; usage?: false }
  | { calls: { name: string; arguments: string | object }[]; text?: string }
  | { status: number; body?: string; headers?: Record<string, string> }
  | { raw: string; type?: string }
  | { hang: true }
  | { breakAfter: string };

/** What the server was sent. */
export interface ScriptedRequest {
  path: string;
  authorization: string | null;
  body: {
    model: string;
    stream?: boolean;
    temperature: number;
    max_tokens: number;
    tool_choice?: string;
    tools?: { function: { name: string; parameters: object } }[];
    messages: { role: string; content: string | null; tool_call_id?: string }[];
  };
}

/** A scripted provider. */
export class ScriptedLlm implements AsyncDisposable {
  readonly requests: ScriptedRequest[] = [];
  readonly #script: (ScriptedReply | ((request: ScriptedRequest) => ScriptedReply))[];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #front: Deno.TcpListener;
  readonly #stop = new AbortController();
  readonly #open: Promise<unknown>[] = [];
  /** How many connections are closed before anything is said. */
  resets = 0;

  constructor(script: (ScriptedReply | ((request: ScriptedRequest) => ScriptedReply))[]) {
    this.#script = [...script];
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#answer(request),
    );
    this.#front = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#open.push(this.#accept());
  }

  /** The base URL to configure. */
  get url(): string {
    return `http://127.0.0.1:${(this.#front.addr as Deno.NetAddr).port}/v1`;
  }

  /** The texts of the messages of one request. */
  said(request: number): string {
    return this.requests[request].body.messages.map((message) => message.content ?? "").join("\n");
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#front) {
      if (this.resets > 0) {
        this.resets--;
        connection.close();
        continue;
      }
      this.#open.push(this.#relay(connection));
    }
  }

  async #relay(client: Deno.TcpConn): Promise<void> {
    const server = await Deno.connect({ hostname: "127.0.0.1", port: this.#server.addr.port });
    this.#stop.signal.addEventListener("abort", () => {
      for (const side of [client, server]) closeQuietly(side);
    });
    const quiet = (): void => {};
    await Promise.all([
      client.readable.pipeTo(server.writable).catch(quiet),
      server.readable.pipeTo(client.writable).catch(quiet),
    ]);
  }

  async #answer(request: Request): Promise<Response> {
    const body: ScriptedRequest["body"] = await request.json();
    const seen = {
      path: new URL(request.url).pathname,
      authorization: request.headers.get("authorization"),
      body,
    };
    this.requests.push(seen);
    const next = this.#script.length > 1 ? this.#script.shift() : this.#script[0];
    const reply = typeof next === "function" ? next(seen) : next;
    if (reply === undefined) return new Response("no script", { status: 500 });
    if ("hang" in reply) {
      await new Promise<void>((resolve) => {
        this.#stop.signal.addEventListener("abort", () => resolve());
        request.signal.addEventListener("abort", () => resolve());
      });
      return new Response("too late", { status: 500 });
    }
    if ("status" in reply) {
      return new Response(
        reply.body ?? JSON.stringify({ error: { message: "scripted failure" } }),
        {
          status: reply.status,
          headers: { "content-type": "application/json", ...reply.headers },
        },
      );
    }
    if ("raw" in reply) {
      return new Response(reply.raw, {
        headers: { "content-type": reply.type ?? "application/json" },
      });
    }
    return body.stream ? toStream(reply) : toJson(reply);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#front.close();
    await this.#server.shutdown();
    await Promise.allSettled(this.#open);
  }
}

/** The environment that makes ctx use a scripted provider. */
export function llmEnv(
  llm: ScriptedLlm,
  rest: Record<string, string> = {},
): Record<string, string> {
  return {
    CTX_LLM_PROVIDER: llm.url,
    CTX_LLM_MODEL: "scripted-model",
    CTX_LLM_API_KEY: "sk-test-Zq81mK02xLw93Rt6",
    ...rest,
  };
}

type Spoken = Exclude<ScriptedReply, { status: number } | { raw: string } | { hang: true }>;

function toJson(reply: Spoken): Response {
  if ("breakAfter" in reply) return brokenBody(reply.breakAfter);
  const message = {
    role: "assistant",
    content: reply.text ?? null,
    ...("calls" in reply ? { tool_calls: toCalls(reply.calls) } : {}),
  };
  const usage = "usage" in reply && reply.usage === false
    ? {}
    : { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } };
  const choices = [{ index: 0, message, finish_reason: "calls" in reply ? "tool_calls" : "stop" }];
  return Response.json({ id: "c1", object: "chat.completion", created: 1, choices, ...usage });
}

function toStream(reply: Spoken): Response {
  const events: object[] = [];
  const delta = (part: object): void => {
    events.push({
      id: "c1",
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: part }],
    });
  };
  const text = "breakAfter" in reply ? reply.breakAfter : reply.text ?? "";
  for (const word of text.match(/\S+\s*/g) ?? []) delta({ content: word });
  if ("calls" in reply) {
    for (const [index, call] of toCalls(reply.calls).entries()) {
      const half = Math.ceil(call.function.arguments.length / 2);
      const { id, type, function: { name, arguments: said } } = call;
      delta({
        tool_calls: [{ index, id, type, function: { name, arguments: said.slice(0, half) } }],
      });
      delta({ tool_calls: [{ index, function: { arguments: said.slice(half) } }] });
    }
  }
  if ("breakAfter" in reply) {
    return brokenBody(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  }
  events.push({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20 } });
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(`${lines}data: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}

function toCalls(calls: { name: string; arguments: string | object }[]): {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}[] {
  return calls.map((call, i) => ({
    id: `call_${i}`,
    type: "function",
    function: {
      name: call.name,
      arguments: typeof call.arguments === "string"
        ? call.arguments
        : JSON.stringify(call.arguments),
    },
  }));
}

/** A body that stops in the middle. */
function brokenBody(start: string): Response {
  let sent = false;
  const body = new ReadableStream({
    pull(controller) {
      if (sent) return controller.error(new Error("scripted break"));
      sent = true;
      controller.enqueue(new TextEncoder().encode(start));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function closeQuietly(connection: { close(): void }): void {
  try {
    connection.close();
  } catch {
    return;
  }
}
