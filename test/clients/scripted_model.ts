// A language model on 127.0.0.1 that plays a script, in the protocols of the four clients: Anthropic
// Messages, OpenAI chat completions and Responses, Gemini generateContent. Keeps every request.

import { anthropicMessages } from "./dialects/anthropic_messages.ts";
import { geminiContent } from "./dialects/gemini_content.ts";
import { openaiChat } from "./dialects/openai_chat.ts";
import { openaiResponses } from "./dialects/openai_responses.ts";
import { chooseTurn, type ModelRequest, type ModelStep, type ModelTurn } from "./model_step.ts";

/** A protocol: how requests are read and answers written. */
export interface Dialect {
  /** Whether a path is one of its requests to the model. */
  matches(path: string): boolean;
  read(body: JsonObject): ModelRequest;
  /** The events of the answer, or its one body when it is not streamed. */
  write(
    turn: ModelTurn,
    body: JsonObject,
    about: { path: string; promptTokens: number },
  ): StreamedAnswer | JsonObject;
}

/** A JSON object out of a request; what is in it is looked at where it is used. */
// deno-lint-ignore no-explicit-any
export type JsonObject = Record<string, any>;

/** Server-sent events. */
export interface StreamedAnswer {
  events: { event?: string; data: JsonObject | string }[];
}

/** One request to the model, as it came. */
export interface SeenRequest {
  path: string;
  text: string;
  request: ModelRequest;
}

const dialects: readonly Dialect[] = [
  anthropicMessages,
  openaiChat,
  openaiResponses,
  geminiContent,
];

const smallPrompt = 10;

/** The model; dispose of it. */
export class ScriptedModel implements AsyncDisposable {
  /** All requests that offered tools: those of the conversation itself. */
  readonly requests: SeenRequest[] = [];
  /** Requests that nothing here could answer. */
  readonly unknown: string[] = [];
  script: ModelStep[] = [];
  /** What is played where a request does not hold the words of the session itself. */
  subagent?: { outside: string; script: ModelStep[] };
  /** What a request for a summary is answered with, and how many there were. */
  summary?: string;
  summaries = 0;
  /** The size that is reported of a prompt; small again once there is a summary. */
  promptTokens = smallPrompt;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#answer(request),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const dialect = dialects.find((one) => one.matches(pathname));
    if (dialect !== undefined) return this.#speak(dialect, { path: pathname, text });
    const small = smallAnswers.find(({ path }) => path.test(pathname));
    if (small !== undefined) return Response.json(small.body);
    this.unknown.push(`${request.method} ${pathname}`);
    return Response.json({ error: { message: `no such route ${pathname}` } }, { status: 404 });
  }

  #speak(dialect: Dialect, { path, text }: { path: string; text: string }): Response {
    const body: JsonObject = JSON.parse(text);
    const request = dialect.read(body);
    const isSummary = this.summary !== undefined && summaryRequest.test(text);
    const { subagent } = this;
    const isOutside = subagent !== undefined && !text.includes(subagent.outside);
    const played = isOutside ? subagent.script : this.script;
    const turn = isSummary ? { text: this.summary ?? "" } : chooseTurn(played, request);
    if (isSummary) {
      this.summaries++;
      this.promptTokens = smallPrompt;
    } else if (request.tools.length > 0) this.requests.push({ path, text, request });
    const answer = dialect.write(turn, body, { path, promptTokens: this.promptTokens });
    if (!("events" in answer)) return Response.json(answer);
    const { events }: StreamedAnswer = { events: answer.events };
    const lines = events.map(({ event, data }) =>
      `${event === undefined ? "" : `event: ${event}\n`}data: ${
        typeof data === "string" ? data : JSON.stringify(data)
      }\n\n`
    );
    return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** The words by which clients ask for a summary of the conversation. */
const summaryRequest =
  /create a detailed summary of the conversation|CONTEXT CHECKPOINT COMPACTION|handoff summary for another|context summarization agent|produce the <state_snapshot>|distilling chat history/i;

/** What clients ask beside the conversation. */
const smallAnswers = [
  { path: /\/count_tokens$/, body: { input_tokens: 10 } },
  { path: /:countTokens$/, body: { totalTokens: 10 } },
  { path: /\/models$/, body: { object: "list", data: [], models: [] } },
];
