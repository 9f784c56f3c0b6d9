// How a session's line says what it committed, and whether it names a commit. Pure.

export function sayCommitted(subjects: readonly string[]): string {
  return `${committed}${subjects.join("; ")}`;
}

/** What a line says after that, up to its end; undefined where it tells of no commit. */
export function committedIn(line: string): string | undefined {
  const at = line.indexOf(committed);
  return at < 0 ? undefined : line.slice(at + committed.length);
}

/** Whether a line names a commit by its subject, also where the line ends within it. */
export function namesCommit(line: string, subject: string): boolean {
  const said = committedIn(line) ?? "";
  const last = said.split("; ").at(-1) ?? "";
  return subject !== "" && said.includes(subject) ||
    last.length >= minCutChars && last.endsWith("…") && subject.startsWith(last.slice(0, -1));
}

const minCutChars = 20;
const committed = "Committed: ";
