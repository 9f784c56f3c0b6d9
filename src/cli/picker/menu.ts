// A menu on the whole terminal: rows to choose from, below them what is known of the selected one, and the
// keys. A choice may open another menu; escape goes back.

import { toCtxError } from "../../core/errors.ts";
import type { View } from "../../command/view.ts";
import { makeTerminalView } from "../../view/terminal_view.ts";
import { wantsColor } from "../line/terminal.ts";
import { toTerminal } from "../line/to_terminal.ts";
import { QueryLine } from "./query_line.ts";
import { Screen } from "./screen.ts";

/** Rows, and what they are. */
export interface Menu<T> {
  title: string;
  rows: MenuRow<T>[];
}

interface MenuRow<T> {
  /** Its columns; the last one is cut where there is no room. */
  cells: string[];
  about: string[];
  /** What enter does: opens another menu, or ends this one with a choice. */
  choose: () => Promise<Menu<T> | { chosen: T }>;
}

/** What is on the screen. */
interface MenuState {
  menu: Menu<unknown>;
  at: number;
  message?: string;
}

/** Shows menus until something is chosen, or undefined when they are left. */
export async function runMenu<T>(first: Menu<T>): Promise<T | undefined> {
  using screen = new Screen("stdout");
  const color = wantsColor("stdout");
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const opened = [{ menu: first, at: 0 }];
  let message: string | undefined;
  const paint = (): void => {
    const view = makeTerminalView({ color, width: screen.columns, now: Date.now() });
    const lines = drawMenu({ ...opened[opened.length - 1], message }, { view, rows: screen.rows });
    screen.paint(lines.map(toTerminal));
  };
  const choose = async ({ menu, at }: { menu: Menu<T>; at: number }): Promise<void> => {
    const next = await menu.rows[at].choose();
    if ("chosen" in next) return resolve(next.chosen);
    opened.push({ menu: next, at: 0 });
    paint();
  };
  const press = (name: string, typed: string): boolean => {
    const current = opened[opened.length - 1];
    const move = (by: number): void => {
      current.at = Math.max(0, Math.min(current.menu.rows.length - 1, current.at + by));
    };
    message = undefined;
    if (name === "down" || typed === "j" || name === "ctrl+n") move(1);
    else if (name === "up" || typed === "k" || name === "ctrl+p") move(-1);
    else if (name === "home") move(-Infinity);
    else if (name === "end") move(Infinity);
    else if (name === "ctrl+c" || typed === "q") resolve(undefined);
    else if (name === "escape" && opened.length > 1) opened.pop();
    else if (name === "escape") resolve(undefined);
    else if (name === "enter" || name === "return") {
      choose(current).catch((thrown) => {
        message = toCtxError(thrown).message;
        paint();
      });
    }
    queueMicrotask(paint);
    return true;
  };
  using keys = new QueryLine("", { look: { prompt: "", placeholder: "" }, onKey: press });
  const typing = async (): Promise<void> => {
    for await (const chunk of screen.readKeys()) keys.take(chunk);
    resolve(undefined);
  };
  screen.onResize(paint);
  paint();
  typing().catch(reject);
  return await promise;
}

/** The lines of the screen, from the top to the last. */
function drawMenu(
  { menu: { title, rows: choices }, at, message }: MenuState,
  { view, rows }: { view: View; rows: number },
): string[] {
  const about = (choices[at]?.about ?? [])
    .flatMap((line) => view.wrap(line, { first: " ", indent: "   " }).split("\n"))
    .slice(0, Math.max(1, Math.floor(rows / 2) - 2));
  const room = Math.max(1, rows - about.length - 5);
  const top = Math.max(0, Math.min(at - Math.floor(room / 2), choices.length - room));
  const widths = choices.map(({ cells }) => cells.slice(0, -1).map((cell) => view.widthOf(cell)));
  const shown = choices.slice(top, top + room).map(({ cells }, i) => {
    const padded = cells.map((cell, column) => {
      const width = Math.max(0, ...widths.map((all) => all[column] ?? 0));
      return cell + " ".repeat(Math.max(0, width - view.widthOf(cell)));
    });
    const line = view.cut(padded.join("  "), view.width - 2);
    return top + i === at ? `${view.match("▌")} ${view.title(line)}` : `  ${line}`;
  });
  const body = [view.dim(` ${title}`), "", ...shown, view.dim("─".repeat(view.width)), ...about];
  const keys = [["enter", "choose"], ["↑↓", "move"], ["esc", "back"]];
  const foot = message === undefined
    ? keys.map(([key, word]) => `${view.bold(key)} ${view.dim(word)}`).join("   ")
    : view.cut(message, view.width - 1);
  return [...body, ...Array<string>(Math.max(0, rows - 1 - body.length)).fill(""), ` ${foot}`];
}
