// The files that a command of a shell writes or removes, by the programs that agents use for it:
// `cat > a <<EOF`, `tee`, `sed -i`, `cp`, `mv`, `rm`. What a program does inside is not seen. Pure.

/** A file that a command changes. */
export interface ShellWrite {
  /** As it is written in the line, below the directory that `cd` entered. */
  path: string;
  /** The lines that are written, where the line has them. */
  added: string[];
  /** Whether the file is written anew with these lines. */
  isWhole: boolean;
  /** Whether it is taken away, a directory with all that is in it. */
  removes?: true;
}

/** What a run and its redirections write. */
export function writesOf(
  run: readonly string[],
  { targets, text, directory }: { targets: readonly string[]; text?: string; directory?: string },
): ShellWrite[] {
  const isText = run[0] === "cat" && run.length === 1 && text !== undefined;
  const lines = isText ? text.replace(/\n$/, "").split("\n") : [];
  return [
    ...targets.map((path): ShellWrite => ({ path, added: lines, isWhole: isText })),
    ...ofProgram(run),
  ].filter(({ path }) => path !== "" && !path.startsWith("/dev/"))
    .map((write) => ({ ...write, path: below(directory, write.path) }));
}

/** A path below the directory that `cd` entered. */
export function below(directory: string | undefined, path: string): string {
  return directory === undefined || /^[/~]/.test(path) ? path : `${directory}/${path}`;
}

function ofProgram(run: readonly string[]): ShellWrite[] {
  const program = run[0] === "git" && /^(?:rm|mv)$/.test(run[1] ?? "") ? run[1] : run[0];
  const rest = run.slice(program === run[0] ? 1 : 2);
  const flags = rest.filter((word) => word.startsWith("-"));
  const files = rest.filter((word) => !word.startsWith("-"));
  if (program === "tee" || program === "truncate" || program === "touch") return files.map(toWrite);
  if (program === "sed" || program === "perl") {
    const isInPlace = flags.some((flag) => /^(?:-[a-zA-Z]*i|--in-place)/.test(flag));
    if (!isInPlace) return [];
    // The script is the first word, unless a flag takes it.
    const isGiven = program === "sed" && flags.some((flag) => /^-(?:e|-expression)$/.test(flag));
    return files.slice(isGiven ? 0 : 1).map(toWrite);
  }
  if (program === "cp" || program === "mv" || program === "install" || program === "ln") {
    const to = files.at(-1);
    if (to === undefined || files.length < 2) return [];
    const from = program === "mv" ? files.slice(0, -1) : [];
    return [toWrite(to), ...from.map(toRemoval)];
  }
  if (program === "rm" || program === "unlink") return files.map(toRemoval);
  if (program === "find" && flags.includes("-delete")) {
    // With a condition it removes something below, and nobody knows what.
    const at = rest.findIndex((word) => /^[-(!]/.test(word));
    const isAll = flags.every((flag) => /^-(?:delete|type|depth|mindepth|maxdepth)$/.test(flag));
    return isAll ? (at === 0 ? ["."] : rest.slice(0, at)).map(toRemoval) : [];
  }
  return [];
}

function toRemoval(path: string): ShellWrite {
  return { ...toWrite(path), removes: true };
}

function toWrite(path: string): ShellWrite {
  return { path, added: [], isWhole: false };
}
