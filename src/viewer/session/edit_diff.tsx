// What an edit changed, line by line, in the colours of its language.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type DiffRow, diffRows } from "../../core/lines/line_diff.ts";
import { CodeLine } from "../code/code_line.tsx";
import { useHighlighted } from "../code/highlight_lines.ts";
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
  const { path, line } = edit;
  const rows = useMemo(() => diffRows(edit.old, edit.new), [edit]);
  const before = useHighlighted(edit.old, path);
  const after = useHighlighted(edit.new, path);
  const shown = rows.slice(0, isWhole ? mostLines : fewLines);
  const count = (mark: string): number => rows.filter((row) => row.mark === mark).length;
  return (
    <figure class="diff">
      <figcaption>
        <code>{path || "unknown file"}{line !== undefined && `:${line}`}</code>
        {edit.cut && <small>shortened</small>}
        <span class="diff-count">
          <b>+{count("+")}</b> <i>−{count("-")}</i>
        </span>
      </figcaption>
      <pre tabIndex={0}>
        {shown.map(({ mark, text, at }) => (
          <span class={names[mark]}>
            {line !== undefined && <small>{mark === "-" ? "" : line + at}</small>}
            <i>{mark}</i>
            <code>
              <CodeLine text={text} pieces={(mark === "-" ? before : after)?.[at]} />
              {"\n"}
            </code>
          </span>
        ))}
      </pre>
      {shown.length < rows.length && (
        <button type="button" onClick={onWhole} disabled={isWhole}>
          {isWhole
            ? `${rows.length - shown.length} more lines not shown`
            : `Show all ${rows.length} lines`}
        </button>
      )}
    </figure>
  );
}

const names: Record<DiffRow["mark"], string> = { "+": "added", "-": "removed", " ": "same" };
