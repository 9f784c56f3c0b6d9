// The `ctx` command that shows the same in a terminal.

import type { JSX } from "preact";
import { useKeys } from "../data/page_keys.ts";
import { usePage } from "../data/page_context.ts";
import { copyText } from "../data/copy_text.ts";

/** Shows the command, and copies it on a click or on `y`. */
export function ShellLine({ line }: { line: string }): JSX.Element {
  const copy = useCopy(line);
  useKeys({ y: copy });
  return (
    <p class="shell-line">
      <code tabIndex={0}>{line}</code>
      <button type="button" onClick={copy} title="Copy (y)">Copy</button>
    </p>
  );
}

/** One command of several: it is copied only by its button. */
export function CommandCopy(
  { line, label, isFirst }: { line: string; label: string; isFirst?: boolean },
): JSX.Element {
  return (
    <p class="shell-line">
      <code tabIndex={0}>{line}</code>
      <button
        type="button"
        onClick={useCopy(line)}
        aria-label={label}
        data-first={isFirst || undefined}
      >
        Copy
      </button>
    </p>
  );
}

function useCopy(line: string): () => void {
  const { tell } = usePage();
  return () => copyText(line, { done: "Command copied", tell });
}
