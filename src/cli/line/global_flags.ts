// The flags that every command takes, for help, completions and guesses.

/** Flags that every command takes, with what they do. */
export const globalFlags: Record<string, string> = {
  "json": "Print the result as one JSON object.",
  "workspace": "Use the store in this directory.",
  "color": "Use colour: auto, always or never.",
  "no-pager": "Do not use a pager.",
  "yes": "Do not ask; required without a terminal.",
  "help": "Show help.",
  "version": "Show the version.",
};
