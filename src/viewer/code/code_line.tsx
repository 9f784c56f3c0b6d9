// A line of code with its syntax colours.

import type { JSX } from "preact";
import type { Piece } from "./highlight_lines.ts";

/** The pieces of a line; its plain text until they are there. */
export function CodeLine(
  { text, pieces }: { text: string; pieces?: readonly Piece[] },
): JSX.Element {
  if (pieces === undefined) return <>{text}</>;
  return (
    <>
      {pieces.map(({ text, kind }, i) =>
        kind ? <span key={i} class={`code-${kind}`}>{text}</span> : text
      )}
    </>
  );
}
