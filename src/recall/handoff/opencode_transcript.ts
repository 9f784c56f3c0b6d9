// A session in the form that `opencode export` prints and `opencode import` takes: OpenCode keeps
// sessions in a database of its own, which only it should write. Reads which model its user chose.

import { parseJsonc } from "../../config/parse_jsonc.ts";
import { isObject } from "../../core/json.ts";
import { makeHandedTail } from "../../core/restored_uuid.ts";
import { toShellWord } from "../../core/text.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { HandedSession, HandoffPlace, Transcript } from "./transcript.ts";
import type { Turn } from "./turn.ts";
import { resumeCommands } from "./resume_commands.ts";

/** The version of the agent whose format this is. */
const formatVersion = "1.18.18";

/** Writes a file beside OpenCode's data, to be imported by it. */
export async function toOpencodeTranscript(
  session: HandedSession,
  place: HandoffPlace,
): Promise<Transcript> {
  const { brief, turns, title, cwd } = session;
  const started = msOf(turns[0]?.ts);
  const isOwn = session.from === "opencode" && /^ses_\w{1,60}$/.test(session.conversation ?? "");
  const sessionID = isOwn
    ? session.conversation ?? ""
    : `ses_${descending(started)}${makeHandedTail(session.id)}`;
  const ids = new AscendingIds();
  const found = await findModel(session, place);
  const model = found ?? unknownModel;
  const messages: { info: Record<string, unknown>; parts: object[] }[] = [];
  let parentID = "";
  let created = started;
  const put = (of: string, ts: string, info: object, part: object): void => {
    created = Math.max(created, msOf(ts));
    const id = ids.next("msg", created, of);
    const of_part = { id: ids.next("prt", created, of), sessionID, messageID: id };
    messages.push({ info: { id, sessionID, ...info }, parts: [{ ...of_part, ...part }] });
  };
  const user = (of: string, ts: string, text: string): void => {
    const time = { created: Math.max(created, msOf(ts)) };
    put(of, ts, { role: "user", time, agent: "build", model }, { type: "text", text });
    parentID = String(messages.at(-1)?.info.id);
  };
  if (brief !== undefined) user(`${session.id}\0brief`, turns[0]?.ts ?? "", brief);
  for (const turn of turns) {
    if (turn.kind === "prompt") user(turn.id, turn.ts, turn.text);
    else {
      const from = Math.max(created, msOf(turn.ts));
      const until = turn.kind === "call" ? Math.max(from, msOf(turn.result.ts)) : from;
      const info = {
        role: "assistant",
        time: { created: from, completed: until },
        parentID,
        ...(turn.model === undefined ? model : splitModel(turn.model)),
        mode: "build",
        agent: "build",
        path: { cwd: turn.cwd ?? cwd, root: cwd },
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        finish: turn.kind === "call" ? "tool-calls" : "stop",
      };
      put(turn.id, turn.ts, info, partOf(turn, from, until));
    }
  }
  const info = {
    id: sessionID,
    slug: `handoff-${makeHandedTail(session.id).slice(-6)}`,
    projectID: "global",
    directory: cwd,
    title: title || "Handed over by ctx",
    version: formatVersion,
    time: { created: started, updated: created },
  };
  const data = `${place.env("XDG_DATA_HOME") || `${place.home}/.local/share`}/opencode`;
  const path = `${data}/handoff/${sessionID}.json`;
  return {
    id: sessionID,
    files: [{ path, text: JSON.stringify({ info, messages }, null, 1) + "\n" }],
    messages: messages.length,
    resume: [
      `opencode import ${toShellWord(path)}`,
      `${resumeCommands.opencode} ${sessionID}${
        found === undefined ? " --model PROVIDER/MODEL" : ""
      }`,
    ],
    remove: `opencode session delete ${sessionID}`,
  };
}

function partOf(turn: Turn, start: number, end: number): object {
  if (turn.kind !== "call") return { type: "text", text: turn.text };
  const { call: { name, input }, call_id: callID, result } = turn;
  const base = { input, time: { start, end } };
  const state = result.error
    ? { status: "error", ...base, error: result.text }
    : { status: "completed", ...base, output: result.text, title: name, metadata: {} };
  return { type: "tool", callID, tool: name, state };
}

function msOf(ts: string | undefined): number {
  const ms = Date.parse(ts ?? "");
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}

/** Ids that sort by time, as OpenCode's do; each says that ctx wrote it. */
class AscendingIds {
  #last = 0n;

  next(kind: "msg" | "prt", ms: number, of: string): string {
    const now = BigInt(ms) * 0x1000n;
    this.#last = now > this.#last ? now : this.#last + 1n;
    return `${kind}_${hex(this.#last)}${makeHandedTail(`${kind}\0${of}`)}`;
  }
}

/** OpenCode's ids of sessions sort the newest first. */
function descending(ms: number): string {
  return hex(~(BigInt(ms) * 0x1000n));
}

function hex(value: bigint): string {
  return BigInt.asUintN(48, value).toString(16).padStart(12, "0");
}

interface Model {
  providerID: string;
  modelID: string;
}

/** What stands for a model where none is known: OpenCode imports no message without one. */
const unknownModel: Model = { providerID: "unknown", modelID: "unknown" };

/** The model that goes on: the session's own, what OpenCode's user has set, or what was used last. */
async function findModel(
  { from, turns, cwd, findModel }: HandedSession,
  { home, env, files }: HandoffPlace,
): Promise<Model | undefined> {
  const own = from === "opencode" ? turns.findLast((turn) => turn.model !== undefined) : undefined;
  if (own?.model?.includes("/")) return splitModel(own.model);
  const read = async (path: string): Promise<Record<string, unknown>> => {
    const value = await parseJsonc(decodeLossy(files.findBytes(path) ?? new Uint8Array()));
    return isObject(value) ? value : {};
  };
  const user = `${env("XDG_CONFIG_HOME") || `${home}/.config`}/opencode/opencode.json`;
  const configs = [`${cwd}/opencode.json`, env("OPENCODE_CONFIG") || user, user]
    .flatMap((path) => [path, `${path}c`]);
  for (const path of configs) {
    const { model } = await read(path);
    if (typeof model === "string" && model.includes("/")) return splitModel(model);
  }
  const { recent } = await read(
    `${env("XDG_STATE_HOME") || `${home}/.local/state`}/opencode/model.json`,
  );
  const last: unknown = Array.isArray(recent) ? recent[0] : undefined;
  if (isObject(last) && typeof last.providerID === "string" && typeof last.modelID === "string") {
    return { providerID: last.providerID, modelID: last.modelID };
  }
  const earlier = await findModel?.();
  return earlier === undefined ? undefined : splitModel(earlier);
}

function splitModel(model: string): Model {
  const at = model.indexOf("/");
  if (at < 0) return { providerID: "unknown", modelID: model };
  return { providerID: model.slice(0, at), modelID: model.slice(at + 1) };
}
