// Secrets in rule files, by the rules that keep them out of the store. Those redact what might be a
// secret; a report has to be right, so a rule that goes by the words around a value counts only where the
// value is random: passwords of test accounts and local databases are published on purpose.

import { redactPlaces, secretsIn } from "../core/redact/redact.ts";
import { isMade } from "../core/redact/secret_words.ts";
import type { AuditScope, Finding } from "./finding.ts";

/** Finds lines with a secret, or those of a key that takes several; what is shown is redacted. */
export function findSecretsInRules({ files }: AuditScope): Finding[] {
  return files.flatMap(({ name, text }) =>
    Map.groupBy(secretsIn(text), ({ start }) => text.lastIndexOf("\n", start - 1) + 1)
      .entries().map(([from, secrets]): Finding => {
        const after = text.indexOf("\n", Math.max(...secrets.map(({ end }) => end)) - 1);
        const places = secrets.map((one) => ({
          ...one,
          start: one.start - from,
          end: one.end - from,
        }));
        const lines = text.slice(from, after < 0 ? undefined : after);
        const value = redactPlaces(lines, places);
        const line = text.slice(0, from).split("\n").length;
        return {
          kind: "secret",
          file: name,
          line,
          end: line + lines.split("\n").length - 1,
          text: value.trim(),
          evidence: `${places[0].rule}: every session and everybody with the file can read it`,
          proposal: "revoke it, and say where to find the new one instead of writing it here",
          isUnsure: !places.some(({ start, end, rule }) =>
            !invented.test(lines.slice(start, end)) &&
            (!byContext.has(rule) ||
              isMade(lines.slice(start, end)) && !isSample(lines, lines.slice(start, end)))
          ),
          edit: { lines: value.split("\n") },
        };
      }).toArray()
  );
}

/** Whether a value belongs to an invented user or to a test, or hides only words. */
function isSample(lines: string, value: string): boolean {
  if (
    /@example\.|\b(?:test|dummy|fake|sample)[ _-](?:key|secret|token|user|account|password)\b/i
      .test(lines)
  ) {
    return true;
  }
  try {
    return value.length >= 12 && /^[\w .,:;/-]+$/.test(atob(value));
  } catch {
    return false;
  }
}

/** Words in the place of a key. */
const invented = /your|actual|example|placeholder|here$|x{4}/i;

/** Rules that go by what is around a value; the others know a key by its own shape. */
const byContext: ReadonlySet<string> = new Set([
  "assigned-secret",
  "url-password",
  "command-password",
]);
