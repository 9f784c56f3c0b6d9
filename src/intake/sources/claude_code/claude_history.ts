// Claude Code's `history.jsonl`: every prompt that was typed, also in sessions whose transcripts it
// has deleted since. Those are read from here, as far as it goes: prompts without answers.

import { parseClaudePrompt } from "../claude_prompt.ts";
import * as make from "../entries.ts";
import { readRange } from "../database/read_at.ts";
import { findJson, type Json, toObject, toText, toTime } from "../loose_json.ts";
import { Tally } from "../problem_tally.ts";
import { JsonlReader } from "../read_jsonl.ts";
import type { ListOptions, Sink, SourceSession } from "../source.ts";

const maxBytes = 256 << 20;
const dayMs = 86_400_000;

/**
 * The sessions in a history; whoever reads them leaves out those with a transcript. One of the last
 * day may be running, and its transcript not written yet.
 */
export function* listTyped(path: string, { tally, only }: ListOptions): Generator<SourceSession> {
  if (!isReadable(path, tally)) return;
  const sessions = new Map<string, SourceSession & { count: number; from: number }>();
  let newest = "";
  // Damage is told by whoever reads the lines.
  using reader = new JsonlReader(path, { tally: new Tally(), now: 0 });
  for (const { value, offset } of reader.records()) {
    const { sessionId, project, timestamp } = value;
    const [id, ts] = [toText(sessionId), toTime(timestamp)];
    if (ts === undefined) continue;
    if (ts > newest) newest = ts;
    if (id === undefined || !/^[\w-]{1,100}$/.test(id)) continue;
    const { count = 0, from = offset, started = ts, cwd = toText(project) } = sessions.get(id) ??
      {};
    sessions.set(id, {
      id,
      path,
      signature: `${count + 1}:${ts}`,
      // Where its first line begins and its last one ends.
      key: `${from}-${reader.offset}`,
      cwd,
      started,
      updated: ts,
      isRemnant: true,
      count: count + 1,
      from,
    });
  }
  const settled = new Date(Date.parse(newest || "1970") - dayMs).toISOString();
  for (const { count: _count, from: _from, ...session } of sessions.values()) {
    if ((session.updated ?? "") > settled || (only !== undefined && session.id !== only)) continue;
    yield session;
  }
}

export async function readTyped(session: SourceSession, sink: Sink): Promise<void> {
  const { tally } = sink;
  const seen = new Map<string, number>();
  tally.files++;
  const [from, to] = (session.key ?? "0-0").split("-").map(Number);
  for (const line of readRange(session.path, from, to).split("\n")) {
    if (line.trim() === "") continue;
    tally.bytes += line.length;
    const value = toObject(findJson(line));
    if (value === undefined) tally.bad_lines++;
    if (value?.sessionId !== session.id) continue;
    tally.messages++;
    const ts = toTime(value.timestamp) ?? session.started ?? "";
    const prompt = parseClaudePrompt(typedText(value));
    if (prompt.kind !== "prompt" || prompt.text === "/clear") {
      tally.skip("harness_text");
      continue;
    }
    const twin = seen.get(ts) ?? 0;
    seen.set(ts, twin + 1);
    const message = `${session.id}@${ts}${twin === 0 ? "" : `#${twin}`}`;
    await sink.entry(make.turn("user", prompt.text, { message, ts, cwd: session.cwd }));
  }
}

function typedText({ display, pastedContents }: Json): string {
  const pasted = toObject(pastedContents) ?? {};
  return (toText(display) ?? "").trim().replace(
    /\[Pasted text #(\d+)[^\]]*\]/g,
    (mark, number) => toText(toObject(pasted[number])?.content) ?? mark,
  );
}

function isReadable(path: string, tally: Tally): boolean {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    if (size > maxBytes) tally.problem(path, new Error(`it is larger than ${maxBytes} bytes`));
    return isFile && size <= maxBytes;
  } catch {
    return false;
  }
}
