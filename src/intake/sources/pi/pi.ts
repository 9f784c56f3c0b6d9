// Pi, and what those made of it (omp, OpenClaw) have in common with it: a session is a file of lines, the
// first of which (or the second, after a title) says where it was held. Lines form a tree: what was tried
// in another branch and left is part of what happened, so all of them are kept.

import { blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import { type Json, toBlocks, toNumber, toObject, toText, toTime } from "../loose_json.ts";
import type { Source } from "../source.ts";
import { type FileKind, fileSource } from "../source_kinds.ts";
import { compactionRows, otherType, type Reading, readRecords, type Rows } from "../reading.ts";

/** What differs between the agents that write Pi's lines. */
export interface PiAgent extends Pick<FileKind, "name" | "title" | "roots"> {
  /** What a person typed, where the agent puts something around it. */
  typedIn?: (text: string) => string;
}

/** Pi's sessions: `~/.pi/agent/sessions/--<path>--/<time>_<id>.jsonl`. */
export const pi = makePiSource({
  name: "pi",
  title: "Pi",
  roots: ({ env, home }) => [
    env("PI_CODING_AGENT_SESSION_DIR"),
    `${env("PI_CODING_AGENT_DIR") || `${home}/.pi/agent`}/sessions`,
  ],
});

/** Makes the source of an agent that writes Pi's lines. */
export function makePiSource({ typedIn, ...agent }: PiAgent): Source {
  return fileSource({
    ...agent,
    // OpenClaw renames a transcript that was reset or deleted, and keeps it.
    files: /\.jsonl(?:\.(?:reset|deleted)\.[\dTZ.-]+)?$/,
    describe: () => ({ name, directory, head }) => {
      // Other files of lines lie beside: logs, lists of sessions.
      if (!/^\s*\{"type"\s*:\s*"(?:session|title)"/.test(head.text)) return undefined;
      const session = /\{"type"\s*:\s*"session".*/.exec(head.text)?.[0] ?? "";
      const said = checkpoint.test(name) ? null : /"id"\s*:\s*"([\w-]{1,100})"/.exec(session);
      return {
        id: said?.[1] ?? idIn(name),
        cwd: head.find("cwd"),
        started: toTime(head.find("timestamp")),
        parent: parentOf(head.find("parentSession") ?? head.find("branchedFrom")) ??
          parentOf(directory),
      };
    },
    read: readRecords({ rows: (line, base, reading) => rowsOf(line, base, { reading, typedIn }) }),
  });
}

/** What OpenClaw puts aside before it compacts a session. */
const checkpoint = /\.checkpoint\.[\da-f-]{36}\.jsonl$/;

/** The session that a path is of; a sub-agent lies in a directory named like its parent's file. */
function parentOf(path: string | undefined): string | undefined {
  const name = path?.slice(path.lastIndexOf("/") + 1) ?? "";
  return /^\d{4}-.*_/.test(name) ? idIn(name) : undefined;
}

/** Files are named after time and id. */
function idIn(name: string): string {
  return name.replace(checkpoint, "").replace(/\.jsonl(?:\.(?:reset|deleted)\.[\dTZ.-]+)?$/, "")
    .replace(/^\d{4}-[\dTZ.-]+_/, "");
}

interface PiReading extends Pick<PiAgent, "typedIn"> {
  reading: Reading;
}

function rowsOf(line: Json, base: make.Base, given: PiReading): Rows {
  const text = toText(line.summary);
  switch (line.type) {
    case "session":
    case "title":
    case "title_change":
    case "session_info": {
      const title = toText(line.title) ?? toText(line.name);
      if (title) given.reading.sink.describe({ title, title_from: "agent" });
      return undefined;
    }
    case "compaction":
      return compactionRows(base, text, "Conversation compacted");
    case "branch_summary":
      return text ? [make.notice("summary", text, base)] : [];
    case "message":
      return messageRows(toObject(line.message) ?? {}, base, given);
    default:
      return otherType(line.type);
  }
}

function messageRows(message: Json, base: make.Base, { reading, typedIn }: PiReading): Rows {
  const { blocks, tools } = reading;
  switch (message.role) {
    case "user": {
      const rows = blocks.rows("user", typedBlocks(message.content, typedIn), base);
      const isHarness = rows.length === 0 && typedIn && blocksText(message.content).trim() !== "";
      return isHarness ? "harness_text" : rows;
    }
    case "assistant": {
      const model = make.modelName(toText(message.model), toText(message.provider));
      const rows = blocks.rows("assistant", message.content, { ...base, model });
      make.addUsage(rows, base.message, toObject(message.usage), usageNames);
      return rows;
    }
    case "toolResult":
      return [
        tools.output({
          name: message.toolName,
          call_id: message.toolCallId,
          output: blocksText(message.content),
          error: message.isError === true,
          exit: toNumber(toObject(message.details)?.exitCode),
        }, base),
      ];
    case "bashExecution": {
      // A command that the user ran.
      const exit = toNumber(message.exitCode);
      const call = { name: "bash", input: { command: toText(message.command) ?? "" } };
      const output = toText(message.output) ?? "";
      return make.callRows(call, { output, exit, error: (exit ?? 0) !== 0 }, base);
    }
    case "branchSummary":
    case "compactionSummary": {
      const text = toText(message.summary) ?? blocksText(message.content);
      return text === "" ? [] : [make.notice("summary", text, base)];
    }
    default:
      return "bookkeeping";
  }
}

const usageNames: make.UsageNames = {
  input_tokens: "input",
  output_tokens: "output",
  cache_read_tokens: "cacheRead",
  cache_write_tokens: "cacheWrite",
};

/** The blocks of the user's message with what was typed; a place stays its place. */
function typedBlocks(content: unknown, typedIn: PiAgent["typedIn"]): unknown {
  if (typedIn === undefined) return content;
  return toBlocks(content)?.map((block) =>
    typeof block.text === "string" ? { ...block, text: typedIn(block.text) } : block
  );
}
