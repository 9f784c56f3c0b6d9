// What the keys of the picker do: one table for those who press them, the last line and the help.

/** What can be done beside typing. */
export type ActionName =
  | ("up" | "down" | "page_up" | "page_down" | "first" | "last" | "scroll_up" | "scroll_down")
  | ("open" | "timeline" | "session" | "copy" | "pin" | "forget")
  | ("projects" | "preview" | "help" | "leave");

/** Keys for one or two actions. */
export interface KeyAction {
  /** As the help names them. */
  keys: string;
  about: string;
  /** As the last line names them; those without are only in the help. */
  hint?: string;
  short?: string;
  /** Actions, each with its keys by the library's names. */
  does: readonly [ActionName, ...string[]][];
}

/** Everything, in the order of the help; the last line shows as many as fit, and the last of them. */
export const actions: readonly KeyAction[] = [
  {
    keys: "enter",
    about: "print the entry and quit (ctx get)",
    hint: "enter",
    short: "open",
    does: [["open", "enter", "return"]],
  },
  {
    keys: "ctrl-t",
    about: "show its timeline and quit (ctx timeline)",
    hint: "^T",
    short: "timeline",
    does: [["timeline", "ctrl+t"]],
  },
  {
    keys: "ctrl-s",
    about: "show its session and quit (ctx show)",
    hint: "^S",
    short: "session",
    does: [["session", "ctrl+s"]],
  },
  {
    keys: "ctrl-y",
    about: "copy its id",
    hint: "^Y",
    short: "copy id",
    does: [["copy", "ctrl+y"]],
  },
  {
    keys: "ctrl-o",
    about: "pin or unpin it",
    hint: "^O",
    short: "pin",
    does: [["pin", "ctrl+o"]],
  },
  {
    keys: "ctrl-x",
    about: "forget it (asks first)",
    hint: "^X",
    short: "forget",
    does: [["forget", "ctrl+x"]],
  },
  {
    keys: "ctrl-r",
    about: "search all projects, or only this one",
    hint: "^R",
    short: "all projects",
    does: [["projects", "ctrl+r"]],
  },
  {
    keys: "up, down, ctrl-p, ctrl-n",
    about: "move",
    does: [["up", "up", "ctrl+p"], ["down", "down", "ctrl+n"]],
  },
  {
    keys: "page up/down, home, end",
    about: "move by a page, or to the ends",
    does: [["page_up", "pageUp"], ["page_down", "pageDown"], ["first", "home"], ["last", "end"]],
  },
  {
    keys: "shift-up, shift-down",
    about: "scroll the entry",
    does: [["scroll_up", "shift+up", "alt+up"], ["scroll_down", "shift+down", "alt+down"]],
  },
  { keys: "tab", about: "show or hide the entry", does: [["preview", "tab"]] },
  {
    keys: "ctrl-a, -e, -w, -u, -k",
    about: "in the query: start, end, delete word, delete before, delete after",
    does: [],
  },
  {
    keys: "esc, ctrl-c",
    about: "quit",
    hint: "esc",
    short: "quit",
    does: [["leave", "escape", "ctrl+c"]],
  },
  {
    keys: "f1, or ? in an empty line",
    about: "these keys",
    hint: "?",
    short: "keys",
    does: [["help", "f1"]],
  },
];
