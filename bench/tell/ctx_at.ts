// Runs the built file in a workspace at a moment in the past: Debian's `faketime` sets its clock. It
// has a home directory of its own, so nothing of the person who measures gets in.

import { isObject } from "../../src/core/json.ts";
import type { ToldLine } from "./score.ts";

/** A ctx, a home and a workspace. */
export interface CtxOptions {
  file: string;
  home: string;
  workspace: string;
}

/** A line as `ctx preview --json` has it, or a record. */
export interface GivenLine {
  id?: string;
  text: string;
  refs?: string[];
}

/** Whether the clock of a process can be set here. */
export function hasFaketime(): boolean {
  try {
    return new Deno.Command("faketime", { args: ["--version"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Runs ctx, and reads which messages its answers rest on. */
export class CtxAt {
  readonly #options: CtxOptions;
  #readBytes = 0;
  readonly #messages = new Map<string, string>();
  readonly #refs = new Map<string, string[]>();
  /** The agent's own id of each session. */
  readonly conversations = new Map<string, string>();

  constructor(options: CtxOptions) {
    this.#options = options;
  }

  /** The JSON that a command answers with at a time. */
  async ask<T>(time: string, args: string[]): Promise<T> {
    const { file, home, workspace } = this.#options;
    const { PATH = "" } = Deno.env.toObject();
    const { stdout, stderr } = await new Deno.Command("faketime", {
      args: [time.slice(0, 19).replace("T", " "), file, ...args, "--json"],
      cwd: workspace,
      clearEnv: true,
      env: { PATH, HOME: home, TZ: "UTC" },
      stdin: "null",
    }).output();
    const text = new TextDecoder().decode(stdout);
    if (text.startsWith("{")) return JSON.parse(text);
    const said = new TextDecoder().decode(stderr);
    throw new Error(`ctx ${args.slice(0, 2).join(" ")} at ${time} failed: ${said}`);
  }

  /** Lines with the messages that they, or the entries they refer to, came from. */
  withMessages(lines: readonly GivenLine[]): ToldLine[] {
    this.#catchUp();
    return lines.filter(({ text }) => text.trim() !== "").map(({ id = "", text, refs }) => ({
      text: text.startsWith("- [") && text.includes(": ")
        ? text.slice(text.indexOf(": ") + 2)
        : text,
      messages: [id, ...refs ?? this.#refs.get(id) ?? []]
        .flatMap((name) => this.#messages.get(name) ?? []),
    }));
  }

  /** Whether the log has something of a conversation. */
  hasConversation(id: string): boolean {
    this.#catchUp();
    return this.conversations.values().some((conversation) => conversation === id);
  }

  /** Reads what the log has more than last time. */
  #catchUp(): void {
    const path = `${this.#options.workspace}/.contextfs/history.ndjson`;
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(file.statSync().size - this.#readBytes);
    file.seekSync(this.#readBytes, Deno.SeekMode.Start);
    let size = 0;
    for (let read; size < bytes.length && (read = file.readSync(bytes.subarray(size)));) {
      size += read;
    }
    this.#readBytes += size;
    for (const line of new TextDecoder().decode(bytes.subarray(0, size)).split("\n")) {
      if (line !== "") this.#note(JSON.parse(line));
    }
  }

  #note(entry: unknown): void {
    if (!isObject(entry) || typeof entry.id !== "string") return;
    const { id, session_id, source, refs } = entry;
    if (Array.isArray(refs)) this.#refs.set(id, refs);
    if (!isObject(source)) return;
    if (typeof source.message === "string") this.#messages.set(id, source.message.split("#")[0]);
    if (typeof session_id === "string" && typeof source.conversation === "string") {
      this.conversations.set(session_id, source.conversation);
    }
  }
}
