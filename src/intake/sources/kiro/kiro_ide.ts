// Kiro's IDE before 1.0: a document per conversation in `workspace-sessions`, with the prompts and,
// for each answer, the number of the run that made it. What a run said and did is in a file of its own,
// found by hashes of the place and of that number.

import { toWholePath } from "../../../core/platform_path.ts";
import { sha256 } from "../../../core/sha256.ts";
import { encodeExact } from "../../../core/utf8.ts";
import { blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import {
  findJson,
  type Json,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import { readDocument } from "../read_document.ts";
import type { ResumePoint, Sink, SourceEntry, SourceSession } from "../source.ts";
import { sessionOf } from "../source_kinds.ts";
import { otherType, sendMessage } from "../reading.ts";
import { ToolNames } from "../tool_names.ts";
import { findFileInfo, findSmallText, type WalkedFile } from "../walk.ts";
import { withoutBlocks } from "../without_blocks.ts";

const maxDocumentBytes = 64 << 20;
const savedRuns = hash32("KIRO::EXECUTION::SAVES");

/** Whether a path is that of a conversation; the list of all lies beside them. */
export function isIdeDocument(path: string): boolean {
  return /\/workspace-sessions\/[^/]+\/[^/]+\.json$/.test(path) && !path.endsWith("/sessions.json");
}

/** The conversation in a document, as the list beside it has it; lists are read once. */
export function toIdeSession(file: WalkedFile, lists: Map<string, Json[]>): SourceSession {
  const id = file.name.slice(0, -".json".length);
  const path = `${file.path.replace(/\/[^/]+$/, "")}/sessions.json`;
  const list = lists.get(path) ?? toObjects(findJson(findSmallText(path, 16 << 20) ?? ""));
  lists.set(path, list);
  const item = list.find((one) => one.sessionId === id);
  return sessionOf(file, {
    cwd: toText(item?.workspaceDirectory) ?? placeOf(file.path),
    title: toText(item?.title),
    started: toTime(item?.dateCreated),
  });
}

/** The directory is named after the place, in base64 whose signs are changed for those of paths. */
function placeOf(path: string): string | undefined {
  const name = path.split("/").at(-2) ?? "";
  try {
    const text = atob(name.replace(/_{1,2}$/, "").replaceAll("-", "+").replaceAll("_", "/"));
    const place = new TextDecoder().decode(Uint8Array.from(text, (one) => one.charCodeAt(0)));
    return place.includes("\0") ? undefined : toWholePath(place);
  } catch {
    return undefined;
  }
}

export async function readIdeDocument(session: SourceSession, sink: Sink): Promise<ResumePoint> {
  const { tally } = sink;
  const point = { signature: session.signature };
  const read = readDocument(session.path, { tally, maxBytes: maxDocumentBytes });
  const document = toObject(read);
  if (document === undefined) return point;
  if (toText(document.v2SessionId)) {
    // The newer Kiro took it over, with all that was said.
    tally.skip("migrated_session");
    return point;
  }
  const cwd = session.cwd ?? toText(document.workspaceDirectory);
  const title = session.title ?? toText(document.title);
  if (title && title !== "New Session") sink.describe({ title, title_from: "ai" });
  const runs = new Runs(session.path, cwd, sink);
  const tools = new ToolNames({});
  const history = toObjects(document.history);
  let ts = session.started ?? "";
  for (const [i, item] of history.entries()) {
    const message = toObject(item.message) ?? {};
    const id = toText(message.id) ?? String(i);
    const run = runs.find(item.executionId) ?? runs.find(history[i + 1]?.executionId);
    ts = toTime(run?.startTime) ?? ts;
    const base = { message: id, ts, cwd, model: undefined };
    const own = message.role === "user" ? undefined : runs.find(item.executionId);
    const rows = message.role === "user"
      ? saidRows("user", message, base)
      : own === undefined
      ? saidRows("assistant", message, base)
      : runRows(own, { base, tools, sink });
    await sendMessage(sink, rows);
  }
  return runs.isRunning ? { signature: `${point.signature}+` } : point;
}

/** The runs of one place; the last one is kept, as a prompt has the time of the run that follows. */
class Runs {
  readonly #directory: string | undefined;
  readonly #sink: Sink;
  #last?: { id: string; run: Json | undefined };
  isRunning = false;

  constructor(path: string, cwd: string | undefined, sink: Sink) {
    const store = path.replace(/\/workspace-sessions\/.*$/, "");
    this.#directory = cwd && `${store}/${hash32(cwd)}/${savedRuns}`;
    this.#sink = sink;
  }

  find(id: unknown): Json | undefined {
    if (typeof id !== "string" || id === "" || this.#directory === undefined) return undefined;
    if (this.#last?.id !== id) this.#last = { id, run: this.#read(id) };
    return this.#last.run;
  }

  #read(id: string): Json | undefined {
    const path = `${this.#directory}/${hash32(id)}`;
    if (findFileInfo(path) === undefined) {
      this.#sink.tally.skip("run_gone");
      return undefined;
    }
    const { tally } = this.#sink;
    const run = toObject(readDocument(path, { tally, maxBytes: maxDocumentBytes }));
    if (run?.status === "running") this.isRunning = true;
    return run;
  }
}

/** What stands in the document itself; of answers that is mostly a word until the run has ended. */
function saidRows(role: "user" | "assistant", message: Json, base: make.Base): SourceEntry[] {
  const text = withoutBlocks(blocksText(message.content), around).trim();
  return text === "" || (role === "assistant" && text === "On it.")
    ? []
    : [make.turn(role, text, base)];
}

const around = ["steering-reminder", "EnvironmentContext"];

function runRows(
  run: Json,
  { base, tools, sink }: { base: make.Base; tools: ToolNames; sink: Sink },
): SourceEntry[] {
  return toObjects(run.actions).flatMap((action, i) => {
    const kind = String(action.actionType);
    const id = toText(action.actionId) ?? String(i);
    const at = {
      ...base,
      ts: toTime(action.emittedAt) ?? base.ts,
      message: `${base.message}:${id}`,
      model: toText(run.modelId),
    };
    const output = toObject(action.output) ?? {};
    const said = toText(output.message);
    if (kind === "say") return said?.trim() ? [make.turn("assistant", said, at)] : [];
    const input = toObject(action.input);
    if (input === undefined || ofHarness.has(kind)) {
      sink.tally.skip(otherType(kind, "action."));
      return [];
    }
    const name = kind === "mcp" ? toText(input.toolName) ?? kind : kind;
    const given = kind === "mcp" ? input.toolArgs : input;
    const call = tools.call({ name, input: given, call_id: at.message }, at);
    if (action.output === undefined || action.output === null) return [call];
    const exit = toNumber(output.exitCode);
    const text = toText(output.output) ?? toText(output.response) ?? said ??
      (Object.keys(output).length === 0 ? "" : JSON.stringify(output));
    const error = /error|fail|reject/i.test(String(action.actionState)) || (exit ?? 0) !== 0;
    const of = { ...make.under(at, "output"), model: undefined };
    return [call, tools.output({ output: text, error, exit, call_id: at.message }, of)];
  });
}

const ofHarness = new Set(["model", "intentClassification"]);

function hash32(text: string): string {
  return sha256(encodeExact(text)).slice(0, 32);
}
