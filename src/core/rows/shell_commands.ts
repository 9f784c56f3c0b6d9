// A command line as the simple commands that it runs, in order. Quoted text, comments and here-documents
// are no commands. Hostile lines take linear time too. Pure.

export interface ShellCommand {
  /** Its words without their quotes; no assignments before it, no redirections, no `sudo` or `time`. */
  words: string[];
  /** The same as it was written, with one space between words and without any assignment. */
  text: string;
  /** What stands between it and the next command: `&&`, `||`, `|`, `;`, `&`, `)`; empty at the end. */
  next: string;
  /** Whether its output goes to a file. */
  isRedirected: boolean;
  /** The here-documents that it is given. */
  documents: string[];
}

/** The commands of a line; none where it has very many, or a here-document without an end. */
export function toShellCommands(line: string): ShellCommand[] {
  const { text, documents } = takeDocuments(line.replaceAll("\0", ""));
  const commands: ShellCommand[] = [];
  let parts: Word[] = [];
  for (const token of tokens(text)) {
    if (typeof token !== "string") parts.push(token);
    else if (token === "<<" || commands.length > maxCommands) return [];
    else {
      const command = toCommand(parts, { next: token, documents });
      const last = commands.at(-1);
      if (command !== undefined) commands.push(command);
      // A line that ends with ";" or a newline: the end of the line follows.
      else if (last?.next === ";" && token === "") last.next = "";
      parts = [];
    }
  }
  return commands;
}

const maxCommands = 200;

/** Whether a command ran and succeeded whenever the whole line did. */
export function isDecisive(commands: readonly ShellCommand[], at: number): boolean {
  const isAfter = commands.slice(at).every(({ next }) => next === "&&" || next === "");
  return isAfter && !commands.slice(0, at).some(({ next }) => next === "||");
}

interface Word {
  raw: string;
  text: string;
}

function toCommand(
  parts: readonly Word[],
  { next, documents }: { next: string; documents: readonly string[] },
): ShellCommand | undefined {
  const words: Word[] = [];
  let isRedirected = false;
  for (let i = 0; i < parts.length; i++) {
    const redirect = /^(?:\d|&)?[<>]/.test(parts[i].raw) ? parts[i].raw : undefined;
    if (redirect === undefined) {
      words.push(parts[i]);
      continue;
    }
    const isApart = /[<>|]$/.test(redirect);
    const target = isApart ? parts[++i]?.raw ?? "" : redirect;
    isRedirected ||= !redirect.includes("<") && !redirect.startsWith("2") &&
      !/&[12]$/.test(target);
  }
  const start = words.findIndex(({ raw }) => !/^\w+\+?=/.test(raw) && !wrappers.has(raw));
  if (start < 0) return undefined;
  const given = words.slice(start);
  const numbers = given.flatMap(({ text }) => [...text.matchAll(/\0(\d)\0/g)].map(([, n]) => +n));
  const own = given.filter(({ raw }) => !raw.startsWith("\0"));
  return {
    words: own.map(({ text }) => text),
    text: own.filter(({ raw }) => !/^\w+=/.test(raw)).map(({ raw }) => raw).join(" "),
    next,
    isRedirected,
    documents: numbers.map((n) => documents[n]),
  };
}

/** Words that run the command after them. */
const wrappers: ReadonlySet<string> = new Set(
  "rtk sudo time command env then do else {".split(" "),
);

/** The words of a line, and what stands between commands; empty at the end. */
function* tokens(line: string): Generator<Word | string> {
  let from = -1;
  let text = "";
  let at = 0;
  const take = (end: number, said: string): void => {
    if (from < 0) from = at;
    text += said;
    at = end;
  };
  while (at <= line.length) {
    const char = line.charAt(at);
    const isWord = from >= 0;
    const operator = /^(?:&&|\|\||\|&|;;|<<|[\n;|&()])/.exec(line.slice(at, at + 2))?.[0];
    const isRedirect =
      (char === "&" && (line[at + 1] === ">" || /[<>]/.test(line[at - 1] ?? ""))) ||
      (char === "|" && line[at - 1] === ">") || line.startsWith("<<<", at);
    if (char === "'" || (char === "$" && line[at + 1] === "'")) {
      const start = line.indexOf("'", at) + 1;
      const end = line.indexOf("'", start);
      take(end < 0 ? line.length : end + 1, line.slice(start, end < 0 ? undefined : end));
    } else if (char === '"') {
      const end = quoteEnd(line, at + 1);
      take(end + 1, line.slice(at + 1, end).replace(/\\(["\\$`])/g, "$1"));
    } else if (char === "\\") take(at + 2, line[at + 1] === "\n" ? "" : line.slice(at + 1, at + 2));
    else if (char === "#" && !isWord) {
      const end = line.indexOf("\n", at);
      at = end < 0 ? line.length : end;
    } else if (isRedirect) {
      const [sign] = /^(?:<<<|&|\|)/.exec(line.slice(at, at + 3)) ?? [char];
      take(at + sign.length, sign);
    } else if (
      char === "" || operator !== undefined || char === " " || char === "\t" || char === "\r"
    ) {
      if (isWord) yield { raw: line.slice(from, at), text };
      [from, text] = [-1, ""];
      if (char === "" || operator !== undefined) yield separators[operator ?? ""] ?? operator ?? "";
      at += operator?.length ?? 1;
    } else if (
      /[<>]/.test(char) && isWord && !/^(?:\d|[&<>]{1,2}|\d[<>])$/.test(line.slice(from, at))
    ) {
      yield { raw: line.slice(from, at), text };
      [from, text] = [-1, ""];
    } else take(at + 1, char);
  }
}

const separators: Record<string, string> = { "\n": ";", ";;": ";", "|&": "|", "(": ";" };

/** Where a text in double quotes ends. */
function quoteEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length && line[at] !== '"') at += line[at] === "\\" ? 2 : 1;
  return Math.min(at, line.length);
}

/** Replaces each here-document by its number. Only a few are tried, so that it takes linear time. */
function takeDocuments(line: string): { text: string; documents: string[] } {
  const documents: string[] = [];
  let text = "";
  let done = 0;
  for (const { index: from, 0: head, 1: word } of line.matchAll(heads).take(maxHeads)) {
    if (from < done) continue;
    const begin = line.indexOf("\n", from + head.length) + 1;
    const end = begin === 0 ? undefined : findEnd(line, { begin, word });
    if (end === undefined) continue;
    text += `${line.slice(done, from)} \0${documents.length}\0 ${
      line.slice(from + head.length, begin)
    }`;
    documents.push(line.slice(begin, Math.max(begin, end.from - 1)));
    done = end.to;
  }
  return { text: text + line.slice(done), documents };
}

const heads = /<<-?[ \t]{0,4}\\?['"]?(\w{1,40})['"]?/g;
const maxHeads = 8;

/** Where the line is that ends a here-document. */
function findEnd(
  line: string,
  { begin, word }: { begin: number; word: string },
): { from: number; to: number } | undefined {
  for (let at = begin; at < line.length;) {
    const next = line.indexOf("\n", at);
    const one = line.slice(at, next < 0 ? undefined : next);
    const start = one.trimStart();
    if (start.startsWith(word) && !/\w/.test(start.charAt(word.length))) {
      return { from: at, to: at + one.length - start.length + word.length };
    }
    if (next < 0) return undefined;
    at = next + 1;
  }
}
