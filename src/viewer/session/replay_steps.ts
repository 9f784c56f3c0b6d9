// The edits of a session as steps, each with its file before and after where that can be rebuilt: from
// the edits of the session alone, or back from the file as it is today. An edit that does not fit
// exactly is not guessed: its file is unknown from there. Pure.

/** A change of one file, as `read` answers it. */
export interface ReplayEdit {
  path: string;
  old: string;
  new: string;
  line?: number;
  cut?: boolean;
}

/** A file around a step. */
export interface FileState {
  before: string;
  after: string;
  /** `today`: lines that the session did not touch may have been others then. */
  from: "session" | "today";
}

/** The changes that one message made to one file. */
export interface ReplayStep {
  /** The entry of the edit. */
  id: string;
  path: string;
  edits: readonly ReplayEdit[];
  state?: FileState;
}

/** The steps of some messages, in order. */
export function toSteps(
  messages: readonly { id: string; edits: readonly ReplayEdit[] }[],
): ReplayStep[] {
  return messages.flatMap(({ id, edits }) =>
    [...Map.groupBy(edits, ({ path }) => path)].map(([path, own]) => ({ id, path, edits: own }))
  );
}

/** The steps with their files; `today` is what files have now, where the work tree has them. */
export function rebuild(
  steps: readonly ReplayStep[],
  today: ReadonlyMap<string, string>,
): ReplayStep[] {
  const states = new Map<ReplayStep, FileState>();
  for (const [path, own] of Map.groupBy(steps, (step) => step.path)) {
    let text: string | undefined;
    for (const step of own) {
      const before: string | undefined = text ?? (isWhole(step.edits[0]) ? "" : undefined);
      text = before === undefined ? undefined : applyAll(before, step.edits);
      if (before !== undefined && text !== undefined) {
        states.set(step, { before, after: text, from: "session" });
      }
    }
    let after = today.get(path);
    for (const step of own.toReversed()) {
      const before = after === undefined ? undefined : revertAll(after, step.edits);
      if (!states.has(step) && before !== undefined && after !== undefined) {
        states.set(step, { before, after, from: "today" });
      }
      after = before;
    }
  }
  return steps.map((step) => ({ ...step, state: states.get(step) }));
}

/** Whether an edit gives a file as a whole. */
function isWhole({ old, line, cut }: ReplayEdit): boolean {
  return old === "" && line === undefined && !cut;
}

function applyAll(text: string, edits: readonly ReplayEdit[]): string | undefined {
  return edits.reduce<string | undefined>(
    (before, edit) => before === undefined ? undefined : apply(before, edit),
    text,
  );
}

function revertAll(text: string, edits: readonly ReplayEdit[]): string | undefined {
  return edits.toReversed().reduce<string | undefined>((after, edit) => {
    if (after === undefined) return undefined;
    // What a file had before it was written as a whole, nobody says.
    if (isWhole(edit)) return after.trimEnd() === edit.new.trimEnd() ? "" : undefined;
    return apply(after, { ...edit, old: edit.new, new: edit.old });
  }, text);
}

/** A text with a change made in it; undefined where it does not fit in exactly one way. */
function apply(text: string, { old, new: now, line, cut }: ReplayEdit): string | undefined {
  if (cut) return undefined;
  if (line !== undefined) {
    const lines = text.split("\n");
    const [gone, came] = [old, now].map((part) => part === "" ? [] : part.split("\n"));
    const there = lines.slice(line - 1, line - 1 + gone.length);
    if (line - 1 > lines.length || there.join("\n") !== gone.join("\n")) return undefined;
    lines.splice(line - 1, gone.length, ...came);
    return lines.join("\n");
  }
  if (old === "") return now;
  const at = text.indexOf(old);
  if (at < 0 || text.indexOf(old, at + 1) >= 0) return undefined;
  return text.slice(0, at) + now + text.slice(at + old.length);
}
