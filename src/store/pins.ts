// `pins.md`: what must always be in the pack. A Markdown list that people may edit: a line with an
// id pins that entry, a line without one is a pin of its own; every other line is kept as it is.

import { decodeLossy } from "../core/utf8.ts";
import { type Files, isListed } from "./files.ts";
import type { Layout } from "./layout.ts";

/** One pin: an entry, or a line somebody wrote by hand. */
export interface Pin {
  id?: string;
  text: string;
}

const header = "# Pins\n\nWhat an agent must always know. One line each; edit freely.\n\n";
const pinLine = /^\s*[-*]\s+(?:\[?(H-[A-Za-z0-9_.:@-]+)\]?:?\s*)?(.*)$/;

/** The text of `pins.md`; empty when there is none. */
export function readPinsText(
  { files, layout }: { files: Files; layout: Pick<Layout, "pins"> },
): string {
  const bytes = isListed(files, layout.pins) ? files.findBytes(layout.pins) : undefined;
  return bytes === undefined ? "" : decodeLossy(bytes);
}

/** The pins in a file's text, in order. */
export function parsePins(text: string): Pin[] {
  const pins: Pin[] = [];
  for (const line of text.split("\n")) {
    const match = pinLine.exec(line);
    if (!match || (match[1] === undefined && match[2].trim() === "")) continue;
    pins.push({ ...(match[1] ? { id: match[1] } : {}), text: match[2].trim() });
  }
  return pins;
}

/** The text with a pin added at the end. */
export function addPin(text: string, pin: Pin): string {
  const base = text.trim() === "" ? header : text.endsWith("\n") ? text : text + "\n";
  return `${base}- ${pin.id === undefined ? "" : `[${pin.id}] `}${pin.text}\n`;
}

/** The text without the pins of some ids, or with exactly that line by hand. */
export function removePins(text: string, ids: ReadonlySet<string>): string {
  return text.split("\n").filter((line) => {
    const match = pinLine.exec(line);
    return !match || !(ids.has(match[1] ?? "") || ids.has(match[2].trim()));
  }).join("\n");
}
