// Steps through the edits of a session: each with its prompt, and the source of its file around it.

import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { diffRows } from "../../core/lines/line_diff.ts";
import type { SourceText } from "../../read/overview/read_source.ts";
import { CodeLine } from "../code/code_line.tsx";
import { useHighlighted } from "../code/highlight_lines.ts";
import { call, receive } from "../data/call.ts";
import { useKeys } from "../data/page_keys.ts";
import { usePage } from "../data/page_context.ts";
import { plain } from "../data/plain.ts";
import { hrefOf, setParams } from "../data/route.ts";
import { useAnswer, useLoaded } from "../data/use_answer.ts";
import { countOf } from "../parts/count_of.ts";
import { Failure } from "../parts/failure.tsx";
import { EditDiff } from "./edit_diff.tsx";
import type { Outline } from "./reader_rows.ts";
import { type FileState, rebuild, type ReplayStep, toSteps } from "./replay_steps.ts";
import { SessionHead } from "./session_head.tsx";
import { lineChars } from "./use_outlines.ts";

/** Messages that are read at once, and at most. */
const [mostAtOnce, mostEdits] = [200, 2000];
/** Lines of a file that are shown around what changed. */
const aroundLines = 400;

export function SessionReplay({ session, at }: { session: string; at: number }): JSX.Element {
  const { answer: outline, error } = useAnswer("outline", { session, chars: lineChars });
  return (
    <section class="reader replay" aria-label="Session" aria-busy={!outline && !error}>
      <SessionHead outline={outline} session={session} />
      <Failure error={error} />
      {outline && <Steps outline={outline} at={at} />}
    </section>
  );
}

function Steps({ outline, at }: { outline: Outline; at: number }): JSX.Element {
  const { facts } = usePage();
  const { answer: steps, error } = useLoaded(
    `${outline.session_id} ${outline.total}`,
    (_, signal) => loadSteps(outline, { signal, isScoped: facts.session !== undefined }),
  );
  const count = steps?.length ?? 0;
  const now = Math.min(Math.max(1, at || 1), Math.max(1, count));
  const step = steps?.[now - 1];
  const go = (by: number): void => {
    const next = Math.min(count, Math.max(1, now + by));
    if (next !== now) setParams({ replay: String(next) }, { replace: true });
  };
  const close = (): void => setParams({ replay: undefined, at: step?.id });
  useKeys({
    ArrowRight: () => go(1),
    ArrowLeft: () => go(-1),
    j: () => go(1),
    k: () => go(-1),
    esc: close,
  });
  return (
    <>
      <div class="replay-bar">
        <button
          type="button"
          onClick={() => go(-1)}
          disabled={now <= 1}
          title="Previous edit (←)"
          aria-label="Previous edit"
        >
          ←
        </button>
        <span role="status" aria-busy={!steps && !error}>
          {steps && (count === 0 ? "No edits" : `Edit ${now} of ${count}`)}
        </span>
        <button
          type="button"
          onClick={() => go(1)}
          disabled={now >= count}
          title="Next edit (→)"
          aria-label="Next edit"
        >
          →
        </button>
        <progress value={now} max={Math.max(1, count)} aria-label="Progress" />
        <button type="button" onClick={close} title="Back to the session (Esc)">Close</button>
      </div>
      <Failure error={error} />
      {step && <Step key={now} step={step} outline={outline} />}
    </>
  );
}

function Step({ step, outline }: { step: ReplayStep; outline: Outline }): JSX.Element {
  const { id, path, edits, state } = step;
  const [whole, setWhole] = useState(-1);
  const prompt = findPrompt(outline, id);
  return (
    <>
      <p class="replay-prompt">
        <a href={hrefOf("sessions", { session: outline.session_id, at: prompt?.id ?? id })}>
          {plain(prompt?.line ?? "") || "Before the first prompt"}
        </a>
      </p>
      <div class="replay-step">
        <section aria-label="Edit">
          {edits.map((edit, i) => (
            <EditDiff
              key={i}
              edit={edit}
              isWhole={whole === i}
              onWhole={() => setWhole(i)}
            />
          ))}
        </section>
        <section aria-label="File" class="replay-file">
          {state ? <File path={path} state={state} /> : (
            <p class="facts">
              {path || "This file"}{" "}
              cannot be rebuilt around this edit: the session does not have all of it, and today's
              file does not fit. The edit alone is shown.
            </p>
          )}
        </section>
      </div>
    </>
  );
}

/** A file with what changed marked, from before to after. */
function File({ path, state }: { path: string; state: FileState }): JSX.Element {
  const before = useHighlighted(state.before, path);
  const after = useHighlighted(state.after, path);
  const rows = useMemo(() => wholeRows(state), [state]);
  const first = Math.max(0, rows.findIndex(({ mark }) => mark !== " "));
  const from = Math.max(0, first - aroundLines / 2);
  const shown = rows.slice(from, from + aroundLines);
  useEffect(() => {
    document.querySelector(".replay-file [data-first-change]")
      ?.scrollIntoView({ block: "center" });
  }, [state]);
  return (
    <figure class="diff">
      <figcaption>
        <code>{path}</code>
        <small>
          {state.from === "today"
            ? "rebuilt from today's file: other lines may have been different then"
            : "rebuilt from the session"}
        </small>
      </figcaption>
      <pre tabIndex={0}>
        {shown.map(({ mark, text, at }, i) => (
          <span
            class={mark === "+" ? "added" : mark === "-" ? "removed" : "same"}
            data-first-change={from + i === first ? "" : undefined}
          >
            <small>{mark === "-" ? "" : at + 1}</small>
            <i>{mark}</i>
            <code>
              <CodeLine text={text} pieces={(mark === "-" ? before : after)?.[at]} />
              {"\n"}
            </code>
          </span>
        ))}
      </pre>
      {shown.length < rows.length && (
        <p class="facts">{countOf(rows.length - shown.length, "more line")} not shown</p>
      )}
    </figure>
  );
}

/** All lines of a file, with those that came and went. */
function wholeRows({ before, after }: FileState): ReturnType<typeof diffRows> {
  const lines = after.replace(/\n$/, "").split("\n");
  const changed = diffRows(before, after);
  const begin = changed.find(({ mark }) => mark !== "-")?.at ?? 0;
  const end = changed.findLast(({ mark }) => mark !== "-")?.at ?? -1;
  const same = (from: number, to?: number): typeof changed =>
    after === "" ? [] : lines.slice(from, to).map((text, i) => ({ mark: " ", text, at: from + i }));
  return [...same(0, begin), ...changed, ...same(end + 1)];
}

/** The last prompt before an entry. */
function findPrompt(
  { messages, prompts }: Outline,
  id: string,
): { id: string; line: string } | undefined {
  const place = messages.id.indexOf(id);
  const at = prompts.findLast((one) => one <= place);
  return at === undefined ? undefined : { id: messages.id[at], line: messages.line[at] };
}

/** Reads the edits of a session, and the files of today where the page may see them. */
async function loadSteps(
  outline: Outline,
  { signal, isScoped }: { signal: AbortSignal; isScoped: boolean },
): Promise<ReplayStep[]> {
  const { messages, edits, session_id: session, failed } = outline;
  const refused = new Set(failed.flatMap((at) => [at, messages.call[at]]));
  const wanted = edits.filter((at) => !refused.has(at)).slice(0, mostEdits);
  const found = new Map<string, ReplayStep["edits"]>();
  for (let i = 0; i < wanted.length; i += mostAtOnce) {
    const numbers = wanted.slice(i, i + mostAtOnce).map((at) => messages.number[at]);
    const read = await call("read", { session, ranges: numbers.join(), edits: true }, { signal });
    for (const { id, edits } of read.messages) if (edits) found.set(id, edits);
  }
  // A result says more exactly what its call changed.
  const told = new Set(wanted.map((at) => messages.call[at]));
  const steps = toSteps(
    wanted.filter((at) => !told.has(at)).map((at) => ({
      id: messages.id[at],
      edits: found.get(messages.id[at]) ?? [],
    })),
  );
  const paths = isScoped ? [] : [
    ...new Set(
      rebuild(steps, new Map())
        .filter(({ state }) => state === undefined).map(({ path }) => path),
    ),
  ].slice(0, mostFiles);
  const today = new Map<string, string>();
  for (const path of paths) {
    try {
      const source = await receive<SourceText>(
        `source?path=${encodeURIComponent(path)}`,
        { signal },
      );
      today.set(path, source.text);
    } catch (error) {
      // What git does not track, or is gone, is not there today.
      if (signal.aborted) throw error;
    }
  }
  return rebuild(steps, today);
}

/** So many files of today are asked for. */
const mostFiles = 20;
