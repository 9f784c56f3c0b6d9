// Counts what an import met: nothing is skipped in silence. Pure.

/** A file that could not be read, and why. */
export interface Problem {
  path: string;
  reason: string;
}

/** So many keep their names: what stays broken is known by them. */
const maxProblems = 5000;
/** Reasons that stand for a whole message, not for a record beside the messages; also `message:…`. */
const messageReasons = [
  "empty_message",
  "harness_text",
  "partial_message",
  "bookkeeping",
  "restored_by_ctx",
  "warm_up",
];

/** The counters of one read or of many. */
export class Tally {
  files = 0;
  bytes = 0;
  messages = 0;
  bad_lines = 0;
  /** Bad lines of which something could not be saved. */
  lost_lines = 0;
  salvaged = 0;
  readonly skipped: Record<string, number> = {};
  readonly problems: Problem[] = [];
  problem_count = 0;

  /** Messages of which something is kept. */
  get kept(): number {
    const left = Object.values(this.leftOut).reduce((sum, count) => sum + count, 0);
    return this.messages - left;
  }

  /** Messages of which nothing is kept, by reason. */
  get leftOut(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.skipped).filter(([reason]) =>
        messageReasons.includes(reason) || reason.startsWith("message:")
      ),
    );
  }

  /** Counts something that is not kept, by reason. */
  skip(reason: string, count = 1): void {
    this.skipped[reason] = (this.skipped[reason] ?? 0) + count;
  }

  /** Notes a file that could not be read; only the first ones keep their names. */
  problem(path: string, error: unknown): void {
    this.problem_count++;
    const reason = error instanceof Error ? error.message : String(error);
    if (this.problems.length < maxProblems) this.problems.push({ path, reason });
  }

  /** Notes a file that was read but for some of its lines. */
  nameDamage(path: string): void {
    if (this.lost_lines === 0) return;
    const saved = this.salvaged > 0 ? `, records recovered: ${this.salvaged}` : "";
    this.problem(path, `damaged or oversized lines: ${this.lost_lines}${saved}`);
  }

  /** Runs what may fail over a file; a failure is noted, and gives undefined. */
  async attempt<T>(path: string, action: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      this.problem(path, error);
      return undefined;
    }
  }

  add(other: Tally): void {
    this.files += other.files;
    this.bytes += other.bytes;
    this.messages += other.messages;
    this.bad_lines += other.bad_lines;
    this.lost_lines += other.lost_lines;
    this.salvaged += other.salvaged;
    this.problem_count += other.problem_count;
    for (const [reason, count] of Object.entries(other.skipped)) this.skip(reason, count);
    this.problems.push(...other.problems.slice(0, maxProblems - this.problems.length));
  }
}
