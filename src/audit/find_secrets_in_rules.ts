// Secrets in rule files, by the rules that keep them out of the store. Those redact what might be a
// secret; a report has to be right, so values that only work on a developer's machine are left out.

import { redactPlaces, secretsIn } from "../core/redact/redact.ts";
import { isMade } from "../core/redact/secret_words.ts";
import { findSmallText } from "../disk/outside_files.ts";
import type { AuditScope, Finding } from "./finding.ts";

/** Finds lines with a secret; what is shown of them is redacted. */
export function findSecretsInRules(scope: AuditScope): Finding[] {
  const isPublished = publishedIn(scope);
  return scope.files.flatMap(({ name, text }) => {
    if (secretsIn(text).length === 0) return [];
    return text.split("\n").flatMap((line, at): Finding[] => {
      const secrets = secretsIn(line).filter(({ start, end, rule }) => {
        if (!byContext.has(rule)) return true;
        const [before, value, after] = [
          line.slice(0, start),
          line.slice(start, end),
          line.slice(end),
        ];
        return !isForDevelopment(before, value, after) && !isPublished(value);
      });
      if (secrets.length === 0) return [];
      const value = redactPlaces(line, secrets);
      return [{
        kind: "secret",
        file: name,
        line: at + 1,
        end: at + 1,
        text: value.trim(),
        evidence: `${secrets[0].rule}: every session and everybody with the file can read it`,
        proposal: "revoke it, and say where to find the new one instead of writing it here",
        edit: { lines: [value] },
      }];
    });
  });
}

/** Rules that go by what is around a value; the others know a key by its own shape. */
const byContext: ReadonlySet<string> = new Set(["assigned-secret", "url-password"]);

/** Whether a value says itself that it protects nothing, or the words around it do. */
function isForDevelopment(before: string, value: string, after: string): boolean {
  if (localHost.test(after) || flag.test(value) || passing.test(before)) return true;
  return !isMade(value) && (pretended.test(value) || accounts.test(before));
}

const localHost =
  /^@(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|[\w.-]+\.(?:localhost|test|example|invalid))(?![\w.-])/i;
const pretended =
  /(?:^|[^a-z])(?:tests?|testing|e2e|dev|develop|development|demo|local|example|sample|dummy|fake|mock|placeholder|change[-_]?(?:me|it|this)|replace[-_]?(?:me|this)|do[-_]?not[-_]?use|not[-_]?(?:a[-_]?)?(?:real|secret|production)|insecure)(?![a-z])/i;
const accounts =
  /\b(?:dev|development|test|demo|seed(?:ed)?|sample|local)\W{1,3}(?:seed\W)?(?:accounts?|users?|logins?|credentials?)\b/i;
/** An option of a command, as in "Pass `-x12` to the tool". */
const flag = /^--?[A-Za-z]/;
const passing = /(?:^|[|.:;,(]|\b(?:to|and|or|then|must|should|can))\s*(?:[-*]\s+)?pass\s+[`"']$/i;

/** Tells whether a value is one of those with which everybody is meant to set the project up. */
function publishedIn({ workspace, paths }: AuditScope): (value: string) => boolean {
  let texts: string[] | undefined;
  return (value) => {
    // A random value is a leak wherever else it is.
    if (isMade(value)) return false;
    texts ??= paths.filter((path) => setup.test(path)).slice(0, maxSetupFiles)
      .map((path) => findSmallText(`${workspace}/${path}`) ?? "");
    return texts.some((text) => text.includes(value));
  };
}

const setup =
  /(?:^|\/)(?:\.env\.(?:example|sample|template|dist|test|development)|[\w.-]*\.env\.example|(?:README|CONTRIBUTING)\.md|(?:docker-)?compose[\w.-]*\.ya?ml)$|^\.github\/workflows\/[^/]+\.ya?ml$/i;
const maxSetupFiles = 60;
