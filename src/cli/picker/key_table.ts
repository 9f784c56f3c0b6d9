// What the keys of the picker do: one table for those who press them, the last line and the help.

/** What can be done beside typing. */
export type ActionName =
  | ("up" | "down" | "page_up" | "page_down" | "first" | "last" | "scroll_up" | "scroll_down")
  | ("open" | "timeline" | "session" | "copy" | "pin" | "forget")
  | ("projects" | "preview" | "help" | "leave");

export type KeyAction = [
  /** As the help names them. */
  keys: string,
  about: string,
  /** The keys of each action, by the library's names. */
  does: Partial<Record<ActionName, string>>,
  /** As the last line names them; those without are only in the help. */
  hint?: [key: string, word: string],
];

/** Everything, in the order of the help; the last line shows as many as fit, and the last of them. */
export const actions: readonly KeyAction[] = [
  ["enter", "print the entry and quit (ctx get)", { open: "enter return" }, ["enter", "open"]],
  ["ctrl-t", "show its timeline and quit (ctx timeline)", { timeline: "ctrl+t" }, [
    "^T",
    "timeline",
  ]],
  ["ctrl-s", "show its session and quit (ctx show)", { session: "ctrl+s" }, ["^S", "session"]],
  ["ctrl-y", "copy its id", { copy: "ctrl+y" }, ["^Y", "copy id"]],
  ["ctrl-o", "pin or unpin it", { pin: "ctrl+o" }, ["^O", "pin"]],
  ["ctrl-x", "forget it (asks first)", { forget: "ctrl+x" }, ["^X", "forget"]],
  ["ctrl-r", "search all projects, or only this one", { projects: "ctrl+r" }, [
    "^R",
    "all projects",
  ]],
  ["up, down, ctrl-p, ctrl-n", "move", { up: "up ctrl+p", down: "down ctrl+n" }],
  [
    "page up/down, home, end",
    "move by a page, or to the ends",
    { page_up: "pageUp", page_down: "pageDown", first: "home", last: "end" },
  ],
  [
    "shift-up, shift-down",
    "scroll the entry",
    { scroll_up: "shift+up alt+up", scroll_down: "shift+down alt+down" },
  ],
  ["tab", "show or hide the entry", { preview: "tab" }],
  [
    "ctrl-a, -e, -w, -u, -k",
    "in the query: start, end, delete word, delete before, delete after",
    {},
  ],
  ["esc, ctrl-c", "quit", { leave: "escape ctrl+c" }, ["esc", "quit"]],
  ["f1, or ? in an empty line", "these keys", { help: "f1" }, ["?", "keys"]],
];

export const actionOf: ReadonlyMap<string, ActionName> = new Map(
  actions.flatMap(([, , does]) =>
    Object.entries(does).flatMap(([action, keys]) =>
      keys.split(" ").map((key): [string, ActionName] => [key, action as ActionName])
    )
  ),
);
