// The head of a chapter: the prompt as its heading, and in a line what it led to.

import type { ComponentChildren, JSX } from "preact";
import { sayDuration } from "../data/day.ts";
import { countOf } from "../parts/count_of.ts";
import { Markdown } from "../parts/markdown.tsx";
import { type ChapterFacts, splitPrompt } from "./chapters.ts";

/** So many files are named. */
const fewFiles = 3;

export function ChapterHead(
  { line, text, facts, isOpen, onOpen, children, cut }: {
    /** How the prompt begins. */
    line: string;
    /** The prompt; undefined until it is here. */
    text?: string;
    facts: ChapterFacts;
    isOpen: boolean;
    onOpen(): void;
    /** When it was, and a link to its entry. */
    children: ComponentChildren;
    /** Draws a text, the beginning of a long one. */
    cut(text: string, draw: (text: string) => ComponentChildren): JSX.Element;
  },
): JSX.Element {
  const { head, rest } = splitPrompt(line, isOpen ? text : undefined);
  return (
    <>
      <header class="chapter-head">
        <h2>
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={onOpen}>
            {head}
          </button>
        </h2>
        {children}
      </header>
      {isOpen && rest !== "" && cut(rest, (text) => <Markdown text={text} />)}
      <p class="chapter-facts">{sayFacts(facts)}</p>
      {!isOpen && facts.result && <p class="chapter-result">{facts.result}</p>}
    </>
  );
}

/** "retry.ts edited · 3 commands, 1 failed · 4 min" */
function sayFacts({ files, commands, failed, tookMs }: ChapterFacts): string {
  const named = files.length <= fewFiles
    ? files.join(", ")
    : `${files.slice(0, fewFiles - 1).join(", ")} and ${files.length - fewFiles + 1} more files`;
  return [
    named && `${named} edited`,
    commands > 0 &&
    `${countOf(commands, "command")}${failed > 0 ? `, ${failed} failed` : ""}`,
    tookMs > 0 && sayDuration(tookMs),
  ].filter(Boolean).join(" · ");
}
