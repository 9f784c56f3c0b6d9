// Why a question about history has no answer, as data: a reason for programs, a sentence for people,
// and where there is one a next step. Each is a normal answer, never an exception. Imports nothing.

/** The kinds of reasons; only ever added to. */
export type GitReason =
  | "no-git"
  | "refused"
  | "bare"
  | "reftable"
  | "no-commits"
  | "damaged"
  | "missing-objects"
  | "too-much"
  | "outside"
  | "no-file"
  | "deleted"
  | "directory"
  | "link"
  | "submodule"
  | "untracked"
  | "ignored"
  | "binary"
  | "huge"
  | "filtered"
  | "past-end"
  | "no-such-commit"
  | "ambiguous";

/** A question without an answer. */
export class GitProblem {
  readonly reason: GitReason;
  /** A sentence without a period. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;

  constructor(reason: GitReason, message: string, hint?: string) {
    this.reason = reason;
    this.message = message;
    if (hint !== undefined) this.hint = hint;
  }
}
