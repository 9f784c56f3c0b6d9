// Long output on a terminal: it goes into the file that the launcher named (CTX_PAGE), and the launcher
// shows that through the user's pager once ctx has ended. ctx itself may start no program.

import { displayWidth } from "../../view/display_width.ts";
import { findEnvironment } from "../../core/environment.ts";

/** Where output goes. */
export type Stream = "stdout" | "stderr";

let page: Deno.FsFile | undefined;

/**
 * Puts what is written to a terminal into the page: from the first text on that is longer than the
 * screen, notes too, or they would stand before what they speak of. Returns false for what is to be
 * written as ever.
 */
export function toPage(stream: Stream, text: Uint8Array): boolean {
  const path = findEnvironment("CTX_PAGE");
  if (!path || !Deno[stream].isTerminal()) return false;
  if (page === undefined && (stream === "stderr" || fits(text))) return false;
  return page === undefined ? beginPage(path, text) : writeAll(page, text);
}

/** The page begins with the whole of a text, or there is none. */
function beginPage(path: string, text: Uint8Array): boolean {
  try {
    page = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  } catch {
    return false;
  }
  if (writeAll(page, text)) return true;
  page = undefined;
  Deno.removeSync(path);
  return false;
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): boolean {
  try {
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    return true;
  } catch {
    return false;
  }
}

/** Whether a text fits the screen with a line below it for what comes next. */
function fits(text: Uint8Array): boolean {
  const { columns, rows } = Deno.consoleSize();
  // A terminal that does not know its size.
  if (columns === 0 || rows === 0) return true;
  let taken = 0;
  for (const line of new TextDecoder().decode(text).trimEnd().split("\n")) {
    const width = displayWidth(line.replace(styles, "").replaceAll("\t", " ".repeat(8)));
    taken += Math.max(1, Math.ceil(width / columns));
    if (taken >= rows) return false;
  }
  return true;
}

// deno-lint-ignore no-control-regex
const styles = /\x1b\[[\d;]*m/g;
