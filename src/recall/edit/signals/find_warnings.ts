// The warning signal: failing tests of the file and deprecated things it uses.

import { hashHex } from "../../../core/hash.ts";
import { toLine } from "../../../core/text.ts";
import { ageOf } from "../../../core/time/age_of.ts";
import { findCallees } from "../graph/code_relations.ts";
import { nameOf, symbolEntity } from "../graph/file_facts.ts";
import { toEvidence } from "./calibration.ts";
import type { Candidate, Sources, Subject } from "./suggestion.ts";

/** Things to know before the file is touched. */
export function findWarnings(subject: Subject, sources: Sources): Candidate[] {
  return [...findFailing(subject, sources), ...findDeprecated(subject, sources)];
}

function findFailing({ path, now }: Subject, { failures, graph }: Sources): Candidate[] {
  if (path === undefined || failures.length === 0) return [];
  const importers = graph?.findImporters(path) ?? [];
  return failures.flatMap(({ name, file, message, report, ts }): Candidate[] => {
    if (file === undefined) return [];
    const isOwn = samePath(file, path);
    const importer = isOwn ? undefined : importers.find((item) => samePath(file, item.path));
    if (!isOwn && importer === undefined) return [];
    const kind = isOwn ? "failing_test" : "failing_importer";
    const tie = isOwn ? "the test is in this file" : `${importer!.path} tests this file`;
    const age = ageOf(new Date(ts).toISOString(), now);
    return [{
      type: "warning",
      title: `Failing test: ${toLine(name, 80)}`,
      summary: toLine(message || "failed", 200),
      entity_id: `test:${hashHex(`${file}\0${name}`).slice(0, 12)}`,
      fingerprint: hashHex(`${name}\0${message}`),
      action: `run ${toRelative(file)}`,
      evidence: [toEvidence(kind, `${tie}; ${report}, ${age}`)],
    }];
  });
}

function findDeprecated({ facts, focus }: Subject, { graph }: Sources): Candidate[] {
  if (facts === undefined || graph === undefined) return [];
  return findCallees(graph, facts, focus).flatMap(({ path, name, deprecated, used }) =>
    deprecated === undefined ? [] : [{
      type: "warning" as const,
      title: `Deprecated dependency: ${name}`,
      summary: `Uses deprecated ${name}(): ${path} says ${deprecated}`,
      entity_id: symbolEntity(path, name),
      fingerprint: hashHex(`${path}#${name}: ${deprecated}`),
      action: `read ${path}`,
      evidence: [toEvidence("deprecated", `${nameOf(facts.path)} uses it on line ${used}`)],
    }]
  );
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
