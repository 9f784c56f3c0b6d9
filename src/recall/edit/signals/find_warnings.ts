// The warning signal: failing tests of the file and deprecated things it uses.

import { hashHex } from "../../../core/hash.ts";
import { toLine } from "../../../core/text.ts";
import { ageOf } from "../../../core/time/age_of.ts";
import { type EvidenceKind, evidenceWeights } from "./calibration.ts";
import { nameOf } from "../graph/code_graph.ts";
import { findDeprecatedUses } from "../graph/code_relations.ts";
import { symbolEntity } from "../graph/file_facts.ts";
import { findReverts } from "./find_mentions.ts";
import type { Candidate, Sources, Subject } from "./suggestion.ts";
import type { TestFailure } from "./failure_report.ts";

/** Things to know before the file is touched. */
export function findWarnings(subject: Subject, sources: Sources): Candidate[] {
  return [
    ...findFailing(subject, sources),
    ...findDeprecated(subject, sources),
    ...findReverts(subject, sources),
  ];
}

function findFailing(subject: Subject, sources: Sources): Candidate[] {
  const { path } = subject;
  if (path === undefined) return [];
  return sources.failures.flatMap((failure): Candidate[] => {
    const tie = tieOf(failure, path, sources);
    if (tie === undefined) return [];
    const id = hashHex(`${failure.file}\0${failure.name}`).slice(0, 12);
    return [{
      type: "warning",
      title: `Failing test: ${toLine(failure.name, 80)}`,
      summary: toLine(failure.message || "failed", 200),
      entity_id: `test:${id}`,
      fingerprint: hashHex(`${failure.name}\0${failure.message}`),
      action: failure.file === undefined ? undefined : `run ${toRelative(failure.file)}`,
      evidence: [{
        kind: tie.kind,
        p: evidenceWeights[tie.kind],
        note: `${tie.note}; ${failure.report}, ${
          ageOf(new Date(failure.ts).toISOString(), subject.now)
        }`,
      }],
    }];
  });
}

function tieOf(
  failure: TestFailure,
  path: string,
  { graph }: Sources,
): { kind: EvidenceKind; note: string } | undefined {
  const testFile = failure.file;
  if (testFile !== undefined && samePath(testFile, path)) {
    return { kind: "failing_test", note: "the test is in this file" };
  }
  const importer = testFile &&
    graph?.findImporters(path, 100).find((item) => samePath(testFile, item.path));
  if (importer) return { kind: "failing_importer", note: `${importer.path} tests this file` };
  const named = new RegExp(`(^|[^\\w.-])${escapeRegExp(path)}\\b`).test(failure.trace);
  return named ? { kind: "failing_trace", note: "the failure's trace names this file" } : undefined;
}

function findDeprecated(subject: Subject, { graph }: Sources): Candidate[] {
  const { facts, focus } = subject;
  if (facts === undefined || graph === undefined) return [];
  return findDeprecatedUses(graph, facts)
    .filter(({ used }) => focus === undefined || (used >= focus.line && used <= focus.end))
    .map(({ path, name, note, used }) => ({
      type: "warning",
      title: `Deprecated dependency: ${name}`,
      summary: `Uses deprecated ${name}(): ${path} says ${note}`,
      entity_id: symbolEntity(path, name),
      fingerprint: hashHex(`${path}#${name}: ${note}`),
      action: `read ${path}`,
      evidence: [{
        kind: "deprecated",
        p: evidenceWeights.deprecated,
        note: `${nameOf(facts.path)} uses it on line ${used}`,
      }],
    }));
}

/** Reports name files absolutely, relatively or as URLs. */
function samePath(said: string, path: string): boolean {
  const clean = toRelative(said);
  return clean === path || clean.endsWith(`/${path}`) ||
    (!clean.includes("/") && nameOf(path) === clean);
}

function toRelative(said: string): string {
  return said.replace(/^file:\/\//, "").replace(/^\.\//, "");
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
