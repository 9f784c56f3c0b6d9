// What a terminal is given: stored text is made harmless (control characters, escape sequences,
// direction overrides), then our own style marks become escape sequences. Pipes never load it.

import { homeOf } from "../../core/platform_path.ts";
import { endMark, firstMark, looks, stylesOf } from "../../view/styles.ts";
import { makeView, type View, withoutMarks } from "../../command/view.ts";
import { findEnvironment } from "../../core/environment.ts";
import type { Stream } from "./page.ts";

export { toPage } from "./page.ts";

/** Makes text harmless for a terminal, then turns our own style marks into escape sequences. */
export function toTerminal(text: string): string {
  const open: string[] = [];
  const codes = Object.values(looks);
  return text.replace(unsafe, toVisible).replace(/[\ufdd0-\ufdef]/g, (mark) => {
    const begun = mark !== endMark;
    if (begun) open.push(`\x1b[${codes[mark.charCodeAt(0) - firstMark]}m`);
    else open.pop();
    // Ending one style ends all: those around it go on.
    return begun ? open[open.length - 1] : `\x1b[0m${open.join("")}`;
  });
}

/** How far work has come, for the terminal's last line, over what stood there. */
export function toProgress(message: string, done?: number, total?: number): string {
  if (findEnvironment("TERM") === "dumb") return "";
  const share = done !== undefined && total ? ` ${Math.floor((100 * done) / total)} %` : "";
  const shown = [...toTerminal(inOneLine(message))].slice(0, columns("stderr") - share.length - 1)
    .join("");
  isProgressShown = message !== "";
  return `${overLine}${shown}${share}`;
}

const overLine = "\r\x1b[K";
let isProgressShown = false;

/** Takes away what was shown of progress, so that nothing is written behind it. */
export function clearProgress(): void {
  if (isProgressShown) Deno.stderr.writeSync(new TextEncoder().encode(overLine));
  isProgressShown = false;
}

/** Something that happened, in a line of its own with the local time; over how far work has come. */
export function toEvent(line: string): string {
  const clock = stylesOf(wantsColor("stderr")).dim(new Date().toTimeString().slice(0, 8));
  const over = findEnvironment("TERM") === "dumb" ? "" : overLine;
  return `${over}${toTerminal(`${clock} ${inOneLine(line)}`)}\n`;
}

/** Titles and paths are others' text: one line, without anything a terminal would obey. */
function inOneLine(text: string): string {
  return withoutMarks(text).replace(/[\n\t]/g, " ");
}

/** What standard error is told, in lines that break between words, with room for an answer. */
export function toLines(text: string): string {
  if (!Deno.stderr.isTerminal()) return text;
  const most = Math.max(20, columns("stderr") - answerColumns);
  return text.replace(new RegExp(`([^\\n]{1,${most}})(?: +|$)`, "gm"), "$1\n").trimEnd();
}

/** What ` [y/N] y` takes. */
const answerColumns = 8;

let choice: string | undefined;

/** Holds to what the words of a command line say with `--color`. */
export function chooseColor(words: readonly string[]): void {
  const at = words.findIndex((word) => /^--color(=|$)/.test(word));
  choice = at < 0 ? undefined : words[at].slice("--color=".length) || words[at + 1];
}

/** Whether colour is wanted on a stream: https://no-color.org and https://bixense.com/clicolors. */
export function wantsColor(stream: Stream): boolean {
  if (choice === "always" || choice === "never") return choice === "always";
  if (Deno.noColor) return false;
  if ((findEnvironment("CLICOLOR_FORCE") || "0") !== "0") return true;
  return Deno[stream].isTerminal() && findEnvironment("CLICOLOR") !== "0" &&
    findEnvironment("TERM") !== "dumb";
}

export async function openView(
  { stream = "stdout", nowMs, streamed, suffices }: {
    stream?: Stream;
    nowMs: number;
    streamed?: boolean;
    suffices?: (id: string) => number | undefined;
  },
): Promise<View> {
  const color = wantsColor(stream);
  if (!Deno[stream].isTerminal()) return makeView({ streamed, styles: stylesOf(color) });
  const { makeTerminalView } = await import("../../view/terminal_view.ts");
  return makeTerminalView({
    color,
    streamed,
    width: columns(stream),
    now: nowMs,
    suffices,
    home: homeOf(findEnvironment),
  });
}

/** An error with its hint, or a note, which is not in the colour of errors. */
export function styleError(message: string, hint?: string, isNote?: boolean): string {
  const { error, dim } = stylesOf(wantsColor("stderr"));
  const said = withoutMarks({ message, hint });
  return `${isNote ? "ctx:" : error("ctx:")} ${toLines(said.message)}\n${
    said.hint ? `${dim("hint:")} ${said.hint}\n` : ""
  }`;
}

/** Columns of the terminal, or 100 where there is none or it does not know. */
function columns(stream: Stream): number {
  try {
    return Deno[stream].isTerminal() ? Deno.consoleSize().columns || 100 : 100;
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
