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

/** Where and how it is started. */
export interface PtyOptions {
  cwd: string;
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
  around?: string;
}

const noStatus = [";", "set", "-g", "status", "off"];
const clipboard = [";", "set", "-g", "set-clipboard", "on"];

/** A terminal with a running `ctx`. */
export class Pty implements AsyncDisposable {
  readonly #socket = `ctx-test-${crypto.randomUUID().slice(0, 8)}`;

  /**
   * Starts `ctx WORDS…` in a directory; what follows its end is shown as `exit CODE`. `around` is put
   * around it, with `%` for the words that start it.
   */
  static async start(words: readonly string[], options: PtyOptions): Promise<Pty> {
    const { cwd, env, columns = 160, rows = 50, around = "%" } = options;
    const pty = new Pty();
    const line = around.replace("%", () => ctxCommand(...words).map(quote).join(" "));
    const size = ["-x", String(columns), "-y", String(rows)];
    await pty.#tmux(
      [
        "new-session",
        "-d",
        ...size,
        `${line}; echo "exit $?"; sleep 60`,
        ...noStatus,
        ...clipboard,
      ],
      { cwd, env: { ...isolatedEnv(cwd), PAGER: "cat", ...env, TERM: "xterm" } },
    );
    return pty;
  }

  /** Types text and the enter key. */
  async type(text: string): Promise<void> {
    await this.#tmux(["send-keys", "-l", text]);
    await this.#tmux(["send-keys", "Enter"]);
  }

  /** Types text and nothing after it. */
  async write(text: string): Promise<void> {
    await this.#tmux(["send-keys", "-l", text]);
  }

  /** Pastes text as a terminal does: marked as pasted where the program asked for that. */
  async paste(text: string): Promise<void> {
    await this.#tmux(["set-buffer", text]);
    await this.#tmux(["paste-buffer", "-p", "-r"]);
  }

  /** Gives the terminal another size. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux(["resize-window", "-x", String(columns), "-y", String(rows)]);
  }

  /** What was copied to the clipboard last. */
  async clipboard(): Promise<string> {
    return await this.#tmux(["show-buffer"]);
  }

  /** Presses a key by tmux's name for it, such as C-c. */
  async press(key: string): Promise<void> {
    await this.#tmux(["send-keys", key]);
  }

  /** The screen with what has scrolled off it; with the escape sequences of its styles if asked. */
  async screen(options: { styles?: boolean } = {}): Promise<string> {
    return await this.#tmux([
      "capture-pane",
      "-p",
      "-S",
      "-500",
      ...(options.styles ? ["-e"] : []),
    ]);
  }

  /** The screen with lines that were broken at the terminal's edge put together again. */
  async joined(): Promise<string> {
    return await this.#tmux(["capture-pane", "-p", "-J", "-S", "-500"]);
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
      args: ["-u", "-L", this.#socket, "-f", "/dev/null", ...args],
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
