// The flags that every command takes, for help, completions and guesses.

/** Flags that every command takes, with what they do. */
export const globalFlags: Record<string, string> = {
  "json": "Print the result as one JSON object.",
  "workspace": "Use the store of this directory instead of looking upwards.",
  "color": "Colours: auto (on a terminal), always or never.",
  "no-pager": "Print long output as it is, not through your pager.",
  "yes": "Go on without asking; needed where nobody can be asked.",
  "help": "Show help.",
  "version": "Show the version.",
};
