// The way to the terminal: stored text is made harmless there (control characters, escape
// sequences, direction overrides), and left as it is on pipes. A broken pipe is success.

import { makeView, type View } from "../../command/view.ts";
import { hasCode } from "../../core/errors.ts";
import { encodeExact } from "../../core/utf8.ts";
import { findEnvironment } from "../../core/environment.ts";
import type { Stream } from "./page.ts";

/** Thrown when the reader of a pipe has gone. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

type Terminal = typeof import("./to_terminal.ts");
let terminal: Terminal | undefined;

/**
 * Loads what terminals need, where one may be written to or colour is wanted. Comes before all output:
 * what was not loaded is a pipe, which gets text as it is.
 */
export async function loadTerminal(words: readonly string[]): Promise<void> {
  if (
    Deno.stdout.isTerminal() || Deno.stderr.isTerminal() || findEnvironment("CLICOLOR_FORCE") ||
    words.some((word) => word.startsWith("--color"))
  ) {
    terminal = await import("./to_terminal.ts");
    terminal.chooseColor(words);
  }
}

/** Writes text to standard output or standard error, whole; `styled` text has marks for styles. */
export function writeOut(stream: Stream, text: string, styled?: boolean): void {
  terminal?.clearProgress();
  if (styled || Deno[stream].isTerminal()) text = getTerminal().toTerminal(text);
  const bytes = encodeExact(text);
  if (!terminal?.toPage(stream, bytes)) writeBytes(stream, bytes);
}

function getTerminal(): Terminal {
  // Stored text never reaches a terminal as it is.
  if (!terminal) throw new Error("loadTerminal() was not awaited");
  return terminal;
}

export function wantsColor(stream: Stream): boolean {
  return terminal?.wantsColor(stream) ?? false;
}

/** Shows how far work has come in the terminal's last line, over what stood there; nothing on pipes. */
export function showProgress(message: string, done?: number, total?: number): void {
  if (!Deno.stderr.isTerminal()) return;
  writeBytes("stderr", encodeExact(getTerminal().toProgress(message, done, total)));
}

/** Says what happens, with the time, to whoever watches the terminal; nothing on pipes. */
export function tellLine(line: string): void {
  if (!Deno.stderr.isTerminal()) return;
  writeBytes("stderr", encodeExact(getTerminal().toEvent(line)));
}

/** Writes bytes, whole; throws OutputClosed when the reader has gone. */
export function writeBytes(stream: Stream, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += Deno[stream].writeSync(bytes.subarray(written));
    } catch (error) {
      // On Windows only the error code shows that the reader has gone.
      if (error instanceof Deno.errors.BrokenPipe || hasCode(error, "EPIPE")) {
        throw new OutputClosed();
      }
      if (error instanceof Deno.errors.WouldBlock) continue;
      throw error;
    }
  }
}

/** Whether a person can be asked: what is asked is seen, and an answer can be typed. */
export function isSomeoneThere(): boolean {
  return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
}

/** How a stream shows things; what fits them to a screen is loaded only where there is one. */
export async function openView(options: Parameters<Terminal["openView"]>[0]): Promise<View> {
  return await terminal?.openView(options) ?? makeView(options);
}

export function styleError(message: string, hint?: string, isNote?: boolean): string {
  return terminal?.styleError(message, hint, isNote) ??
    `ctx: ${message}\n${hint ? `hint: ${hint}\n` : ""}`;
}
