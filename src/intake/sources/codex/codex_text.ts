// Reads the texts of Codex rollouts: what the person typed inside injected context, what a tool
// printed inside its wrapper, and which of two equal texts is only the other's echo.

import { hashHex } from "../../../core/hash.ts";
import {
  codexEditorHead,
  codexNotice,
  codexRequest,
  codexSummaryHead,
} from "../../../core/voice/client_forms.ts";
import { findJson, type Json, partsText, toList, toNumber, toObject } from "../loose_json.ts";

/** What the person typed, or undefined when the harness wrote all of it. */
export function parseCodexPrompt(text: string): string | undefined {
  if (codexNotice.test(text) || codexSummaryHead.test(text)) return undefined;
  if (/^\s*<skill>/.test(text)) {
    const end = text.lastIndexOf("</skill>");
    return end < 0 ? undefined : text.slice(end + "</skill>".length).trim() || undefined;
  }
  if (codexEditorHead.test(text)) {
    const at = text.lastIndexOf(codexRequest);
    if (at >= 0) return text.slice(at + codexRequest.length).trim() || undefined;
  }
  return text.trim() === "" ? undefined : text;
}

export function parseCodexSummary(text: string): string {
  return text.replace(codexSummaryHead, "").trim();
}

/** A tool's output: plain text, a list of parts, or JSON in a string with an exit code. */
export function parseCodexOutput(output: unknown): { output: string; error?: boolean } {
  if (typeof output !== "string") return { output: partsText(output) };
  if (output.startsWith('{"output"')) {
    const object = toObject(findJson(output));
    const exit = toNumber(toObject(object?.metadata)?.exit_code);
    if (typeof object?.output === "string") {
      return { output: object.output, error: exit !== undefined && exit !== 0 };
    }
  }
  const exit = /^(?:Exit code:|.{0,400}?Process exited with code) (\d+)/s.exec(
    output.slice(0, 500),
  );
  return { output, error: exit !== null && exit[1] !== "0" };
}

/** Where a text was written: as a response item, as an event, or repeated when a turn ends. */
export type Channel = "item" | "event" | "end";

/** Notices that a text was already said on the other channel. */
export class Echoes {
  #open: string[];
  readonly #last: Json;

  constructor(state: unknown) {
    const saved = toObject(state);
    this.#open = toList(saved?.open).map(String);
    this.#last = { ...toObject(saved?.last) };
  }

  state(): Json {
    return { open: this.#open, last: this.#last };
  }

  /** Whether this text is the echo of one on another channel; each text has one echo at most. */
  isEcho(kind: string, channel: Channel, text: string): boolean {
    const hash = hashHex(`${kind}\0${text.trim()}`);
    if (channel === "end") return this.#last[kind] === hash;
    const other = channel === "item" ? "event" : "item";
    const at = this.#open.indexOf(`${other}:${hash}`);
    if (at >= 0) {
      this.#open.splice(at, 1);
      return true;
    }
    this.#last[kind] = hash;
    this.#open = [...this.#open.slice(-maxOpen), `${channel}:${hash}`];
    return false;
  }
}

const maxOpen = 40;
