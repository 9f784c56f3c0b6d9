// A model behind an OpenAI-compatible provider: one POST to `/chat/completions`, streamed when asked
// to, and tried again when that can help. A whole reply is read as a stream of one piece.

import { findJson } from "../../core/json.ts";
import { streamLines } from "../../core/lines/stream_lines.ts";
import { FailedTry, parseRetryAfter, type RetryOptions, withRetries } from "../../core/retry.ts";
import { countTokens } from "../../core/tokens.ts";
import type { Completion, CompletionRequest, LlmClient, Message, ToolCall } from "./message.ts";
import { isRetryable, toProviderError, toTimeoutError } from "./provider_error.ts";
import type { ReplyCall, ReplyPiece } from "./reply.ts";

const maxAnswerMegabytes = 64;

/** Which model, where, and within which bounds. */
export interface LlmSettings {
  provider: string;
  apiKey: string;
  model: string;
  temperature: number;
  maxTokens: number;
  timeoutMs: number;
}

/** What a client needs from the world. */
export interface LlmWorld extends Pick<RetryOptions, "wait" | "onRetry"> {
  fetch: typeof fetch;
  now: () => number;
  signal: AbortSignal;
}

/** Opens a client; nothing is sent yet. */
export function openClient(settings: LlmSettings, world: LlmWorld): LlmClient {
  return {
    complete: (request) => withRetries(() => callOnce(request, { settings, world }), world),
  };
}

async function callOnce(
  request: CompletionRequest,
  { settings, world }: { settings: LlmSettings; world: LlmWorld },
): Promise<Completion> {
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  let shown = false;
  const fail = (detail: string, response?: Response): FailedTry =>
    new FailedTry(toProviderError({ ...settings, status: response?.status, detail }), {
      // Text that was shown cannot be taken back.
      retry: !shown && isRetryable({ status: response?.status, detail }),
      status: response?.status,
      afterMs: parseRetryAfter(response?.headers.get("retry-after"), world.now()),
    });
  try {
    const body = toBody(request, settings);
    const sent = world.fetch(
      `${settings.provider.replace(/\/+$/, "")}/chat/completions`,
      {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${settings.apiKey || "none"}`,
        },
        body: JSON.stringify(body),
        // The question is for this host alone.
        redirect: "error",
        signal: AbortSignal.any([world.signal, timeout]),
      },
    );
    // While the provider thinks: what reads its reply is loaded by nobody who has no model.
    const [response, { readReply }] = await Promise.all([sent, import("./reply.ts")]);
    const answer = boundAnswer(response);
    if (!response.ok) {
      const text = await answer.text();
      throw fail(readReply(findJson(text)).error ?? (text || "nothing more"), response);
    }
    const said = await gather(
      request.onText ? readStream(answer) : readWhole(answer),
      {
        read: readReply,
        onText(text) {
          shown = true;
          request.onText?.(text);
        },
      },
    );
    return { ...said, usage: said.usage ?? estimateUsage(body, said) };
  } catch (error) {
    world.signal.throwIfAborted();
    if (error instanceof FailedTry) throw error;
    if (!timeout.aborted) throw fail(detailOf(error));
    throw new FailedTry(toTimeoutError(settings.provider, settings.timeoutMs), { retry: false });
  }
}

function toBody(request: CompletionRequest, settings: LlmSettings) {
  const tools = request.tools.map((tool) => ({ type: "function", function: tool }));
  return {
    model: settings.model,
    temperature: settings.temperature,
    max_tokens: settings.maxTokens,
    messages: request.messages.map(toWireMessage),
    ...(tools.length > 0 ? { tools, tool_choice: request.toolChoice } : {}),
    ...(request.onText ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

function toWireMessage(message: Message): object {
  if (message.role !== "assistant" || message.tool_calls === undefined) return message;
  const tool_calls = message.tool_calls.map(({ id, ...call }) => ({
    id,
    type: "function",
    function: call,
  }));
  return { role: "assistant", content: message.content || null, tool_calls };
}

/** The headers and body of an answer; one that is too long for any completion is broken off. */
function boundAnswer({ body, headers }: Response): Response {
  let leftBytes = maxAnswerMegabytes * 1e6;
  const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, bounded) {
      leftBytes -= chunk.length;
      if (leftBytes < 0) throw new Error(`it sent more than ${maxAnswerMegabytes} MB`);
      bounded.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(bound), { headers });
}

async function* readWhole(response: Response): AsyncGenerator<unknown> {
  if (!response.headers.get("content-type")?.includes("json")) throw notACompletion();
  yield await response.json();
}

/** The events of a stream: the `data:` lines up to an empty line are one JSON text. */
async function* readStream({ body }: Response): AsyncGenerator<unknown> {
  let data = "";
  for await (const line of body === null ? [] : streamLines(body)) {
    if (/^data:\s*\[DONE\]/.test(line)) break;
    if (/^data:\s*\S/.test(line)) data += `${line.slice("data:".length)}\n`;
    if (line !== "" || data === "") continue;
    yield JSON.parse(data);
    data = "";
  }
  if (data !== "") yield JSON.parse(data);
}

/** Puts the pieces of a reply together. */
async function gather(
  pieces: AsyncIterable<unknown>,
  { read, onText }: { read: (piece: unknown) => ReplyPiece; onText: (text: string) => void },
): Promise<Omit<Completion, "usage"> & Partial<Completion>> {
  let text = "";
  let usage: Completion["usage"] | undefined;
  let isCompletion = false;
  const calls = new Map<number, ToolCall>();
  for await (const piece of pieces) {
    const { error, usage: counted, choice } = read(piece);
    if (error !== undefined) throw new Error(error);
    usage = counted ?? usage;
    if (choice === undefined) continue;
    isCompletion = true;
    if (choice.content !== "") {
      text += choice.content;
      onText(choice.content);
    }
    for (const part of choice.calls) addCall(calls, part);
  }
  if (!isCompletion) throw notACompletion();
  const toolCalls = [...calls].sort(([a], [b]) => a - b).map(([, call]) => call)
    .filter(({ name }) => name !== "")
    .map((call, i) => ({ ...call, id: call.id || `call_${i}` }));
  return { text, toolCalls, usage };
}

function addCall(calls: Map<number, ToolCall>, part: ReplyCall): void {
  const call = calls.get(part.index) ?? { id: "", name: "", arguments: "" };
  calls.set(part.index, call);
  call.id ||= part.id;
  call.name += part.name;
  call.arguments += part.arguments;
}

function estimateUsage(
  body: ReturnType<typeof toBody>,
  said: Pick<Completion, "text" | "toolCalls">,
): Completion["usage"] {
  return {
    input_tokens: countTokens(JSON.stringify(body.messages) + JSON.stringify(body.tools ?? [])),
    output_tokens: countTokens(said.text + said.toolCalls.map((call) => call.arguments).join("")),
    estimated: true,
  };
}

function notACompletion(): Error {
  return new Error("its response is not a chat completion");
}

/** The messages of an error and of its causes: the outermost alone seldom says what happened. */
function detailOf(error: unknown): string {
  if (error instanceof SyntaxError) return "its response is not JSON";
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 5; at = at.cause) {
    const code = "code" in at && typeof at.code === "string" ? ` (${at.code})` : "";
    if (at.message) texts.push(at.message + code);
  }
  return texts.join(": ") || String(error);
}
