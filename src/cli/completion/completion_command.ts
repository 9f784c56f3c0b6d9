// What a shell is told of a command. Types only.

/** One flag as a shell sees it. */
export interface CompletionFlag {
  name: string;
  letter?: string;
  about: string;
  /** Whether a value follows. */
  takesValue: boolean;
  /** The values, where they are few. */
  values: string[];
  /** What to offer where the values are not few. */
  files?: "files" | "directories";
}

/** One command as a shell sees it; `name` may have two words. */
export interface CompletionCommand {
  name: string;
  about: string;
  flags: CompletionFlag[];
  /** The values of the first argument without a flag, where they are few. */
  values: string[];
}
