// Where in its file a rule is: under which headings and which label of a list. Says of two places
// whether they are parallel: then the same line is there twice because both need it. Pure.

import { plain } from "../intake/agent_files/cut_rules.ts";
import type { CutFile } from "./finding.ts";

/** Where a rule is. */
export interface Place {
  /** Headings, outermost first, and the label of its list. */
  titles: string[];
  /** The innermost heading and the label. */
  section: string;
  /** Whether it is one of numbered steps. */
  isStep: boolean;
  /** All steps of its section, filled in as the file is read. */
  steps: ReadonlySet<string>;
}

/** The places of a file's rules, in their order. */
export function placesOf({ text, rules }: Pick<CutFile, "text" | "rules">): Place[] {
  const lines = text.split(/\r?\n/);
  const stepsOf = new Map<string, Set<string>>();
  let label = "";
  let under = "";
  return rules.map((rule) => {
    const headings = rule.headings.join("\n");
    if (headings !== under || rule.kind === "paragraph") label = "";
    under = headings;
    const titles = label === "" ? rule.headings : [...rule.headings, label];
    const steps = stepsOf.get(titles.join("\n")) ?? new Set();
    stepsOf.set(titles.join("\n"), steps);
    const isStep = rule.kind === "item" && /^\s*\d+[.)]\s/.test(lines[rule.line - 1] ?? "");
    if (isStep) steps.add(rule.text);
    const section = `${rule.headings.at(-1) ?? ""}\n${label}`;
    const place = { titles, section, isStep, steps };
    if (rule.kind === "paragraph") label = labelIn(rule.text);
    return place;
  });
}

/** What a paragraph says of the list after it: its words in bold, or all if it ends with a colon. */
function labelIn(text: string): string {
  const bold = /^(?:\*\*|__)(.+?)(?:\*\*|__)/.exec(text)?.[1];
  return plain(bold ?? (text.endsWith(":") ? text : "")).replace(/:$/, "");
}

/** Whether two places are of the same build, or of two procedures that may share steps. */
export function areParallel(one: Place, other: Place): boolean {
  const areSteps = one.isStep && other.isStep && one.section !== other.section;
  if (areSteps && !isCopy(one.steps, other.steps)) return true;
  const at = one.titles.findIndex((title, i) => title !== other.titles[i]);
  const [a, b] = [one.titles[at], other.titles[at]];
  return a !== undefined && b !== undefined && areCounterparts(wordsOf(a), wordsOf(b));
}

/** Whether one procedure has most steps of the other. */
function isCopy(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = one.intersection(other).size;
  return shared > 1 && shared > Math.min(one.size, other.size) / 2;
}

/** Whether two titles name two of a kind: "Table 1", "Table 2"; "Backend tests", "Frontend tests". */
function areCounterparts(one: string[], other: string[]): boolean {
  if (one.join(" ") === other.join(" ")) return false;
  const isCounted = one[0] === other[0] && /^\d+$|^[a-z]$/.test(one[1] ?? "") &&
    /^\d+$|^[a-z]$/.test(other[1] ?? "");
  const isOfKind = one.length > 1 && other.length > 1 && one.at(-1) === other.at(-1);
  return isCounted || isOfKind ||
    families.some((family) => {
      const [x, y] = [one, other].map((words) => words.find((word) => family.includes(word)));
      return x !== undefined && y !== undefined && x !== y;
    });
}

/** Parts that projects have side by side. */
const families: string[][] = [
  ["frontend", "backend", "client", "server", "api", "web", "mobile", "desktop", "cli"],
  ["windows", "macos", "linux", "ios", "android"],
  ["development", "dev", "staging", "production", "prod"],
  ["unit", "integration", "e2e", "component"],
];

function wordsOf(title: string): string[] {
  return title.toLowerCase().replace(/^[\d.]+[.)]?\s+/, "").replace(/\([^)]*\)/g, " ")
    .match(/[\p{L}\p{N}]+/gu) ?? [];
}
