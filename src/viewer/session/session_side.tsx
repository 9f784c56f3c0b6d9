// The sidebar of a session: the commits and pull requests that came of it, and its files, to jump to.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { toCommandLine } from "../data/command_line.ts";
import { countOf } from "../parts/count_of.ts";
import { ShellLine } from "../parts/shell_line.tsx";
import type { Outline } from "./reader_rows.ts";
import { SessionWork } from "./session_work.tsx";

/** Files that are shown; the others were read, not changed. */
const mostFiles = 200;

export function SessionSide(
  { outline, onJump }: { outline: Outline; onJump(entries: readonly string[]): void },
): JSX.Element {
  return (
    <aside class="session-side" aria-label="About this session">
      <SessionWork outline={outline} onJump={onJump} />
      <FileList outline={outline} onJump={onJump} />
      <ShellLine line={toCommandLine("show", [outline.session_id])} />
    </aside>
  );
}

/** The files, those that were changed first; a click goes to the next change. */
function FileList(
  { outline, onJump }: { outline: Outline; onJump(entries: readonly string[]): void },
): JSX.Element | null {
  const files = useMemo(
    () =>
      outline.files.map((file, number) => ({ ...file, number }))
        .sort((a, b) => b.edits - a.edits || b.messages - a.messages)
        .slice(0, mostFiles),
    [outline],
  );
  if (files.length === 0) return null;
  const jump = ({ number, edits }: { number: number; edits: number }): void => {
    const { messages } = outline;
    const isMeant = edits > 0 ? new Set(outline.edits) : undefined;
    onJump(
      messages.id.filter((_, at) =>
        messages.files[at].includes(number) && (isMeant?.has(at) ?? true)
      ),
    );
  };
  return (
    <section class="files" aria-labelledby="files-title">
      <h2 id="files-title">
        Files <small>{outline.files.length}</small>
      </h2>
      <ul>
        {files.map((file) => (
          <li>
            <button type="button" class="quiet" title={file.path} onClick={() => jump(file)}>
              <span>
                <bdi>{file.path}</bdi>
              </span>
              <small>
                {file.edits > 0 ? countOf(file.edits, "edit") : countOf(file.messages, "read")}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
