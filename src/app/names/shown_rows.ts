// The rows of the last list that a terminal showed, for `@1`. Ids alone, of other projects' rows with
// their workspace behind them, in `index/shown.json`: derived, of the last few terminals, and lost
// without harm.

import { findJson, isObject } from "../../core/json.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { Store } from "../../store/store.ts";

type Place = Pick<Store, "files" | "layout">;
type FindVariable = (name: string) => string | undefined;

const mostTerminals = 8;
const mostRows = 200;

/** Remembers what this terminal shows now; where the index cannot be written, nothing. */
export function rememberRows(
  { files, layout }: Place,
  ids: readonly string[],
  env: FindVariable,
): void {
  const terminal = terminalOf(env);
  const others = readAll({ files, layout }).filter(([name]) => name !== terminal);
  const all = [...others, [terminal, ids.slice(0, mostRows)]].slice(-mostTerminals);
  try {
    files.makeDirectory(layout.index);
    const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(all)) + "\n");
    files.replace(pathIn(layout), bytes, { sync: false });
  } catch {
    return;
  }
}

/** The ids of the rows that this terminal showed last. */
export function readShownRows(place: Place, env: FindVariable): string[] {
  const terminal = terminalOf(env);
  return readAll(place).find(([name]) => name === terminal)?.[1] ?? [];
}

function readAll({ files, layout }: Place): [terminal: string, ids: string[]][] {
  const bytes = files.findBytes(pathIn(layout));
  const value = bytes && findJson(decodeLossy(bytes));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, ids]): [string, string[]][] =>
    Array.isArray(ids) ? [[name, ids.map(String)]] : []
  );
}

function pathIn({ index }: { index: string }): string {
  return `${index}/shown.json`;
}

/**
 * What tells this terminal from others: what its program says of it, else the process that started
 * us, which is its shell (CTX_PARENT, where the launcher stands between). The system's own name of it is not for programs without all permissions.
 */
function terminalOf(env: FindVariable): string {
  const said = variables.flatMap((name) => env(name) ?? []);
  return said.length > 0 ? `t${said.join(" ")}` : `p${env("CTX_PARENT") ?? Deno.ppid}`;
}

const variables = [
  // Panes and lines are numbered anew by every server: these say which it is.
  "TMUX",
  "SSH_CONNECTION",
  "TMUX_PANE",
  "STY",
  "WINDOW",
  "TERM_SESSION_ID",
  "WT_SESSION",
  "KITTY_PID",
  "KITTY_WINDOW_ID",
  "WEZTERM_PANE",
  "ALACRITTY_WINDOW_ID",
  "GNOME_TERMINAL_SCREEN",
  "KONSOLE_DBUS_SESSION",
  "SSH_TTY",
];
