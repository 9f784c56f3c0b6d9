// Whether lines that are about to change were changed, or are about to be, by another session within the
// hour. Line numbers move with every edit: they are followed back through the edits of their checkout, and
// those of different checkouts are compared as they were before all of them. Pure.

import type { LineSpan } from "./edit_spans.ts";
import type { LiveEdit } from "./live_log.ts";

/** The edit of another session that has the same lines, and which these are now. */
export interface Collision {
  edit: LiveEdit;
  lines: { from: number; to: number };
  /** Whether it is in another worktree: then its lines are not in one's own file. */
  isElsewhere: boolean;
}

/** What is about to happen to one file. */
export interface PlannedEdit {
  session: string;
  tree: string;
  file: string;
  /** None where a shell makes it: then nobody knows which lines change. */
  spans: readonly LineSpan[];
}

/** A hook is waited for: of a long hour the last edits of a file count. */
const [maxEdits, maxSpans] = [30, 5];

type Range = Pick<LineSpan, "from" | "to">;

/**
 * The last edit of another session that has one of these lines, unless it was told of since; one that was
 * made before one that was only planned. Who was told once is told of no plans: else two that were both told
 * would wait for each other for ever.
 */
export function findCollision(
  planned: PlannedEdit,
  edits: readonly LiveEdit[],
): Collision | undefined {
  const same = edits.filter(({ file }) => file === planned.file).slice(-maxEdits)
    .map((edit) => ({ ...edit, spans: edit.spans.slice(0, maxSpans) }));
  const told = same.findLastIndex(({ session, warned, spans }) =>
    session === planned.session && warned &&
    spans.some((one) => planned.spans.some((span) => meets(one, span)))
  );
  const found = planned.spans.flatMap((span) => {
    const { base, hits } = goBack(span, planned.tree, same);
    const elsewhere = same.filter((edit, i) =>
      edit.tree !== planned.tree && !hits.includes(edit) &&
      edit.spans.some((one) => meets(base, goBack(one, edit.tree, same.slice(0, i)).base))
    );
    return [...hits, ...elsewhere].map((edit) => ({
      edit,
      lines: span,
      isElsewhere: edit.tree !== planned.tree,
    }));
  }).filter(({ edit }) =>
    edit.session !== planned.session && same.indexOf(edit) > told && !(edit.warned && told >= 0)
  );
  const order = ({ edit }: Collision): string => `${edit.warned ? 0 : 1} ${edit.ts}`;
  return found.sort((a, b) => order(a) < order(b) ? 1 : -1)[0];
}

/**
 * The last edit of the same file by another session since one's own, where a shell made one of the two: whether
 * they share lines is not known. Of files of another checkout nothing is known at all.
 */
export function findTouch(planned: PlannedEdit, edits: readonly LiveEdit[]): LiveEdit | undefined {
  const same = edits.filter(({ file, tree, warned }) =>
    file === planned.file && tree === planned.tree && !warned
  );
  const own = same.findLastIndex(({ session }) => session === planned.session);
  return same.slice(own + 1).findLast(({ spans }) => isByShell(spans) || isByShell(planned.spans));
}

function isByShell(spans: readonly LineSpan[]): boolean {
  return spans.length === 0;
}

/** The lines as they were before some edits of their checkout, and the edits that had them. */
function goBack(
  span: Range,
  tree: string,
  edits: readonly LiveEdit[],
): { base: Range; hits: LiveEdit[] } {
  let base: Range = span;
  const hits: LiveEdit[] = [];
  for (const edit of edits.toReversed()) {
    if (edit.tree !== tree) continue;
    // The spans of one edit are counted in one text: from the last to the first.
    for (const one of edit.spans.toSorted((a, b) => b.from - a.from)) {
      if (edit.warned) {
        if (meets(base, one)) hits.push(edit);
        continue;
      }
      const shift = edit.spans.reduce(
        (sum, { from, to, lines }) => from < one.from ? sum + lines - (to - from) : sum,
        0,
      );
      const after = { from: one.from + shift, to: one.from + shift + one.lines };
      if (meets(base, after)) hits.push(edit);
    }
    if (!edit.warned) base = before(base, edit.spans);
  }
  return { base, hits: [...new Set(hits)] };
}

/** A range of lines as it was before an edit; what the edit wrote is where it wrote. */
function before(range: Range, spans: readonly LineSpan[]): Range {
  return { from: place(range.from, spans, "from"), to: place(range.to, spans, "to") };
}

function place(line: number, spans: readonly LineSpan[], side: "from" | "to"): number {
  let shift = 0;
  for (const { from, to, lines } of spans.toSorted((a, b) => a.from - b.from)) {
    const start = from + shift;
    if (line <= start) break;
    if (line < start + lines) return side === "from" ? from : to;
    shift += lines - (to - from);
  }
  return line - shift;
}

/** Whether two ranges share a line, or one adds lines within the other, or both at one place. */
function meets(a: Range, b: Range): boolean {
  return (a.from < b.to && b.from < a.to) || (a.from === b.from && a.to === b.to);
}
