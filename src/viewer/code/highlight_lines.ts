// Syntax colours for code that is shown. The highlighter is not part of the page's script: it is loaded
// when the first code is shown; until then, and where it is missing, code is plain.

import { useEffect, useState } from "preact/hooks";
import type { Piece } from "./highlighter.ts";

export type { Piece };

/** Beside the page; named in a way that the bundler does not follow. */
const place = "./highlighter.js";

let loading: Promise<typeof import("./highlighter.ts")> | undefined;

/** The lines of a text in pieces; undefined where the language of the path is not known. */
export async function highlightLines(text: string, path: string): Promise<Piece[][] | undefined> {
  try {
    loading ??= import(new URL(place, document.baseURI).href);
    return (await loading).highlightText(text, path);
  } catch {
    loading = undefined;
    return undefined;
  }
}

/** The same for a component; undefined until it is there. */
export function useHighlighted(text: string, path: string): readonly Piece[][] | undefined {
  const [done, setDone] = useState<{ text: string; lines: Piece[][] | undefined }>();
  useEffect(() => {
    let isGone = false;
    highlightLines(text, path).then((lines) => isGone || setDone({ text, lines }));
    return () => {
      isGone = true;
    };
  }, [text, path]);
  return done?.text === text ? done.lines : undefined;
}
