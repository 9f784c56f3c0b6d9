// Failing tests, as the JUnit XML report of the last run tells them: every runner can write one. Read
// without a parser, each part once, whatever a clone puts there.

import { CtxError } from "../../../core/errors.ts";
import { layoutOf } from "../../../disk/layout.ts";
import { realPath, resolvePath } from "../../../core/platform_path.ts";

export interface TestFailure {
  name: string;
  /** The file it is in, as the report says. */
  file?: string;
  message: string;
  /** The report, and when it was written. */
  report: string;
  ts: number;
}

const wellKnown = ["junit.xml", "report.xml", "test-results.xml", "test-report.xml"];
const maxReportBytes = 8 << 20;
const maxFailures = 200;
const maxTagChars = 4000;
const dayMs = 86_400_000;

/** The failures in the reports given, or in those found that are not older than some days. */
export function findFailures(
  workspace: string,
  { reports, now, days }: { reports: string[]; now: number; days: number },
): TestFailure[] {
  if (reports.length === 0) {
    return findKnown(workspace).flatMap((name) => readReport(workspace, name) ?? [])
      .filter(({ ts }) => now - ts < days * dayMs);
  }
  return reports.flatMap((name) => {
    const found = readReport(workspace, name);
    if (found !== undefined) return found;
    throw new CtxError("NOT_FOUND", `Cannot read the report "${name}"`, {
      hint: "pass --report with the path of a JUnit XML report in the workspace",
    });
  });
}

/** Those of the well-known reports that there are: looking for each costs more than one list. */
function findKnown(workspace: string): string[] {
  try {
    const names = new Set([...Deno.readDirSync(workspace)].map(({ name }) => name));
    return wellKnown.filter((name) => names.has(name));
  } catch {
    return [];
  }
}

/**
 * Links that lead out of the workspace are no reports: a clone could aim them anywhere. Nor is what
 * lies in the store: who may see which of its rows is not decided here.
 */
function readReport(workspace: string, name: string): TestFailure[] | undefined {
  try {
    const root = realPath(workspace);
    const path = realPath(resolvePath(name, workspace));
    if (!path.startsWith(`${root}/`) || path.startsWith(layoutOf(root).root)) return undefined;
    const { isFile, size, mtime } = Deno.statSync(path);
    if (!isFile || size > maxReportBytes) return undefined;
    const text = Deno.readTextFileSync(path);
    if (!text.includes("<testcase")) return undefined;
    const ts = mtime?.getTime() ?? 0;
    const report = path.slice(root.length + 1);
    return parseJunit(text).map((failure) => ({ ...failure, report, ts }));
  } catch {
    return undefined;
  }
}

export function parseJunit(text: string): Pick<TestFailure, "name" | "file" | "message">[] {
  const failures: Pick<TestFailure, "name" | "file" | "message">[] = [];
  for (const part of text.split("<testcase").slice(1)) {
    const failed = /<(?:failure|error)\b/.exec(part);
    if (failed === null) continue;
    const test = tagOf(part);
    const failure = tagOf(part.slice(failed.index));
    const file = attributeOf(test, "file") ?? attributeOf(test, "classname");
    failures.push({
      name: attributeOf(test, "name") ?? "",
      ...(file === undefined ? {} : { file }),
      message: attributeOf(failure, "message") ?? "",
    });
    if (failures.length === maxFailures) break;
  }
  return failures;
}

function tagOf(text: string): string {
  return /^(?:[^>"']+|"[^"]*"|'[^']*')*/.exec(text.slice(0, maxTagChars))?.[0] ?? "";
}

function attributeOf(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s?=\\s?(?:"([^"]*)"|'([^']*)')`).exec(tag);
  const value = found?.[1] ?? found?.[2];
  return value?.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity) => entities[entity]);
}

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
