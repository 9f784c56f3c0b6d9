// A file line by line, with who asked for each run of lines beside it: a pointer or the focus shows
// the story, a click opens the exchange.

import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SourceText as Source } from "../../read/overview/read_source.ts";
import { CodeLine } from "../code/code_line.tsx";
import { useHighlighted } from "../code/highlight_lines.ts";
import { useKeys } from "../data/page_keys.ts";
import { goTo, useRoute } from "../data/route.ts";
import { type ListHandle, VirtualList } from "../parts/virtual_list.tsx";
import { isKnown, type Run, toRuns } from "./line_stories.ts";
import { exchangeOf, StoryCard } from "./story_card.tsx";

/** The height of a line that does not wrap. */
const lineHeight = 21;

export function SourceText({ source }: { source: Source }): JSX.Element {
  const asked = Number(useRoute().params.get("line") ?? 0);
  const lines = useMemo(() => toLines(source.text), [source]);
  const runs = useMemo(() => toRuns(source.stories, lines.length), [source, lines]);
  const runOf = useMemo(
    () => runs.flatMap((run) => new Array<Run>(run.to - run.from + 1).fill(run)),
    [
      runs,
    ],
  );
  const pieces = useHighlighted(source.text, source.path);
  const list = useRef<ListHandle>(null);
  const [shown, setShown] = useState<Run>();
  const current = shown ?? runOf[asked - 1] ?? runs.find(({ story }) => isKnown(story)) ?? runs[0];
  const keyOf = useCallback((i: number) => `${i}`, []);
  useEffect(() => {
    setShown(undefined);
    list.current?.show(Math.max(0, asked - 4), "start");
  }, [source.path, asked]);
  const step = (by: 1 | -1): void => {
    const next = runs[(shown === undefined ? -1 : runs.indexOf(shown)) + by];
    if (next === undefined) return;
    setShown(next);
    list.current?.show(next.from - 1, "nearest");
  };
  const open = (run: Run | undefined): boolean => {
    const href = exchangeOf(run?.story);
    if (href !== undefined) goTo(href);
    return href !== undefined;
  };
  useKeys({ j: () => step(1), k: () => step(-1), enter: () => open(shown) });
  return (
    <div class="source-body">
      <div class="source-lines">
        <VirtualList
          label="Lines"
          role="list"
          count={lines.length}
          keyOf={keyOf}
          guess={() => lineHeight}
          handle={list}
          attributes={(i) => ({
            class: toClass(runOf[i], { line: i + 1, asked, current }),
            onMouseEnter: () => setShown(runOf[i]),
          })}
          draw={(i) => (
            <>
              <span class="who">
                {runOf[i].from === i + 1 && (
                  <Who
                    run={runOf[i]}
                    onFocus={() => setShown(runOf[i])}
                  />
                )}
              </span>
              <span class="number">{i + 1}</span>
              <code>
                <CodeLine text={lines[i] || " "} pieces={lines[i] ? pieces?.[i] : undefined} />
              </code>
            </>
          )}
        />
      </div>
      {current && <StoryCard run={current} />}
    </div>
  );
}

/** Who asked for a run of lines: at its first line. */
function Who({ run, onFocus }: { run: Run; onFocus(): void }): JSX.Element | null {
  const { story } = run;
  if (!isKnown(story)) return null;
  const title = story.title ?? story.agent ?? "session";
  return <a href={exchangeOf(story)} title={title} onFocus={onFocus}>{title}</a>;
}

function toClass(
  run: Run,
  { line, asked, current }: { line: number; asked: number; current?: Run },
): string {
  return [
    "source-line",
    isKnown(run.story) ? "known" : "unknown",
    ...(run.from === line ? ["first"] : []),
    ...(run === current ? ["current"] : []),
    ...(line === asked ? ["asked"] : []),
  ].join(" ");
}

function toLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
