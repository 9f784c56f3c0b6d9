// Regular expressions that cannot hang: a subset of JavaScript's syntax, matched by an automaton in
// time linear in the text, whatever the pattern. Backreferences and lookarounds are refused: they
// are what makes matching slow. Answers only whether a text contains a match. Pure.

import { CtxError } from "./errors.ts";
import { type Node, parsePattern } from "./pattern_syntax.ts";

/** A compiled pattern. */
export interface Pattern {
  /** Whether the text contains a match. */
  test(text: string): boolean;
}

/** Compiles a pattern; throws USAGE when it is not one or too large. */
export function compilePattern(source: string, options: { ignoreCase?: boolean } = {}): Pattern {
  const program = new Program(options.ignoreCase ?? false);
  const start = program.add(parsePattern(source), program.accept);
  return new Automaton(program, start);
}

const maxSteps = 5000;
const maxStates = 2000;

type Step =
  | { kind: "accept" }
  | { kind: "set"; accepts: (code: number) => boolean; next: number }
  | { kind: "split"; next: number; other: number }
  | { kind: "assert"; assertion: Assertion; next: number };
type Assertion = "start" | "end" | "boundary" | "inside";

/** The steps of a nondeterministic automaton, built from the end to the start. */
class Program {
  readonly steps: Step[] = [{ kind: "accept" }];
  readonly accept = 0;
  readonly #ignoreCase: boolean;

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  /** Adds a node that goes on to `next`; returns where it starts. */
  add(node: Node, next: number): number {
    switch (node.kind) {
      case "set":
        return this.#push({ kind: "set", accepts: this.#fold(node), next });
      case "assert":
        return this.#push({ kind: "assert", assertion: node.assertion, next });
      case "sequence":
        return node.items.reduceRight((after, item) => this.add(item, after), next);
      case "choice":
        return node.items.map((item) => this.add(item, next))
          .reduce((one, other) => this.#push({ kind: "split", next: one, other }));
      case "repeat":
        return this.#addRepeat(node, next);
    }
  }

  #addRepeat(node: Node & { kind: "repeat" }, next: number): number {
    let after = next;
    if (node.max === Infinity) {
      const loop = this.#push({ kind: "split", next, other: next });
      this.steps[loop] = { kind: "split", next: this.add(node.item, loop), other: next };
      after = loop;
    } else {
      for (let i = node.min; i < node.max; i++) {
        after = this.#push({ kind: "split", next: this.add(node.item, after), other: next });
      }
    }
    for (let i = 0; i < node.min; i++) after = this.add(node.item, after);
    return after;
  }

  #push(step: Step): number {
    if (this.steps.length >= maxSteps) {
      throw new CtxError("USAGE", "Cannot use the pattern: it is too large", {
        hint: "use smaller repetition counts",
      });
    }
    return this.steps.push(step) - 1;
  }

  #fold({ accepts, negated = false }: Node & { kind: "set" }): (code: number) => boolean {
    if (!this.#ignoreCase) return (code) => accepts(code) !== negated;
    return (code) => {
      const letter = String.fromCharCode(code);
      const found = accepts(code) || accepts(letter.toLowerCase().charCodeAt(0)) ||
        accepts(letter.toUpperCase().charCodeAt(0));
      return found !== negated;
    };
  }
}

/** A set of steps the automaton may be in, after a character of some kind. */
interface State {
  steps: number[];
  before: "start" | "word" | "other";
  next: (State | undefined)[];
  /** Whether a match ends here when the text does. */
  endsHere?: boolean;
}

const matched: State = { steps: [], before: "other", next: [] };

/** Turns sets of steps into states as texts need them; forgets them when there are too many. */
class Automaton implements Pattern {
  readonly #program: Program;
  readonly #start: number;
  readonly #kinds = new Map<string, number>();
  readonly #kindOf = new Int16Array(65536).fill(-1);
  readonly #samples: number[] = [];
  #states = new Map<string, State>();

  constructor(program: Program, start: number) {
    this.#program = program;
    this.#start = start;
  }

  test(text: string): boolean {
    let state = this.#state([], "start");
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const kind = this.#kindOf[code] >= 0 ? this.#kindOf[code] : this.#learn(code);
      state = state.next[kind] ??= this.#step(state, this.#samples[kind]);
      if (state === matched) return true;
    }
    return state.endsHere ??= this.#reach(state, undefined) === undefined;
  }

  /** Where a state goes on a character; `matched` when a match ended before it or with it. */
  #step(state: State, code: number): State {
    const reached = this.#reach(state, code);
    if (reached === undefined) return matched;
    const after: number[] = [];
    for (const at of reached) {
      const step = this.#program.steps[at];
      if (step.kind === "set" && step.accepts(code)) after.push(step.next);
    }
    return this.#state([...new Set(after)].sort((a, b) => a - b), isWord(code) ? "word" : "other");
  }

  /** The sets that a state waits at, given the next character; undefined when it has matched. */
  #reach(state: State, code: number | undefined): Set<number> | undefined {
    const seen = new Set<number>();
    const todo = [...state.steps, this.#start];
    const atBoundary = (state.before === "word") !== (code !== undefined && isWord(code));
    const holds: Record<Assertion, boolean> = {
      start: state.before === "start",
      end: code === undefined,
      boundary: atBoundary,
      inside: !atBoundary,
    };
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const step = this.#program.steps[at];
      if (step.kind === "accept") return undefined;
      if (step.kind === "split") todo.push(step.next, step.other);
      if (step.kind === "assert" && holds[step.assertion]) todo.push(step.next);
    }
    return seen;
  }

  #state(steps: number[], before: State["before"]): State {
    const key = `${before} ${steps.join(" ")}`;
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= maxStates) this.#states = new Map();
    const state: State = { steps, before, next: [] };
    this.#states.set(key, state);
    return state;
  }

  /** Characters that every set treats alike are one kind. */
  #learn(code: number): number {
    let signature = isWord(code) ? "w" : "-";
    for (const step of this.#program.steps) {
      if (step.kind === "set") signature += step.accepts(code) ? "1" : "0";
    }
    let kind = this.#kinds.get(signature);
    if (kind === undefined) {
      kind = this.#kinds.size;
      this.#kinds.set(signature, kind);
      this.#samples.push(code);
    }
    this.#kindOf[code] = kind;
    return kind;
  }
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 ||
    (code >= 97 && code <= 122);
}
