// A row of a timeline: when, what kind, and a line of it.

import type { ComponentChildren, JSX } from "preact";
import { clockOf } from "../data/day.ts";
import { kindWord } from "./kind_word.ts";

export interface TimeRowProps {
  href: string;
  ts: string;
  kind: string;
  text: string;
  isOpen: boolean;
  /** Said by the user: `J` and `K` stop here. */
  isPrompt?: boolean;
  /** The entry in the center of the timeline. */
  isAnchor?: boolean;
  children?: ComponentChildren;
}

export function TimeRow(row: TimeRowProps): JSX.Element {
  return (
    <li>
      <a
        data-row
        data-prompt={row.isPrompt || undefined}
        class={row.isAnchor ? "time anchor" : "time"}
        href={row.href}
        aria-current={row.isOpen ? "true" : undefined}
      >
        <time dateTime={row.ts} title={new Date(row.ts).toLocaleString()}>{clockOf(row.ts)}</time>
        <span>
          <span class={`badge ${row.kind}`}>{kindWord(row.kind)}</span>
          {row.text} {row.children}
        </span>
      </a>
    </li>
  );
}
