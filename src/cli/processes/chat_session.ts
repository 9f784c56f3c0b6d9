// One conversation on a terminal: commands, questions, streaming and interruption. The agent behind it
// keeps the turns. Errors of one question do not end the conversation.

import { openContext } from "../../app/app.ts";
import { type Answer, describeSource } from "../../ask/answer.ts";
import type { AskLimits } from "../../ask/ask_limits.ts";
import { MemoryAgent } from "../../ask/memory_agent.ts";
import { encode } from "../../command/execute.ts";
import { openCollectionStores, placeCollections } from "../../intake/documents/collection_scope.ts";
import type { Context } from "../../command/command.ts";
import { makeView, type View } from "../../command/view.ts";
import { errorKinds, toCtxError } from "../../core/errors.ts";
import { toLine } from "../../core/text.ts";
import { ChatStore } from "../../store/chat_log.ts";
import { openView, writeOut } from "../line/terminal.ts";
import type { TypedLines } from "./typed_lines.ts";

/** How the conversation starts. */
export interface ChatOptions extends AskLimits {
  workspace?: string;
  use_case?: string;
  temperature?: number;
  verbose: boolean;
}

const commands: [string, string][] = [
  ["/help", "show these commands"],
  ["/collections [NAME…|all]", "show or choose collections"],
  ["/use-case [TEXT]", "show or change the use case"],
  ["/sources", "show the last answer's sources in full"],
  ["/clear", "start over"],
  ["/verbose", "show or hide the steps"],
  ["/quit", "quit (also /exit, Ctrl-D, Ctrl-C twice)"],
];

export class ChatSession {
  readonly #options: ChatOptions;
  readonly #agent: MemoryAgent;
  #view: View = makeView({});
  #last?: Answer;
  #running?: AbortController;
  #typed?: TypedLines;
  /** Whether the next line is a use case. */
  #awaitsUseCase = false;
  /** Whether Ctrl-C was pressed with nothing to stop: once more leaves. */
  #mayLeave = false;

  constructor(options: ChatOptions) {
    this.#options = { ...options };
    this.#agent = new MemoryAgent((signal) => this.#context(signal), options);
  }

  /** Checks that there is a store and that the limits exist, before anything is typed. */
  async open(): Promise<void> {
    if (Deno.stdout.isTerminal()) this.#view = await openView({ nowMs: Date.now() });
    await this.#agent.check();
  }

  /** Goes on with the conversation that the first word names, else with the last; returns the rest. */
  async resume(said: string | undefined): Promise<string | undefined> {
    const [word = "", ...rest] = said?.trim().split(/\s+/) ?? [];
    const isNamed = word.startsWith("S-");
    const { id, subject } = await this.#agent.resume(isNamed ? word : undefined);
    tell(`ctx: continuing ${id}: ${toLine(subject, 100)}\n`);
    return isNamed ? rest.join(" ") || undefined : said;
  }

  /** Says hello on a terminal. */
  greet(): void {
    if (!this.#view.terminal) return;
    say(
      `ctx chat ${
        this.#view.dim(
          "/help for commands, Ctrl-C to stop an answer, /quit to quit",
        )
      }\n`,
    );
    if (this.#agent.useCase) say(`Use case: ${this.#agent.useCase}\n`);
  }

  /** Lines with editing and the questions asked before, on this terminal; dispose of them. */
  async openLines(): Promise<TypedLines> {
    const { TypedLines } = await import("./typed_lines.ts");
    this.#typed = new TypedLines(this.#promptText(), {
      asked: await this.#readAsked(),
      onKey: () => this.#mayLeave = false,
    });
    return this.#typed;
  }

  /** What was asked in this store, oldest first; what cannot be read is a warning. */
  async #readAsked(): Promise<string[]> {
    try {
      const rows = [...new ChatStore(await this.#context().openStore()).entries()];
      return rows.filter(({ entry }) => entry.role === "user").map(({ entry }) => entry.text);
    } catch (error) {
      tell(`ctx: warning: earlier questions could not be loaded: ${toCtxError(error).message}\n`);
      return [];
    }
  }

  /** Shows that it is the user's turn. */
  prompt(): void {
    if (!this.#view.terminal) return;
    say("\n");
    if (this.#typed) this.#typed.show();
    else say(this.#promptText());
  }

  #promptText(): string {
    return `${this.#view.bold("you>")} `;
  }

  /**
   * Stops the answer that is being written, else clears what is typed; without either says how to leave,
   * and the second time leaves.
   */
  interrupt(): void {
    if (this.#running) return this.#running.abort();
    if (this.#typed?.clear()) return;
    if (this.#mayLeave) {
      say("\n");
      return Deno.exit(0);
    }
    this.#mayLeave = true;
    if (this.#view.terminal) {
      say(`\n${this.#view.dim("(nothing to stop; press Ctrl-C again or type /quit to quit)")}`);
      this.prompt();
    }
  }

  /** Takes one line: a command or a question. */
  async take(line: string): Promise<"quit" | "go on"> {
    this.#mayLeave = false;
    const text = line.trim();
    if (this.#awaitsUseCase) {
      this.#awaitsUseCase = false;
      if (!text.startsWith("/")) return this.#setUseCase(text);
    }
    if (text === "") return "go on";
    if (!text.startsWith("/")) {
      await this.ask(text);
      return "go on";
    }
    const [name, ...rest] = text.split(/\s+/);
    const said = text.slice(name.length).trim();
    if (name === "/quit" || name === "/exit") return "quit";
    if (name === "/help") say(commands.map(([word, about]) => `${word}  ${about}\n`).join(""));
    else if (name === "/collections") await this.#chooseCollections(rest);
    else if (name === "/use-case") this.#changeUseCase(said);
    else if (name === "/sources") this.#showSources();
    else if (name === "/clear") {
      this.#agent.clearHistory();
      this.#last = undefined;
      say("Cleared.\n");
    } else if (name === "/verbose") {
      this.#options.verbose = !this.#options.verbose;
      say(`Steps are ${this.#options.verbose ? "shown" : "hidden"}.\n`);
    } else say(`Unknown command ${name}; /help lists commands.\n`);
    return "go on";
  }

  /** Answers a question and returns the exit code that it would amount to. */
  async ask(question: string, options: { json?: boolean } = {}): Promise<number> {
    const running = this.#running = new AbortController();
    let shown = "";
    const onText = options.json ? undefined : (text: string): void => {
      shown += text;
      say(text);
    };
    try {
      const answer = this.#last = await this.#agent.chat(question, {
        signal: running.signal,
        onText,
        onStep: this.#options.verbose
          ? (step) => tell(`${/[^\n]$/.test(shown) ? "\n" : ""}· ${step}\n`)
          : undefined,
      });
      if (options.json) say(encode(answer) + "\n");
      else this.#showAnswer(answer, shown);
      return 0;
    } catch (thrown) {
      if (running.signal.aborted) {
        say(`${shown === "" ? "" : "\n"}${this.#view.dim("(stopped)")}\n`);
        return errorKinds.INTERRUPTED.exit;
      }
      if (options.json) throw thrown;
      const error = toCtxError(thrown);
      const line = shown === "" ? "" : "\n";
      tell(`${line}ctx: ${error.message}\n${error.hint ? `hint: ${error.hint}\n` : ""}`);
      return errorKinds[error.code].exit;
    } finally {
      this.#running = undefined;
    }
  }

  #context(signal?: AbortSignal): Context & Disposable {
    return openContext({
      surface: "cli",
      workspace: this.#options.workspace,
      signal,
      warn: (message) => tell(`ctx: warning: ${message}\n`),
    });
  }

  #showAnswer(answer: Answer, shown: string): void {
    if (shown.trim() === "") say(this.#view.wrap(answer.answer));
    const { sources, confidence, mode, usage } = answer;
    const facts = [
      ...(confidence === undefined ? [] : [`Confidence: ${confidence}`]),
      ...(sources.length > 0 ? [] : ["no verified source"]),
      mode === "llm" ? `${this.#view.count(usage.total_tokens)} tokens` : "extractive",
    ].join(" · ");
    const places = { first: "  ", indent: "    " };
    const lines = sources.map((source) => `${this.#view.wrap(describeSource(source), places)}\n`)
      .join("");
    const list = lines === "" ? "" : `${this.#view.bold("Sources")}\n${lines}\n`;
    say(`\n\n${list}${this.#view.dim(facts)}\n`);
    if (answer.note) tell(`ctx: ${answer.note}\n`);
  }

  #showSources(): void {
    const sources = this.#last?.sources ?? [];
    if (sources.length === 0) return say("No sources yet.\n");
    for (const source of sources) {
      say(`${this.#view.bold(describeSource(source))}\n  "${source.quote}"\n`);
    }
  }

  async #chooseCollections(names: string[]): Promise<void> {
    const stores = await openCollectionStores(this.#context(), this.#options);
    const known = [...placeCollections(stores).keys()];
    if (names.length > 0) {
      const strange = names.filter((name) => name !== "all" && !known.includes(name));
      if (strange.length > 0) return say(`There is no collection ${strange.join(", ")}.\n`);
      this.#agent.setCollections(names.includes("all") ? [] : names);
    }
    const active = this.#agent.collections;
    const named = active.length > 0 ? active.join(", ") : "all, and history";
    say(`Active collections: ${named}\n`);
    say(`Known: ${known.join(", ") || "none (ctx docs add NAME PATH)"}\n`);
  }

  /** On a terminal the new one may be said in the next line. */
  #changeUseCase(text: string): void {
    if (text !== "") return void this.#setUseCase(text);
    say(`Current: ${this.#agent.useCase ?? "none (/use-case TEXT sets one)"}\n`);
    this.#awaitsUseCase = this.#view.terminal;
    if (this.#awaitsUseCase) say("New use case (Enter keeps it):\n");
  }

  #setUseCase(text: string): "go on" {
    if (text !== "") this.#agent.setUseCase(text);
    say(`Use case: ${this.#agent.useCase ?? "none"}\n`);
    return "go on";
  }
}

function say(text: string): void {
  writeOut("stdout", text);
}

function tell(text: string): void {
  writeOut("stderr", text);
}
