// The way to the terminal: stored text is made harmless there (control characters, escape
// sequences, direction overrides), and left as it is on pipes. A broken pipe is success.

import { marks, withoutMarks } from "../../table/view.ts";
import { encodeExact } from "../../core/utf8.ts";

/** Thrown when the reader of a pipe has gone. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/** Writes text to standard output or standard error, whole. */
export function writeOut(stream: "stdout" | "stderr", text: string): void {
  const target = Deno[stream];
  const safe = target.isTerminal() ? toTerminal(text) : text;
  writeBytes(stream, encodeExact(safe));
}

/** Writes bytes, whole; throws OutputClosed when the reader has gone. */
export function writeBytes(stream: "stdout" | "stderr", bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += Deno[stream].writeSync(bytes.subarray(written));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosed();
      if (error instanceof Deno.errors.WouldBlock) continue;
      throw error;
    }
  }
}

/** Whether a person can be asked: what is asked is seen, and an answer can be typed. */
export function isSomeoneThere(): boolean {
  return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
}

/** Shows how far work has come in the terminal's last line, over what stood there; nothing on pipes. */
export function showProgress(message: string, done?: number, total?: number): void {
  if (!Deno.stderr.isTerminal()) return;
  const share = done !== undefined && total ? ` ${Math.floor((100 * done) / total)} %` : "";
  // Titles and paths are others' text: one line, without anything a terminal would obey.
  const line = withoutMarks(message).replace(/[\n\t]/g, " ");
  const shown = [...toTerminal(line)].slice(0, columns() - share.length - 1).join("");
  writeBytes("stderr", encodeExact(`\r\x1b[K${shown}${share}`));
}

/** Makes text harmless for a terminal, then turns our own style marks into escape sequences. */
export function toTerminal(text: string): string {
  return text
    .replace(unsafe, toVisible)
    .replaceAll(marks.bold, "\x1b[1m")
    .replaceAll(marks.dim, "\x1b[2m")
    .replaceAll(marks.end, "\x1b[0m");
}

/** Whether colour is wanted on a stream: a terminal, and NO_COLOR is not set. */
export function wantsColor(stream: "stdout" | "stderr"): boolean {
  return Deno[stream].isTerminal() && !Deno.noColor;
}

/** Columns of the terminal, or 100 where there is none. */
export function columns(): number {
  try {
    return Deno.stdout.isTerminal() ? Deno.consoleSize().columns : 100;
  } catch {
    return 100;
  }
}

// deno-lint-ignore no-control-regex
const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function toVisible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
