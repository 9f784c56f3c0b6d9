// The `ctx` command that shows the same in a terminal.

import type { JSX } from "preact";
import { useKeys } from "../data/page_keys.ts";
import { usePage } from "../data/page_context.ts";
import { copyText } from "../data/copy_text.ts";

/** Shows the command, and copies it on a click or on `y`. */
export function ShellLine({ line }: { line: string }): JSX.Element {
  const { tell } = usePage();
  const copy = (): void => copyText(line, { done: "Command copied", tell });
  useKeys({ y: copy });
  return (
    <p class="shell-line">
      <code tabIndex={0}>{line}</code>
      <button type="button" onClick={copy} title="Copy (y)">Copy</button>
    </p>
  );
}
