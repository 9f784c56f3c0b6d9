// All that a message holds, as text: what was said, what a call was given, what an edit changed. For
// people and agents that read; a scan shows less. Pure.

import { isObject } from "../core/json.ts";

export interface MessageParts {
  text: string;
  tool?: { name: string; input?: unknown };
  patch?: unknown;
}

/** The text of a message with the arguments of its call and the patch of its edit. */
export function toFullText({ text, tool, patch }: MessageParts): string {
  const parts = [toHead(text, tool), ...inputParts(text, tool)];
  if (typeof patch === "string" && patch !== "") parts.push(`patch:\n${patch.trimEnd()}`);
  return parts.join("\n");
}

/** A call whose text is its whole input says it once. */
function toHead(text: string, tool: MessageParts["tool"]): string {
  if (tool === undefined || typeof tool.input !== "string") return text;
  const whole = `${tool.name}: ${tool.input}`;
  return whole.length > text.length ? whole : text;
}

function inputParts(text: string, tool: MessageParts["tool"]): string[] {
  if (!isObject(tool?.input)) return [];
  return Object.entries(tool.input)
    .filter(([, value]) => !isEmpty(value) && text !== `${tool.name}: ${String(value)}`)
    .flatMap(([name, value]) => toParts(name, value));
}

/** `name: value`; the fields of objects in a list one by one, so that their text stays text. */
function toParts(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.some(isObject)) {
    return value.flatMap((item, i) =>
      isObject(item)
        ? Object.entries(item).flatMap(([field, one]) => toParts(`${name}[${i + 1}].${field}`, one))
        : toParts(`${name}[${i + 1}]`, item)
    );
  }
  const told = typeof value === "string" ? value : JSON.stringify(value);
  return [told.includes("\n") ? `${name}:\n${told}` : `${name}: ${told}`];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
