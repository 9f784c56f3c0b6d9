// Secrets in rule files, by the rules that keep them out of the store.

import { redactText } from "../core/redact/redact.ts";
import type { AuditScope, Finding } from "./finding.ts";

/** Finds lines with a secret; what is shown of them is redacted. */
export function findSecretsInRules({ files }: AuditScope): Finding[] {
  return files.flatMap(({ name, text }) => {
    if (redactText(text).count === 0) return [];
    return text.split("\n").flatMap((line, at): Finding[] => {
      const { value, count } = redactText(line);
      if (count === 0) return [];
      const rule = /\[REDACTED:([\w-]+)\]/.exec(value)?.[1] ?? "secret";
      return [{
        kind: "secret",
        file: name,
        line: at + 1,
        end: at + 1,
        text: value.trim(),
        evidence: `${rule}: every session and everybody with the file can read it`,
        proposal: "revoke it, and name where it is kept instead",
        edit: { lines: [value] },
      }];
    });
  });
}
