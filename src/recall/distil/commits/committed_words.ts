// How a session's line says what it committed, and how it reads once the rest is committed too. Pure.

/** What was committed; `isBefore` where another task was begun after it. */
export function sayCommitted(subjects: readonly string[], isBefore: boolean): string {
  return subjects.length === 0 ? "" : `${isBefore ? before : all}${subjects.join("; ")}`;
}

/** The files of what is not committed. */
export function sayEdited(files: string, isSince: boolean): string {
  return `${isSince ? "Edited since" : "Edited"}: ${files}`;
}

/** The line without the task that was begun after the commits, and its files: they are committed now. */
export function withoutDone(line: string): string {
  const at = line.indexOf(before);
  if (at < 0) return line;
  const branch = /^On branch [^:]+: /.exec(line)?.[0] ?? "";
  return branch + all +
    line.slice(at + before.length).replace(/ Edited since: .*?\.(?= \p{Lu}|$)/u, "");
}

/** The subjects that a line names, the last also with a sentence after it cut off. */
export function committedIn(line: string): string[] {
  const said = /Committed(?: before)?: (.*)$/.exec(line)?.[1].split("; ") ?? [];
  const last = said.pop() ?? "";
  return [
    ...said,
    last,
    last.replace(/\.$/, ""),
    last.replace(/\. (?:Last check|Edited|Ended).*$/, ""),
  ];
}

const all = "Committed: ";
const before = "Committed before: ";
