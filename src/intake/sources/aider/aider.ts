// Aider: `.aider.chat.history.md` in the project, append-only Markdown with many sessions in one
// file. No ids and no times but the start of each session, in local time without a zone.

import * as make from "../entries.ts";
import { readRange } from "../database/read_at.ts";
import { toTime } from "../loose_json.ts";
import { LineReader } from "../read_lines.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, signatureOf, walk, type WalkedFile } from "../walk.ts";

const fileName = ".aider.chat.history.md";
const maxSessionBytes = 64 << 20;
const header = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/;

export const aider: Source = {
  name: "aider",
  title: "Aider",
  locate: ({ env, workspace }: Place) =>
    existing([env("AIDER_CHAT_HISTORY_FILE"), `${workspace}/${fileName}`]),
  async *list(root, { tally }) {
    const enter = (name: string) => name !== "node_modules" && name !== ".git";
    const accept = (name: string, path: string) => name === fileName || path === root;
    for (const file of walk(root, { tally, accept, enter, maxDepth: 4 })) {
      yield* await tally.attempt(file.path, () => splitSessions(file, tally)) ?? [];
    }
  },
  async read(session, sink) {
    const [from, to] = (session.key ?? "0-0").split("-").map(Number);
    const text = readRange(session.path, from, Math.min(to, from + maxSessionBytes));
    sink.tally.files++;
    sink.tally.bytes += to - from;
    let model: string | undefined;
    for (const block of splitBlocks(text)) {
      const ts = session.started ?? "";
      const base = { message: String(block.line), ts, cwd: session.cwd, model };
      // The last answer grows while it is written: the next import replaces it.
      if (block.kind === "user") {
        sink.tally.messages++;
        await sink.entry(make.revised(make.turn("user", block.text, base)));
      } else if (block.kind === "assistant") {
        await sink.entry(make.revised(make.turn("assistant", block.text, base)));
      } else {
        model = /^(?:Main model|Models?): ([^\s,]+)/m.exec(block.text)?.[1] ?? model;
        const edited = matchesOf(block.text, /^(?:Applied edit to|Creating empty file) (\S+)/gm);
        const files = [...edited, ...matchesOf(block.text, /^Added (\S+) to the chat/gm)];
        const commits = matchesOf(block.text, /^Commit ([0-9a-f]{7,40}) /gm);
        const row = edited.length > 0
          ? make.notice("patch", block.text, { ...base, model })
          : make.toolOutput({ name: "aider", output: block.text }, { ...base, model });
        const usage = usageOf(block.text, `${session.id}:${block.line}`);
        await sink.entry(make.revised({
          ...row,
          ...(files.length > 0 ? { files } : {}),
          ...(commits.length > 0 ? { commits } : {}),
          ...(usage ? { usage } : {}),
        }));
      }
    }
  },
};

/** One session per header; text before the first header is a session of its own. */
function splitSessions(file: WalkedFile, tally: ListOptions["tally"]): SourceSession[] {
  using reader = new LineReader(file.path, { tally });
  const decoder = new TextDecoder();
  const starts: { offset: number; started?: string; hasText: boolean }[] = [];
  for (const line of reader.lines()) {
    const text = line.bytes.length > 0 && line.bytes[0] === 0x23 ? decoder.decode(line.bytes) : "";
    const match = header.exec(text);
    if (match) {
      starts.push({
        offset: line.offset,
        started: toTime(`${match[1]}T${match[2]}`),
        hasText: false,
      });
    } else if (line.bytes.length > 1) {
      if (starts.length === 0) starts.push({ offset: 0, hasText: true });
      else starts[starts.length - 1].hasText = true;
    }
  }
  const cwd = file.path.replace(/\/[^/]*$/, "");
  return starts.map(({ offset, started, hasText }, i) => {
    const end = starts[i + 1]?.offset ?? file.size;
    if (!hasText) tally.skip("empty_session");
    const time = started ?? starts[1]?.started ?? new Date(file.modified).toISOString();
    return {
      id: `${cwd}#${offset}`,
      path: file.path,
      key: `${offset}-${end}`,
      signature: i === starts.length - 1
        ? `${offset}-${end}/${signatureOf(file)}`
        : `${offset}-${end}`,
      cwd,
      started: time,
      updated: time,
    };
  });
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1]))];
}

/** Aider ends every line of a prompt with two spaces; headings in answers have none. */
const marked = /^####(?: .*)? {2}\r?$/m;
/** Files that lost the spaces at the ends of lines. */
const plain = /^####(?: |$)/;

interface Block {
  kind: "user" | "assistant" | "console";
  text: string;
  line: number;
}

function* splitBlocks(text: string): Generator<Block> {
  const prompt = marked.test(text) ? marked : plain;
  let open: { kind: Block["kind"]; lines: string[]; line: number } | undefined;
  for (const [number, raw] of text.split("\n").entries()) {
    const line = raw.replace(/\r$/, "");
    if (header.test(line)) continue;
    const kind = prompt.test(line) ? "user" : line.startsWith("> ") ? "console" : "assistant";
    const isBlank = line.trim() === "";
    if (open && (open.kind === kind || (isBlank && open.kind === "assistant"))) {
      open.lines.push(clean(kind, line));
      continue;
    }
    if (isBlank) {
      // An empty line of a prompt is written as `####`: a bare one ends it.
      if (open?.kind === "user") {
        yield close(open);
        open = undefined;
      }
      continue;
    }
    if (open) yield close(open);
    open = { kind, lines: [clean(kind, line)], line: number };
  }
  if (open) yield close(open);
}

function close(open: { kind: Block["kind"]; lines: string[]; line: number }): Block {
  // Blank lines around it go; the indentation of its first line is its own.
  const text = open.lines.join("\n").replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
  return { kind: open.kind, text, line: open.line };
}

function clean(kind: Block["kind"], line: string): string {
  if (kind === "user") return line.slice(5).replace(/ {2}$/, "");
  return kind === "console" ? line.slice(2).replace(/ {2}$/, "") : line;
}

/** `Tokens: 2.3k sent, 1k received.` */
function usageOf(text: string, id: string): Record<string, unknown> | undefined {
  const match = /^Tokens: ([\d.,]+)(k|M)? sent,.*?([\d.,]+)(k|M)? received/m.exec(text);
  if (!match) return undefined;
  const count = (number: string, unit: string | undefined) =>
    Math.round(Number(number.replaceAll(",", "")) * (unit === "k" ? 1e3 : unit === "M" ? 1e6 : 1));
  return { id, input_tokens: count(match[1], match[2]), output_tokens: count(match[3], match[4]) };
}
