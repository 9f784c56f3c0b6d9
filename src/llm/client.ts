// A model behind an OpenAI-compatible provider, through the official SDK with its own retries and
// logging off: the policy of this product is in one place. Streams when asked to.

import type OpenAI from "openai";
import { parseRetryAfter, withRetries } from "../core/retry.ts";
import { countTokens } from "../core/tokens.ts";
import type { Completion, CompletionRequest, LlmClient, ToolCall } from "./message.ts";
import { isRetryable, toProviderError, toTimeoutError } from "./provider_error.ts";

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
export interface LlmWorld {
  fetch: typeof fetch;
  wait: (ms: number) => Promise<void>;
  now: () => number;
  signal: AbortSignal;
  onRetry?: (event: { attempt: number; delayMs: number; reason: string }) => void;
}

/** Opens a client; the SDK is loaded here and nowhere else. */
export async function openClient(settings: LlmSettings, world: LlmWorld): Promise<LlmClient> {
  const { default: Client } = await import("openai");
  const sdk = new Client({
    apiKey: settings.apiKey || "none",
    baseURL: settings.provider,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: settings.timeoutMs,
    logLevel: "off",
    fetch: (input: string | URL | Request, init?: RequestInit) =>
      world.fetch(input, { ...init, redirect: "error" }),
  });
  return {
    complete: (request) =>
      withRetries(() => callOnce(sdk, request, { settings, world }), {
        judge: (error) =>
          error instanceof CallFailure && error.mayRetry
            ? { retry: true, afterMs: error.afterMs }
            : { retry: false },
        wait: world.wait,
        onRetry: ({ attempt, delayMs, error }) =>
          world.onRetry?.({ attempt, delayMs, reason: reasonOf(error) }),
      }).catch((error) => {
        throw error instanceof CallFailure ? error.toCtxError(settings) : error;
      }),
  };
}

/** A failed call, before it is known whether it was the last try. */
class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly status?: number;
  readonly afterMs?: number;
  readonly mayRetry: boolean;
  readonly timeout: boolean;

  constructor(detail: string, about: Partial<CallFailure> = {}) {
    super(detail);
    this.status = about.status;
    this.afterMs = about.afterMs;
    this.timeout = about.timeout ?? false;
    this.mayRetry = about.mayRetry ?? isRetryable({ status: about.status, detail });
  }

  toCtxError(settings: LlmSettings): Error {
    if (this.timeout) return toTimeoutError(settings.provider, settings.timeoutMs);
    return toProviderError({ ...settings, status: this.status, detail: this.message });
  }
}

interface CallOptions {
  settings: LlmSettings;
  world: LlmWorld;
}

async function callOnce(
  sdk: OpenAI,
  request: CompletionRequest,
  { settings, world }: CallOptions,
): Promise<Completion> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), settings.timeoutMs);
  const signal = AbortSignal.any([world.signal, clock.signal]);
  let shown = false;
  const onText = request.onText && ((text: string) => {
    shown = true;
    request.onText?.(text);
  });
  try {
    const body = toBody(request, settings);
    return onText
      ? await readStream(sdk, body, { signal, onText })
      : await readWhole(sdk, body, signal);
  } catch (error) {
    if (world.signal.aborted) throw world.signal.reason;
    if (clock.signal.aborted) throw new CallFailure("timeout", { timeout: true, mayRetry: false });
    throw toFailure(error, { shown, nowMs: world.now() });
  } finally {
    clearTimeout(timer);
  }
}

type Body = Omit<OpenAI.ChatCompletionCreateParams, "stream">;

function toBody(request: CompletionRequest, settings: LlmSettings): Body {
  const tools = request.tools.map((tool) => ({ type: "function" as const, function: tool }));
  return {
    model: settings.model,
    temperature: settings.temperature,
    max_tokens: settings.maxTokens,
    messages: request.messages.map(toWireMessage),
    ...(tools.length > 0 ? { tools, tool_choice: request.toolChoice } : {}),
  };
}

function toWireMessage(
  message: CompletionRequest["messages"][number],
): OpenAI.ChatCompletionMessageParam {
  if (message.role !== "assistant" || message.tool_calls === undefined) {
    return message as OpenAI.ChatCompletionMessageParam;
  }
  const tool_calls = message.tool_calls.map(({ id, name, arguments: said }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: said },
  }));
  return { role: "assistant", content: message.content || null, tool_calls };
}

async function readWhole(sdk: OpenAI, body: Body, signal: AbortSignal): Promise<Completion> {
  const reply = await sdk.chat.completions.create({ ...body, stream: false }, { signal });
  const message = reply?.choices?.[0]?.message;
  if (typeof message !== "object" || message === null) throw notACompletion();
  const toolCalls: ToolCall[] = [];
  for (const [i, call] of (message.tool_calls ?? []).entries()) {
    const spec: { name?: unknown; arguments?: unknown } = "function" in call ? call.function : {};
    if (typeof spec.name !== "string") continue;
    const said = spec.arguments ?? "";
    toolCalls.push({
      id: call.id || `call_${i}`,
      name: spec.name,
      arguments: typeof said === "string" ? said : JSON.stringify(said),
    });
  }
  const text = typeof message.content === "string" ? message.content : "";
  return { text, toolCalls, usage: toUsage(reply.usage, body, { text, toolCalls }) };
}

async function readStream(
  sdk: OpenAI,
  body: Body,
  options: { signal: AbortSignal; onText: (text: string) => void },
): Promise<Completion> {
  const stream = await sdk.chat.completions.create(
    { ...body, stream: true, stream_options: { include_usage: true } },
    { signal: options.signal },
  );
  if (typeof stream !== "object" || !(Symbol.asyncIterator in stream)) throw notACompletion();
  let text = "";
  let counted: OpenAI.CompletionUsage | null | undefined;
  let pieces = 0;
  const calls: ToolCall[] = [];
  for await (const chunk of stream) {
    counted = chunk?.usage ?? counted;
    const delta = chunk?.choices?.[0]?.delta;
    if (delta === undefined) continue;
    pieces++;
    if (typeof delta.content === "string" && delta.content !== "") {
      text += delta.content;
      options.onText(delta.content);
    }
    for (const part of delta.tool_calls ?? []) {
      const call = calls[part.index ?? 0] ??= { id: "", name: "", arguments: "" };
      call.id ||= part.id ?? "";
      call.name += part.function?.name ?? "";
      call.arguments += part.function?.arguments ?? "";
    }
  }
  if (pieces === 0) throw notACompletion();
  const toolCalls = calls.filter((call) => call !== undefined)
    .map((call, i) => ({ ...call, id: call.id || `call_${i}` }));
  return { text, toolCalls, usage: toUsage(counted, body, { text, toolCalls }) };
}

function toUsage(
  counted: OpenAI.CompletionUsage | null | undefined,
  body: Body,
  said: { text: string; toolCalls: ToolCall[] },
): Completion["usage"] {
  const input = counted?.prompt_tokens;
  const output = counted?.completion_tokens;
  if (typeof input === "number" && typeof output === "number") {
    return { input_tokens: input, output_tokens: output, estimated: false };
  }
  return {
    input_tokens: countTokens(JSON.stringify(body.messages) + JSON.stringify(body.tools ?? [])),
    output_tokens: countTokens(said.text + said.toolCalls.map((call) => call.arguments).join("")),
    estimated: true,
  };
}

function notACompletion(): CallFailure {
  return new CallFailure("it answered with something that is no chat completion", {
    mayRetry: false,
  });
}

/** Text that was shown cannot be taken back, so a stream that broke after it is not tried again. */
function toFailure(error: unknown, about: { shown: boolean; nowMs: number }): CallFailure {
  if (error instanceof CallFailure) return error;
  const status = findField(error, "status");
  const headers = findField(error, "headers");
  const detail = detailOf(error);
  const header = headers instanceof Headers ? headers.get("retry-after") : undefined;
  const known = typeof status === "number" ? status : undefined;
  return new CallFailure(detail, {
    status: known,
    afterMs: parseRetryAfter(header, about.nowMs),
    mayRetry: about.shown ? false : isRetryable({ status: known, detail }),
  });
}

/** The innermost message: the SDK says only "Connection error." itself. */
function detailOf(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 5; at = at.cause) {
    if (error instanceof SyntaxError) return "it answered with something that is no JSON";
    const code = findField(at, "code");
    texts.push(typeof code === "string" ? `${at.message} (${code})` : at.message);
  }
  return texts.filter(Boolean).join(": ") || String(error);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof CallFailure)) return "failure";
  return error.status === undefined ? "the connection broke" : `status ${error.status}`;
}

function findField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
