// Cuts what SpecStory wrote into messages, and what an agent said into texts, thoughts and tools: the
// tagged form of 2025 and later (`<tool-use …>`), and the sections between rules before it. Pure.

import { toTime } from "../loose_json.ts";

/** One message as it stands in the file. */
export interface SpecstoryMessage {
  id: string;
  role: "user" | "assistant";
  isSidechain: boolean;
  model?: string;
  ts?: string;
  lines: string[];
}

export type SpecstoryPart =
  | { kind: "text" | "thinking"; text: string }
  | { kind: "tool"; name: string; summary: string; body: string };

const header = /^_\*\*(User|Assistant|Agent)( - sidechain)?(?: \(([^\n]{0,200})\))?\*\*_$/;
const time = /(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?: ?(Z|[+-]\d\d):?(\d\d)?)?/;
/** Within so many characters a block says what it is. */
const maxHeadChars = 10_000;
const rule = /^(?:---|_\*{4}_)$/;

/** The time in a text; without a zone it is this machine's. */
export function timeIn(text: string | undefined): string | undefined {
  const [, day, clock, zone = "", minutes = "00"] = time.exec(text ?? "") ?? [];
  if (day === undefined) return undefined;
  const offset = zone === "" || zone === "Z" ? zone : `${zone}:${minutes}`;
  return toTime(`${day}T${clock}${offset}`);
}

/** The messages of a document, in order. */
export function splitMessages(text: string): SpecstoryMessage[] {
  const messages: SpecstoryMessage[] = [];
  const fence = new Fence();
  let isAfterBlank = true;
  // The last line may be a heading that is still being written.
  for (const line of text.replace(/\n(?:_\*|<tool-use|<think)[^\n]*$/, "\n").split(/\r?\n/)) {
    const [, who, side, about] = header.exec(line) ?? [];
    const isQuoted = fence.take(line);
    // A fence that nobody closed must not hide the rest; a heading with its time is none that is quoted.
    const isHeader = who !== undefined && isAfterBlank && (!isQuoted || time.test(about ?? ""));
    if (isHeader) {
      fence.reset();
      const role = who === "User" ? "user" : "assistant";
      messages.push({
        id: String(messages.length),
        role,
        isSidechain: side !== undefined,
        model: role === "user" ? undefined : modelIn(about),
        ts: timeIn(about),
        lines: [],
      });
    } else {
      messages.at(-1)?.lines.push(line);
    }
    isAfterBlank = line.trim() === "";
  }
  for (const message of messages) takeId(message);
  return messages;
}

export function splitParts(lines: readonly string[]): SpecstoryPart[] {
  const parts: SpecstoryPart[] = [];
  let text: string[] = [];
  const flush = (): void => {
    const said = withoutRules(text);
    if (said !== "") parts.push({ kind: "text", text: said });
    text = [];
  };
  const fence = new Fence();
  const lastThought = lines.findLastIndex((line) => line.trimEnd().endsWith("</think>"));
  let isStart = true;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const isText = fence.take(line) || (line.startsWith("<think") && i > lastThought);
    const end: number = isText ? -1 : findEnd(lines, i, isStart);
    if (end >= 0) {
      flush();
      parts.push(toPart(lines.slice(i, end + 1)));
      fence.reset();
      i = end;
    } else text.push(line);
    if (line.trim() !== "") isStart = end < 0 && rule.test(line);
  }
  flush();
  return parts;
}

/** Lines as one text, without the rules and blank lines around it. */
export function withoutRules(lines: readonly string[]): string {
  const isEmpty = (line: string): boolean => line.trim() === "" || rule.test(line);
  let [from, to] = [0, lines.length];
  while (from < to && isEmpty(lines[from])) from++;
  while (to > from && isEmpty(lines[to - 1])) to--;
  return lines.slice(from, to).join("\n").trimEnd();
}

/** Which lines stand in a code block. */
class Fence {
  #open = "";

  /** Whether a line is part of a code block, its first and last line included. */
  take(line: string): boolean {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (this.#open === "") {
      this.#open = mark;
      return mark !== "";
    }
    const isEnd = mark.startsWith(this.#open) && line.trim() === mark;
    if (isEnd) this.#open = "";
    return true;
  }

  reset(): void {
    this.#open = "";
  }
}

/** The last line of the block that a line begins; -1 when it begins none. */
function findEnd(lines: readonly string[], at: number, isStart: boolean): number {
  const line = lines[at];
  const tag = /^<(think|tool-use)\b/.exec(line)?.[1];
  const isSection = isStart &&
    /^(?:Tool use: \*\*[^*]+\*\*|<details>|Read file: \S)/.test(line);
  if (tag === undefined && !isSection) return -1;
  const fence = new Fence();
  for (let i = at; i < lines.length; i++) {
    // Thoughts are plain text: what looks like a code block in them may never end.
    const isQuoted = tag !== "think" && fence.take(lines[i]);
    if (isQuoted) continue;
    if (tag === undefined ? rule.test(lines[i]) : lines[i].trimEnd().endsWith(`</${tag}>`)) {
      return tag === undefined ? i - 1 : i;
    }
  }
  // A block that nobody closed ends with the message.
  return lines.length - 1;
}

function toPart(lines: readonly string[]): SpecstoryPart {
  const whole = lines.join("\n");
  if (whole.startsWith("<think")) {
    const text = whole.replace(/^<think>(?:<details>)?(?:<summary>[^<]*<\/summary>)?/, "")
      .replace(/(?:<\/details>)?<\/think>\s*$/, "");
    return { kind: "thinking", text: text.trim() };
  }
  const head = whole.slice(0, maxHeadChars);
  const [shown = "", summary = ""] = /<summary>([^]*?)<\/summary>/.exec(head) ?? [];
  const tagged = /^<tool-use [^>\n]*data-tool-name="([^"\n]*)"/.exec(head)?.[1];
  const bold = /Tool use: \*\*([^*\n]+)\*\*/.exec(head)?.[1];
  const body = (head.replace(shown, "") + whole.slice(maxHeadChars))
    .replace(/^<tool-use [^>\n]*>/, "").replace(/<\/tool-use>\s*$/, "")
    .replace(/^Tool use: \*\*[^*\n]+\*\*/, "")
    .replace(/^\s*<details>/, "").replace(/<\/details>\s*$/, "");
  const text = unescapeHtml(summary).replace(/^Tool use: \*\*[^*\n]+\*\*(?: • )?/, "").trim();
  return {
    kind: "tool",
    name: tagged ?? bold ?? guessName(text || body),
    summary: text,
    body: withoutRules(body.split("\n")),
  };
}

/** The first files have no names of tools, only what was done. */
function guessName(text: string): string {
  if (/^\s*Read file/.test(text)) return "read_file";
  if (/^\s*Listed/.test(text)) return "list_dir";
  return /^\s*(?:Searched|Grep)/.test(text) ? "search" : "tool";
}

function modelIn(about: string | undefined): string | undefined {
  const said = (about ?? "").replace(time, "").replace(/,? ?\bmode [^,]*$/, "")
    .replace(/^model /, "").trim();
  return said === "" ? undefined : said;
}

function takeId(message: SpecstoryMessage): void {
  const [, id] = /^<!-- message-id: ([\w.:-]{1,100}) -->$/.exec(message.lines[0] ?? "") ?? [];
  if (id === undefined) return;
  message.id = id;
  message.lines.shift();
}

function unescapeHtml(text: string): string {
  const marks: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => marks[name]);
}
