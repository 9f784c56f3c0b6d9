// What an object of git is, and how much is spent on reading objects: a repository may come with a
// download, and its files may say anything. Data only.

export interface GitObject {
  kind: "commit" | "tree" | "blob" | "tag";
  data: Uint8Array;
}

/** Larger objects are passed over. */
export const maxObjectBytes = 8 << 20;
/** git itself makes chains of 50 deltas, or of 250 when it is told to be aggressive. */
export const maxDeltas = 300;
/** The deltas of a chain are held together until the object at its end is read. */
export const maxHeldBytes = 32 << 20;
const maxTotalBytes = 2 * 2 ** 30;
/** What an object costs, however small it is. */
const leastCost = 4096;

/** Files of git that do not hold together; changes are unknown then. */
export class GitDamage extends Error {
  override name = "GitDamage";

  /** By its name: a built file may hold this module in several of its parts. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, ["GitDamage", "GitMissing", "GitOversized"]);
  }
}

/** Commits that are their own ancestors: git never writes them, a made repository may hold them. */
export function commitCycle(): GitDamage {
  return new GitDamage("its commits form a cycle");
}

/** An object that is named cannot be had: git has not fetched it, or it is too large to look at. */
export class GitMissing extends GitDamage {
  override name = "GitMissing";

  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, ["GitMissing", "GitOversized"]);
  }
}

/** It is here, and larger than what is looked at. */
export class GitOversized extends GitMissing {
  override name = "GitOversized";

  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, ["GitOversized"]);
  }
}

/** All that may be spent on one repository is spent: what was read by then is used. */
export class GitSpent extends Error {
  override name = "GitSpent";

  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, ["GitSpent"]);
  }
}

function isNamed(error: unknown, names: readonly string[]): boolean {
  return error !== null && typeof error === "object" && "name" in error &&
    names.includes(String(error.name));
}

/** Counts the bytes that are unpacked for one look at a repository. */
export class GitBudget {
  #left: number;

  constructor(bytes: number = maxTotalBytes) {
    this.#left = bytes;
  }

  /** Takes what is about to be unpacked; throws GitSpent when there is not so much left. */
  spend(bytes: number): void {
    this.#left -= Math.max(bytes, leastCost);
    if (this.#left < 0) throw new GitSpent("too much to read");
  }
}
