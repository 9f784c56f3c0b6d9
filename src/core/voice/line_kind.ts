// What a single line looks like: typed by a person, printed by a program, or copied from a file. Only
// the first characters of a line are examined. Pure.

/**
 * `terminal` begins what was copied from a terminal, `machine` was printed or written by a program,
 * `code` may have been, `quote` is marked as one.
 */
export type LineKind = "blank" | "words" | "code" | "machine" | "terminal" | "quote";

const maxChars = 300;

export function lineKindOf(whole: string): LineKind {
  const line = whole.length > maxChars ? whole.slice(0, maxChars) : whole;
  const bare = line.trim();
  if (bare === "") return "blank";
  if (bare.startsWith(">") && !bare.startsWith(">>")) return "quote";
  if (terminal.test(line)) return "terminal";
  if (machine.some((pattern) => pattern.test(line))) return "machine";
  // What may be a line of a program, or not, is no code where somebody speaks.
  if (speaks(line)) return "words";
  return code.some((pattern) => pattern.test(line)) ? "code" : "words";
}

/** Whether somebody speaks to somebody: of themselves, to a reader, or with a question. */
export function speaks(text: string): boolean {
  return said.test(text);
}

const said =
  /\?(?:\s|$)|(?<![\p{L}\d_$.])(?:i|i'm|i'd|i've|we|you|your|our|my|me|us|let'?s|please|ich|du|wir|mir|mich|dir|dich|uns|unser\p{L}{0,2}|dein\p{L}{0,2}|mein\p{L}{0,2}|bitte)(?![\p{L}\d_$(=.]*[(=])(?![\p{L}\d_$])/iu;

/** A shell's prompt, or the marks of an agent's screen. */
const terminal =
  /^\s*(?:[❯➜⏺⎿✻✽] ?|\$ (?!(?:[\p{L}']+ ){4})(?=\S)|PS [A-Z]:|[\w.-]{1,40}@[\w.-]{1,60}[:~ ]\S{0,100} ?[$%#] )/u;

/** Where a line goes over into what was copied from a screen: its marks, or columns. */
export function findScreenMark(line: string): number {
  const at = line.slice(0, maxMarkChars).search(/[❯⏺⎿]|(?<=\S) {8,}(?=\S)/);
  return at;
}

const maxMarkChars = 2000;

const machine: readonly RegExp[] = [
  // Diffs
  /^(?:diff --git |index [0-9a-f]{6,}\.\.|@@ -\d|\+\+\+ \S|--- [ab/]\S|[+-](?:\t| {4,})\S)/,
  // Git's log
  /^[*|\\/ ]{0,12}(?:commit [0-9a-f]{40}\b|Author: .{1,80} <|Date: {2,}|Merge: [0-9a-f]{7})/,
  // Logs: a time, a level, a source in brackets before a message
  /^\s*[[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d|[\])]|\s+[[(A-Z])|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d? \d\d:\d\d)/,
  /^\s*[[(]?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|FAIL|FAILED|PASS|PASSED)\b[\]):]?(?:\s|$)/,
  // Traces and errors
  /^\s+at \S.{0,200}[:(]/,
  /^\s*(?:File "[^"\n]{1,200}", line \d|Traceback \(|Caused by: |Exception in thread|goroutine \d|panic: )/,
  /^\s*(?:Uncaught )?(?:[\w$]{1,40}\.){0,6}[A-Z]\w{0,40}(?:Error|Exception|Warning)\b(?: \[\w+\])?: /,
  /^\s*(?:fatal|error|warning|npm (?:ERR!|error|WARN)|error(?: TS\d+|\[\w+\])): ?\S/i,
  /^\s*(?:Error|Warning): /,
  /^\s*[\w@./\\-]{1,200}\.\w{1,5}(?::\d+(?::\d+)?: |:\d+:\d+ |\(\d+,\d+\))/,
  // deno-lint-ignore no-control-regex
  /\x1b\[[\d;]*m|\(os error \d+\)/,
  // Tests and builds
  /^\s*(?:={3,}|-{3,}) (?:RUN|PAUSE|CONT|FAIL|PASS|SKIP)/,
  /^(?:ok|FAIL|PASS)\s+\S+[./]\S+/,
  /^\s*(?:(?:not )?ok \d+\b|\d+ (?:passing|failing|pending|passed|failed)\b|[✓✔✗✘×✖] .{1,200}\(\d+(?:\.\d+)? ?m?s\))/,
  /^(?:running \d+ tests?|test \S.{0,200} \.\.\. (?:ok|FAILED|ignored))\b/,
  /^E {3}/,
  // Files with numbers, listings, tables and drawings
  /^\s*\d+(?:→|\t)/,
  /^[dl-][rwxsStT-]{9}[@+.]? /,
  /^\s*\|.*\|\s*$/,
  /^\s*[│┃║├└╭╰┌┐┘┤┬┴┼─━═▐▌█▀▄]/,
  // Data
  /^\s*(?:"[\w$@./-]{1,60}": |[{[]\s*(?:"|\{|$)|[}\]]{1,4}[,;)]*\s*$)/,
];

const code: readonly RegExp[] = [
  /[;{]\s*$|^\s*\}|=>\s*\S|\)\s*\{/,
  /^\s*(?:import|export|const|let|var|func|function|def|class|return|public|private|package|#include|type|interface)\b(?:\s+[\w$*.@,{}-]+){0,2}\s*(?:[({=;:<"'}]|from ["'])/,
  /^\s*(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|ALTER TABLE|FROM|WHERE|(?:LEFT |INNER )?JOIN|ORDER BY|GROUP BY)\b/,
  // Tests, sources in brackets and rulers: people write such lines too.
  /^\s*[✓✔✗✘×✖] /,
  /^\[[\w:./-]{2,40}\] +\S/,
  /^\s*(={3,}|-{3,}|\*{3,}) \S.{0,80} \1\s*$/,
  /^\s*<\/?[a-zA-Z][\w.-]{0,40}(?:\s[^>\n]{0,200})?\/?>/,
  /^\s*(?:\/\/|\/\*|\*\/|<!--)/,
  /^[+-](?:\s{2,}|\t|[\w$]+[.(=])/,
  /^\s*[\w.-]{1,40}: ["'\d[{]/,
];

/** Tells line by line whether a text is in a fence; one that nobody closes reaches to the end. */
export function makeFences(): (line: string) => boolean {
  let open: string | undefined;
  return (line) => {
    const mark = /^\s{0,12}(`{3,}|~{3,}|"{3}(?=\s*$))/.exec(line)?.[1];
    if (open === undefined) return (open = mark) !== undefined;
    const isEnd = mark?.startsWith(open) || (open === '"""' && /"""\s*$/.test(line.slice(-20)));
    if (isEnd) open = undefined;
    return true;
  };
}
