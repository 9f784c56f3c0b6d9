// A program on a terminal of its own, driven like a person does: tmux types and reads the screen.

import { ctxCommand, isolatedEnv } from "./run_ctx.ts";

/** Whether tmux is there. */
export function hasTmux(): boolean {
  try {
    return new Deno.Command("tmux", { args: ["-V"] }).outputSync().success;
  } catch {
    return false;
  }
}

/** A terminal with a running `ctx`. */
export class Pty implements AsyncDisposable {
  readonly #socket = `ctx-test-${crypto.randomUUID().slice(0, 8)}`;

  /** Starts `ctx WORDS…` in a directory; what follows its end is shown as `exit CODE`. */
  static async start(
    words: readonly string[],
    options: { cwd: string; env?: Record<string, string> },
  ): Promise<Pty> {
    const pty = new Pty();
    const line = ctxCommand(...words).map(quote).join(" ");
    await pty.#tmux(
      ["new-session", "-d", "-x", "160", "-y", "50", `${line}; echo "exit $?"; sleep 60`],
      { cwd: options.cwd, env: { ...isolatedEnv(options.cwd), ...options.env, TERM: "xterm" } },
    );
    return pty;
  }

  /** Types text and the enter key. */
  async type(text: string): Promise<void> {
    await this.#tmux(["send-keys", "-l", text]);
    await this.#tmux(["send-keys", "Enter"]);
  }

  /** Presses a key by tmux's name for it, such as C-c. */
  async press(key: string): Promise<void> {
    await this.#tmux(["send-keys", key]);
  }

  /** The screen with what has scrolled off it. */
  async screen(): Promise<string> {
    return await this.#tmux(["capture-pane", "-p", "-S", "-500"]);
  }

  /** Waits until the screen shows something. */
  async until(pattern: RegExp): Promise<string> {
    let screen = "";
    // The limit only ends what would hang.
    for (let i = 0; i < 3600; i++) {
      screen = await this.screen();
      if (pattern.test(screen)) return screen;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the screen never showed ${pattern}:\n${screen}`);
  }

  async #tmux(
    args: string[],
    options: { cwd?: string; env?: Record<string, string> } = {},
  ): Promise<string> {
    const { stdout } = await new Deno.Command("tmux", {
      args: ["-L", this.#socket, "-f", "/dev/null", ...args],
      ...options,
      ...(options.env ? { clearEnv: true } : {}),
      stderr: "null",
    }).output();
    return new TextDecoder().decode(stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux(["kill-server"]);
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
