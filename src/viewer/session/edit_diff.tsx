// What an edit changed, line by line.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { diffLines } from "../../core/lines/line_diff.ts";
import type { Message } from "./use_texts.ts";

type Edit = NonNullable<Message["edits"]>[number];

/** Lines shown at first. */
const fewLines = 40;
/** The most lines that are shown. */
const mostLines = 5000;

/** One change of one file. */
export function EditDiff(
  { edit, isWhole, onWhole }: { edit: Edit; isWhole: boolean; onWhole(): void },
): JSX.Element {
  const lines = useMemo(
    () => diffLines(edit.old, edit.new).replace(/\n$/, "").split("\n"),
    [edit],
  );
  const shown = lines.slice(0, isWhole ? mostLines : fewLines);
  return (
    <figure class="diff">
      <figcaption>
        <code>{edit.path || "unknown file"}{edit.line !== undefined && `:${edit.line}`}</code>
        {edit.cut && <small>shortened</small>}
      </figcaption>
      <pre tabIndex={0}>
        {shown.map((line) => (
          <span class={line[0] === "+" ? "added" : line[0] === "-" ? "removed" : undefined}>
            {line}
            {"\n"}
          </span>
        ))}
      </pre>
      {shown.length < lines.length && (
        <button type="button" onClick={onWhole} disabled={isWhole}>
          {isWhole
            ? `${lines.length - shown.length} more lines not shown`
            : `Show all ${lines.length} lines`}
        </button>
      )}
    </figure>
  );
}
