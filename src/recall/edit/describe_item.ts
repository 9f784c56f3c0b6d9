// A suggestion in words: what it says once, and how its score came about. Pure.

import type { ScoreExplanation } from "./rank_suggestions.ts";

/** An explanation as it is given out. */
type Explanation = Omit<ScoreExplanation, "feedback"> & {
  feedback: Omit<ScoreExplanation["feedback"], "kind"> & { kind?: string };
};

/** Title and summary without saying anything twice; `rest` is empty when the title says it all. */
export function sayOnce(item: { title: string; summary: string }): { head: string; rest: string } {
  const { title, summary } = item;
  const label = /^[A-Z][\w .-]*: /.exec(title)?.[0] ?? "";
  const core = title.slice(label.length).replace(/…$/, "");
  if (summary === "" || core.includes(summary)) return { head: title, rest: "" };
  return summary.startsWith(core)
    ? { head: label + summary, rest: "" }
    : { head: title, rest: summary };
}

/** The arithmetic of a score, line by line. */
export function explainScore(explain: Explanation): string[] {
  const lines = explain.evidence.map(({ kind, p, note }) =>
    `${p.toFixed(2)}  ${kind.replaceAll("_", " ")}: ${note}`
  );
  if (explain.evidence.length > 1) {
    lines.push(`${explain.combined.toFixed(2)}  combined`);
  }
  const { feedback, item_feedback: item } = explain;
  if (feedback.used + feedback.dismissed > 0) {
    const kind = (feedback.kind ?? "this kind").replaceAll("_", " ");
    lines.push(`×${feedback.factor.toFixed(2)} feedback on ${kind}: ${tallyOf(feedback)}`);
  }
  if (item.used + item.dismissed > 0) {
    lines.push(`×${item.factor.toFixed(2)} feedback on this item: ${tallyOf(item)}`);
  }
  return lines;
}

function tallyOf({ used, dismissed }: { used: number; dismissed: number }): string {
  return `${used} used, ${dismissed} dismissed`;
}
