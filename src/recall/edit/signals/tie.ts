// Files that are tied to the one at hand, and why. Types only.

import type { Evidence } from "./suggestion.ts";

/** A file that is tied to the subject. */
export interface Tie {
  path: string;
  line?: number;
  symbol?: string;
  /** The class that the symbol stands in. */
  owner?: string;
  /** What it does with the subject, where that can be said in a word or two. */
  does?: string;
  role:
    | "Caller"
    | "Callee"
    | "Importer"
    | "Imported"
    | "Test"
    | "Tested"
    | "Namesake"
    | "Defines"
    | "Names it"
    | "Spoken of"
    | "Same words"
    | "Changes together";
  evidence: Evidence[];
}

/** Adds a reason for a tie; each kind of reason counts once for a file. */
export type AddTie = (tie: NewTie, evidence: Evidence) => void;

/** A reason that is too weak to lead to a file counts `only` for files that are known already. */
export type NewTie = Omit<Tie, "evidence"> & { only?: "known" };
