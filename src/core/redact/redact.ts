// Takes secrets out of text before anything is written. Pure and synchronous. One walk over the text
// looks for the hints of all rules; only rules whose hint is there are tried, and only where it is.

import { type Finding, findSecrets, isRuleName, nameOf } from "./find_secrets.ts";
import { type Mark, markBeginning, marksIn } from "./marks.ts";
import { isSecretField } from "./redact_assigned.ts";

/** Text or data with `[REDACTED:rule]` in the place of secrets, and how many there were. */
export interface Redacted<T> {
  value: T;
  count: number;
}

export function redactText(text: string): Redacted<string> {
  const secrets = secretsIn(text);
  return { value: redactPlaces(text, secrets), count: secrets.length };
}

/** The secrets of a text and the names of their rules, in order and apart from each other. */
export function secretsIn(text: string): Mark[] {
  const findings = outsideMarks(text, findSecrets(text));
  findings.sort((a, b) => a.start - b.start || b.end - a.end);
  const secrets: Mark[] = [];
  for (let i = 0; i < findings.length;) {
    const { start } = findings[i];
    let { end, rule } = findings[i];
    for (i++; i < findings.length && findings[i].start < end; i++) {
      end = Math.max(end, findings[i].end);
      rule = Math.min(rule, findings[i].rule);
    }
    secrets.push({ start, end, rule: nameOf(rule) });
  }
  return secrets;
}

export function redactPlaces(text: string, secrets: readonly Mark[]): string {
  if (secrets.length === 0) return text;
  let value = "";
  let done = 0;
  for (const { start, end, rule } of secrets) {
    value += `${text.slice(done, start)}[REDACTED:${rule}]`;
    done = end;
  }
  return value + text.slice(done);
}

/** What was found, without parts of the marks that an earlier redaction left. */
function outsideMarks(text: string, findings: Finding[]): Finding[] {
  if (findings.length === 0 || !text.includes(markBeginning)) return findings;
  return findings.flatMap((finding) => {
    if (markAround(text, finding.start) !== undefined) return [];
    const end = markAround(text, finding.end)?.start ?? finding.end;
    return end > finding.start ? [{ ...finding, end }] : [];
  });
}

/** More than a mark has. */
const markChars = 80;

/** The mark that a place is inside of. A name that no rule has may be a secret: that is no mark. */
function markAround(text: string, at: number): Mark | undefined {
  const from = Math.max(0, at - markChars);
  return marksIn(text.slice(from, at + markChars))
    .map(({ rule, start, end }) => ({ rule, start: from + start, end: from + end }))
    .find(({ rule, start, end }) => start < at && at < end && isRuleName(rule));
}

/** Redacts every string inside a JSON value; a row's own id, times and kinds are left alone. */
export function redactValue<T>(value: T): Redacted<T> {
  let count = 0;
  const clean = (text: string): string => {
    const result = redactText(text);
    count += result.count;
    return result.value;
  };
  const walk = (item: unknown, key?: string): unknown => {
    if (typeof item === "string") {
      if (key === undefined || !isSecretField(key, item)) return clean(item);
      const result = clean(item);
      if (result !== item) return result;
      count++;
      return "[REDACTED:assigned-secret]";
    }
    if (typeof item !== "object" || item === null) return item;
    return Array.isArray(item) ? item.map((part) => walk(part, key)) : walkFields(item, nothing);
  };
  // Clean rows are handed back as they are: copying every one costs more than looking at it.
  const walkFields = (item: object, skipped: ReadonlySet<string>): object => {
    // `{ name: "DB_PASSWORD", value: "…" }`, as in lists of an environment's variables.
    const { name: title } = item as { name?: unknown };
    let fields: [string, unknown][] | undefined;
    Object.keys(item).forEach((name, i) => {
      if (skipped.has(name)) return;
      const part: unknown = Reflect.get(item, name);
      const cleanName = clean(name);
      const known = name === "value" && typeof title === "string" ? title : name;
      const cleanPart = walk(part, known);
      if (cleanName === name && cleanPart === part) return;
      fields ??= Object.entries(item);
      fields[i] = [cleanName, cleanPart];
    });
    return fields === undefined ? item : fromFields(fields);
  };
  const isRow = typeof value === "object" && value !== null && !Array.isArray(value);
  const result = (isRow ? walkFields(value, untouched) : walk(value)) as T;
  return { value: result, count };
}

/** An object of fields, of which several may have the same name now. */
function fromFields(fields: [string, unknown][]): object {
  const names = new Set<string>();
  return Object.fromEntries(fields.map(([name, part]) => {
    let free = name;
    for (let i = 2; names.has(free); i++) free = `${name} (${i})`;
    names.add(free);
    return [free, part];
  }));
}

const nothing: ReadonlySet<string> = new Set();
const untouched: ReadonlySet<string> = new Set(["id", "ts", "role", "type", "session_id", "refs"]);
