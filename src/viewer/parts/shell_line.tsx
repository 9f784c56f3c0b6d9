// The `ctx` command that shows the same in a terminal.

import type { JSX } from "preact";
import { useKeys } from "../data/page_keys.ts";
import { usePage } from "../data/page_context.ts";

/** Shows the command, and copies it on a click or on `y`. */
export function ShellLine({ line }: { line: string }): JSX.Element {
  const { tell } = usePage();
  const copy = (): void => {
    navigator.clipboard.writeText(line).then(
      () => tell("Command copied"),
      () => tell("Cannot copy: the browser blocked the clipboard"),
    );
  };
  useKeys({ y: copy });
  return (
    <p class="shell-line">
      <code tabIndex={0}>{line}</code>
      <button type="button" onClick={copy} title="Copy (y)">Copy</button>
    </p>
  );
}
