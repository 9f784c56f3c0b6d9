// Which story each line of a file has, and where runs of lines with one story begin. Pure.

import type { SourceText } from "../../read/overview/read_source.ts";

/** What led to some lines. */
export type Story = SourceText["stories"][number];

/** Lines in a row that have the same story; `from` and `to` count from 1. */
export interface Run {
  from: number;
  to: number;
  story?: Story;
}

/** The runs of a file with so many lines, first to last. */
export function toRuns(stories: readonly Story[], count: number): Run[] {
  const found = new Array<Story | undefined>(count + 1);
  for (const story of stories) {
    for (const part of (story.lines ?? "").split(",")) {
      const [from, to = from] = part.split("-").map(Number);
      for (let line = from; line <= Math.min(to, count); line++) found[line] = story;
    }
  }
  const runs: Run[] = [];
  for (let line = 1; line <= count; line++) {
    const last = runs.at(-1);
    if (last !== undefined && last.story === found[line]) last.to = line;
    else runs.push({ from: line, to: line, story: found[line] });
  }
  return runs;
}

/** Whether somebody is known to have written it. */
export function isKnown(story: Story | undefined): story is Story & { session_id: string } {
  return story?.session_id !== undefined;
}
