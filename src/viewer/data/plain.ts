// Lines of Markdown where only a line is shown.

/** Without the marks of Markdown that words stand between. */
export function plain(line: string): string {
  return line.replace(/\*\*(\S(?:.*?\S)?)\*\*/g, "$1").replace(/`([^`]+)`/g, "$1");
}
