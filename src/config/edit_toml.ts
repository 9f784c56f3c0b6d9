// Changes one table or one top-level key of a TOML text and leaves every other byte as it is:
// comments, order and spacing are the user's. Knows just enough TOML for that; values are written
// by us and never read. Whether the result means what it should is for the caller to check
// (check_toml.ts).

/** The text with a table set to these lines; in its place when it was there, else at the end. */
export function setTomlTable(text: string, name: string, lines: string[]): string {
  const eol = eolOf(text);
  const block = [`[${name}]`, ...lines].map((line) => `${line}${eol}`).join("");
  const found = findTable(text, (header) => header === name);
  if (found) return text.slice(0, found.start) + block + text.slice(found.end);
  const gap = /^\ufeff?$|\n\r?\n$/.test(text) ? "" : text.endsWith("\n") ? eol : eol + eol;
  return text + gap + block;
}

/** The text without a table and those below it; the blank line before each goes too. */
export function removeTomlTable(text: string, name: string): string {
  const found = findTable(text, (header) => header === name || header.startsWith(`${name}.`));
  if (!found) return text;
  const before = text.slice(0, found.start).replace(/\n\r?\n$/, "\n");
  return removeTomlTable(before + text.slice(found.end), name);
}

/** The text with a top-level key set, or removed when the value is undefined; a BOM stays first. */
export function setTomlKey(text: string, key: string, value: string | undefined): string {
  const found = findKey(text, key) ?? { start: bomLength(text), end: bomLength(text) };
  const line = value === undefined ? "" : `${key} = ${value}${eolOf(text)}`;
  return text.slice(0, found.start) + line + text.slice(found.end);
}

export function toTomlString(text: string): string {
  return JSON.stringify(text);
}

function bomLength(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

interface Range {
  start: number;
  end: number;
}

/** A table reaches to the next header; comments right before that header belong to it. */
function findTable(text: string, isWanted: (header: string) => boolean): Range | undefined {
  let start: number | undefined;
  let end = text.length;
  let lastContent = 0;
  for (const line of plainLines(text)) {
    const header = headerOf(line.text);
    if (header !== undefined && start !== undefined) {
      end = lastContent;
      break;
    }
    if (header !== undefined && isWanted(header)) start = line.start;
    const blank = /^\s*(#.*)?$/.test(line.text);
    if (!blank || header !== undefined) lastContent = line.end;
  }
  if (start === undefined) return undefined;
  return { start, end: end === text.length ? Math.max(lastContent, start) : end };
}

function findKey(text: string, key: string): Range | undefined {
  let found: Range | undefined;
  for (const line of plainLines(text)) {
    if (headerOf(line.text) !== undefined) return found;
    if (found && !/^\s*[\w"'.-]+\s*=/.test(line.text) && !/^\s*(#.*)?$/.test(line.text)) {
      found.end = line.end;
      continue;
    }
    if (found) return found;
    const match = /^\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*=/.exec(line.text);
    if (match && (match[1] ?? match[2] ?? match[3]) === key) {
      found = { start: line.start, end: line.end };
    }
  }
  return found;
}

/** Lines with their places; what is inside multi-line strings is joined to its first line. */
function* plainLines(text: string): Generator<{ text: string; start: number; end: number }> {
  let at = bomLength(text);
  let open: { start: number; quote: string } | undefined;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, end);
    if (open) {
      if (line.includes(open.quote)) {
        yield { text: text.slice(open.start, end), start: open.start, end };
        open = undefined;
      }
    } else {
      const quote = opensString(line);
      if (quote) open = { start: at, quote };
      else yield { text: line.replace(/\r?\n$/, ""), start: at, end };
    }
    at = end;
  }
  if (open) yield { text: text.slice(open.start), start: open.start, end: text.length };
}

function opensString(line: string): string | undefined {
  if (/^\s*#/.test(line)) return undefined;
  return ['"""', "'''"].find((quote) => line.split(quote).length % 2 === 0);
}

function headerOf(line: string): string | undefined {
  const match = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$/.exec(line);
  return match?.[1].split(".").map((part) => part.trim().replace(/^["']|["']$/g, "")).join(".");
}
