// What can go wrong with a provider, as errors that a user can act on. The key never gets out: it
// is cut from every message, and the provider's own error is not kept as a cause.

import { CtxError } from "../../core/errors.ts";
import { redactText } from "../../core/redact/redact.ts";
import { toLine } from "../../core/text.ts";

/** What is known of a failed call. */
export interface ProviderFailure {
  status?: number;
  /** What the provider or the network said. */
  detail: string;
  provider: string;
  model: string;
  apiKey: string;
}

const retriedStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const retriedNetwork =
  /ECONNRESET|ETIMEDOUT|connection reset|reset by peer|timed out|connection closed|closed before|broken pipe|EPIPE|unexpected end|unexpected eof|incomplete/i;

/** Whether another try can help. */
export function isRetryable(failure: { status?: number; detail: string }): boolean {
  if (failure.status !== undefined) return retriedStatuses.has(failure.status);
  return retriedNetwork.test(failure.detail);
}

export function toProviderError(failure: ProviderFailure): CtxError {
  const { status, provider, model } = failure;
  const host = URL.parse(provider)?.host ?? "the provider";
  const detail = toLine(hideKey(failure.detail, failure.apiKey), 200);
  if (status === 401 || status === 403) {
    return new CtxError(
      "PROVIDER_FAILED",
      `Cannot ask ${host}: it rejected the API key (${status})`,
      {
        hint: "ctx config set --user llm.api_key - (or CTX_LLM_API_KEY), and check llm.provider",
      },
    );
  }
  if (status === 404) {
    return new CtxError(
      "PROVIDER_FAILED",
      `Cannot ask ${host}: no model "${model}" there, or a wrong address (404)`,
      { hint: "ctx config list shows llm.model and llm.provider" },
    );
  }
  const what = status === undefined ? detail : `it responded with ${status}: ${detail}`;
  return new CtxError("PROVIDER_FAILED", `Cannot ask ${host}: ${what}`, {
    hint: status === undefined || status >= 500 || status === 429
      ? "try again later, or check llm.provider with ctx config list"
      : "ctx config list shows the llm settings",
  });
}

/** The error for a call that took too long. */
export function toTimeoutError(provider: string, timeoutMs: number): CtxError {
  const host = URL.parse(provider)?.host ?? "the provider";
  return new CtxError(
    "PROVIDER_TIMEOUT",
    `Cannot ask ${host}: no response within ${timeoutMs} ms`,
    {
      hint: "try again, or raise llm.timeout_ms",
    },
  );
}

/** A text without the key, whole or echoed in part as providers do. */
export function hideKey(text: string, apiKey: string): string {
  const hidden = apiKey.length >= 4 ? text.replaceAll(apiKey, "[key]") : text;
  return redactText(hidden).value.replace(/\b(sk|key|pk)-[\w*.-]{6,}/gi, "[key]");
}
