// An agent that answers from a memory: `ask` takes a question that stands alone, `chat` goes on from
// the turns before. `ctx chat` and the library share it; what it says is theirs to show.

import { CtxError, toCtxError } from "../core/errors.ts";
import { makeId } from "../core/id.ts";
import type { Message } from "./llm/message.ts";
import { appendChat, chatType } from "../store/chat_log.ts";
import { findUseCase, getChat } from "../store/list_chats.ts";
import type { Context } from "../command/command.ts";
import type { Answer } from "./answer.ts";
import { answerQuestion } from "./answer_question.ts";
import { resolveScope } from "./ask_scope.ts";
import { followUp } from "./follow_up.ts";
import { findLlmSettings } from "./llm_settings.ts";
import type { Question } from "./question.ts";

/** What an agent may read, and how it answers; everything has a sensible default. */
export interface AgentOptions {
  /** What the answers are for: tells when enough was found. */
  use_case?: string;
  /** Only documents of these collections. */
  collections?: string[];
  /** Only this session: all, current or an id. */
  session?: string;
  /** Only this project. */
  project?: string;
  /** Whether your own collections are read too; they are, unless this is false. */
  global?: boolean;
  /** Another model than the configured one. */
  model?: string;
  /** Another temperature than the configured one. */
  temperature?: number;
}

/** What may be said of one question. */
export interface AgentCall {
  /** Only documents of these collections, this time. */
  collections?: string[];
  /** Ends the answer when it is aborted. */
  signal?: AbortSignal;
  /** Takes the words of a model as they come. */
  onText?: (text: string) => void;
  /** Takes each step: searches, calls of tools and models, retries. */
  onStep?: (step: string) => void;
}

/** Opens the memory for one question; closed when it is answered. */
export type AgentWorld = (signal?: AbortSignal) => Context & Disposable;

/** Answers from the memory of one workspace; `openAgent()` makes one. */
export class MemoryAgent {
  readonly #open: AgentWorld;
  readonly #options: AgentOptions;
  #id?: string;
  #history: Message[] = [];
  /** What the turns so far were made of: a later answer may repeat an earlier one. */
  #shown = new Set<string>();
  /** What was searched for last: where no model reads the turns, a question that goes on needs it. */
  #subject?: string;

  /** An agent in its world. */
  constructor(open: AgentWorld, options: AgentOptions = {}) {
    this.#open = open;
    this.#options = { ...options };
  }

  /** What the answers are for. */
  get useCase(): string | undefined {
    return this.#options.use_case;
  }

  /** The collections that it reads; none named are history and all collections. */
  get collections(): readonly string[] {
    return this.#options.collections ?? [];
  }

  /** Says what the answers are for from now on. */
  setUseCase(useCase: string): void {
    this.#options.use_case = useCase;
  }

  /** Reads only these collections from now on; without any, history and all collections. */
  setCollections(names: string[]): void {
    this.#options.collections = [...names];
  }

  /** Checks that there is a store and that the limits exist; `ask` and `chat` do so too. */
  async check(): Promise<void> {
    using context = this.#open();
    await this.#scopeOf(context);
  }

  /** Answers a question that stands alone: no turn comes before it, and none is kept. */
  async ask(query: string, useCase = this.useCase, call: AgentCall = {}): Promise<Answer> {
    using context = this.#open(call.signal);
    try {
      return await this.#answer({ query, useCase, command: "ask" }, call, context);
    } catch (error) {
      throw toFailure(error, context);
    }
  }

  /**
   * Answers the next turn of the conversation, whose transcript is kept under `.contextfs/chat/`. One
   * that is stopped stays a turn, with the words so far.
   */
  async chat(message: string, call: AgentCall = {}): Promise<Answer> {
    using context = this.#open(call.signal);
    let said = "";
    try {
      const hasModel = findLlmSettings(await context.readConfig(), this.#options) !== undefined;
      const query = this.#subject = hasModel ? message : followUp(message, this.#subject);
      const { onText } = call;
      const answer = await this.#answer(
        { query, useCase: this.useCase, command: "chat", history: this.#history },
        {
          ...call,
          onText: hasModel && onText
            ? (text) => {
              said += text;
              onText(text);
            }
            : undefined,
        },
        context,
      );
      await this.#keep(context, message, answer);
      return answer;
    } catch (error) {
      if (context.signal.aborted) {
        using later = this.#open();
        await this.#keep(later, message, undefined, said);
      }
      throw toFailure(error, context);
    }
  }

  /** Goes on with a conversation that was kept: the one whose id begins so, or the last one. */
  async resume(beginning?: string): Promise<{ id: string; subject: string }> {
    using context = this.#open();
    const { id, turns } = getChat(await context.openStore(), beginning);
    this.#id = id;
    this.#history = turns.filter(({ text }) => text !== "").map(({ role, text }) => ({
      role: role === "user" ? "user" : "assistant",
      content: text,
    }));
    const evidence = turns.flatMap(({ evidence }) => Array.isArray(evidence) ? evidence : []);
    this.#shown = new Set(evidence.filter((one) => typeof one === "string"));
    const subject = turns.findLast(({ role }) => role === "user")?.text ?? "";
    this.#subject = subject;
    this.#options.use_case ??= findUseCase(turns).use_case;
    return { id, subject };
  }

  /** Forgets the turns so far: the next one begins another conversation. */
  clearHistory(): void {
    this.#id = undefined;
    this.#history = [];
    this.#shown = new Set();
    this.#subject = undefined;
  }

  async #answer(
    question: Omit<Question, "scope">,
    { collections, onText, onStep }: AgentCall,
    context: Context,
  ): Promise<Answer> {
    const { model, temperature } = this.#options;
    return await answerQuestion({
      ...question,
      scope: await this.#scopeOf(context, collections),
      model,
      temperature,
      shown: question.command === "chat" ? this.#shown : undefined,
      onText,
      onStep,
    }, context);
  }

  #scopeOf(context: Context, collections = this.collections): ReturnType<typeof resolveScope> {
    const { session = "all", project, global = true } = this.#options;
    return resolveScope({ collections: [...collections], session, project, global }, context);
  }

  /** Remembers a turn and writes it down; where that fails there is a warning, and it goes on. */
  async #keep(context: Context, message: string, answer?: Answer, partial = ""): Promise<void> {
    this.#history.push(
      { role: "user", content: message },
      { role: "assistant", content: answer?.answer ?? (partial || "(stopped)") },
    );
    this.#id ??= makeId("S", context.now(), context.random());
    const ts = new Date(context.now()).toISOString();
    const evidence = [...this.#shown];
    const common = { ts, type: chatType, source: { agent: "ctx-chat" }, evidence };
    try {
      await appendChat(await context.openStore(), this.#id, [
        {
          ...common,
          ...(this.useCase ? { use_case: this.useCase } : {}),
          role: "user",
          text: message,
        },
        {
          ...common,
          role: "assistant",
          text: answer?.answer ?? partial,
          ...(answer === undefined ? { interrupted: true } : {
            refs: answer.sources.map(({ entry_id }) => entry_id),
            mode: answer.mode,
            ...(answer.model ? { model: answer.model } : {}),
          }),
        },
      ]);
    } catch (error) {
      context.warn(`the transcript was not saved: ${toCtxError(error).message}`);
    }
  }
}

function toFailure(error: unknown, { signal }: Context): CtxError {
  return signal.aborted && !(error instanceof CtxError)
    ? new CtxError("INTERRUPTED", "Interrupted", { cause: error })
    : toCtxError(error);
}
