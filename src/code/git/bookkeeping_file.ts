// Files that are kept up beside the work: lock files, changelogs, notes of progress, and what a program
// writes. Every other change touches them, so no decision is about them. Pure.

const names =
  /^(?:.*[.-]lock(?:b|file|\.json|\.yaml)?|lockfile\..*|npm-shrinkwrap\.json|go\.sum|(?:changelog|changes|history|release[-_]?notes|news)(?:\.\w+)?|(?:state|status|progress|todos?|tasks)\.(?:md|markdown|txt)|.*\.(?:min\.\w+|map|snap)|.*(?:\.pb\.\w+|_pb2\.pyi?|\.g\.dart|\.freezed\.dart|[._-]generated\.\w+))$/i;
const directories =
  /(?:^|\/)(?:node_modules|vendor|dist|coverage|generated|__generated__|__snapshots__)\//;
/** How programs mark what they wrote, at its beginning. */
const mark = /@generated\b|\bdo not (?:edit|modify)\b|\bauto-?(?:matically )?generated\b/i;
const markChars = 600;

/** Whether a file is kept up beside the work, by its path or the beginning of its text. */
export function isBookkeeping(path: string, text = ""): boolean {
  return names.test(path.slice(path.lastIndexOf("/") + 1)) || directories.test(path) ||
    mark.test(text.slice(0, markChars));
}
