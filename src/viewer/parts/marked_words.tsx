// A text with the places marked that a search matched.

import type { JSX } from "preact";

/** The places as the server found them: starts and ends in the text. */
export type Places = readonly (readonly number[])[];

export function MarkedWords({ text, places }: { text: string; places?: Places }): JSX.Element {
  const parts: (string | JSX.Element)[] = [];
  let at = 0;
  for (const [start, end] of places ?? []) {
    if (start < at || end > text.length) continue;
    parts.push(withoutSigns(text.slice(at, start)), <mark>{text.slice(start, end)}</mark>);
    at = end;
  }
  return <>{[...parts, withoutSigns(text.slice(at))]}</>;
}

/** A row has no room for Markdown: its signs are left out, and the words stay. */
function withoutSigns(text: string): string {
  return text.replace(/^ {0,3}(?:#{1,6} |> )|\*\*|__|`+/gm, "");
}
