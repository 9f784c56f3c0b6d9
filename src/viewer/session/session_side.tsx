// The sidebar of a session: its prompts and files, to jump to.

import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { countOf } from "../parts/count_of.ts";
import { type ListHandle, VirtualList } from "../parts/virtual_list.tsx";
import type { Outline, ReaderRow } from "./reader_rows.ts";

/** Files that are shown; the others were read, not changed. */
const mostFiles = 200;

export function PromptList(
  { rows, prompts, current, onJump }: {
    rows: readonly ReaderRow[];
    /** The rows that are prompts. */
    prompts: readonly number[];
    /** The prompt that is being read, as one of `prompts`. */
    current: number;
    onJump(row: number): void;
  },
): JSX.Element {
  const handle = useRef<ListHandle>(null);
  const keyOf = useCallback((i: number) => rows[prompts[i]].key, [rows, prompts]);
  useEffect(() => {
    if (current >= 0) handle.current?.show(current, "nearest");
  }, [current]);
  return (
    <section class="prompts" aria-labelledby="prompts-title">
      <h2 id="prompts-title">
        Prompts <small>{prompts.length}</small>
      </h2>
      <VirtualList
        label="Prompts"
        role="list"
        count={prompts.length}
        keyOf={keyOf}
        guess={() => 30}
        handle={handle}
        draw={(i) => {
          const { outline: { messages }, at } = rows[prompts[i]];
          return (
            <button
              type="button"
              class="quiet"
              data-prompt
              aria-current={i === current ? "true" : undefined}
              title={messages.line[at]}
              onClick={() => onJump(prompts[i])}
            >
              {messages.line[at] || "(empty)"}
            </button>
          );
        }}
      />
    </section>
  );
}

/** The files, those that were changed first; a click goes to the next change. */
export function FileList(
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
