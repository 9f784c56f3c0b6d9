// Finds test reports where tools usually leave them, and reads them. A report that cannot be read
// has no failures; one that was asked for by name must be there.

import { CtxError } from "../../../core/errors.ts";
import { layoutOf } from "../../../disk/layout.ts";
import { isTestReport, parseTestReport, type TestFailure } from "./failure_report.ts";

const files = [
  "junit.xml",
  "report.xml",
  "test-results.xml",
  "test-report.xml",
  "report.json",
  "test-results.json",
  "test-report.json",
  "jest-results.json",
  "go-test.json",
  "test.tap",
  "results.tap",
  ".pytest_cache/v/cache/lastfailed",
];
const directories = [
  "test-results",
  "reports",
  "build/test-results/test",
  "target/surefire-reports",
];
const maxReportBytes = 8 << 20;
/** Of reports that nobody asked for, so much is read altogether: hooks wait for it. */
const maxFoundBytes = 16 << 20;
const dayMs = 86_400_000;

/** The failures in the reports given, or in those found that are not older than some days. */
export async function findFailures(
  workspace: string,
  options: { reports: string[]; now: number; days: number },
): Promise<TestFailure[]> {
  const failures: TestFailure[] = [];
  for (const path of options.reports) {
    const whole = path.startsWith("/") ? path : `${workspace}/${path}`;
    const found = await readReport(workspace, whole, { asked: true });
    if (found === undefined) {
      throw new CtxError("NOT_FOUND", `Cannot read the report "${path}"`, {
        hint: "pass --report with the path of a JUnit XML, TAP or JSON report",
      });
    }
    failures.push(...found);
  }
  if (options.reports.length > 0) return failures;
  let left = maxFoundBytes;
  for (const path of wellKnown(workspace)) {
    if ((left -= sizeOf(path)) >= 0) failures.push(...await readReport(workspace, path) ?? []);
  }
  return failures.filter((failure) => options.now - failure.ts < options.days * dayMs);
}

function wellKnown(workspace: string): string[] {
  const paths = files.map((name) => `${workspace}/${name}`);
  for (const directory of directories) {
    for (const name of listNames(`${workspace}/${directory}`)) {
      if (/\.(xml|json|tap)$/.test(name)) paths.push(`${workspace}/${directory}/${name}`);
    }
  }
  return paths;
}

/**
 * Links that lead out of the workspace are no reports: a clone could aim them anywhere. Nor is what
 * lies in the store: who may see which of its rows is not decided here.
 */
async function readReport(
  workspace: string,
  path: string,
  options: { asked: boolean } = { asked: false },
): Promise<TestFailure[] | undefined> {
  try {
    const root = Deno.realPathSync(workspace);
    const real = Deno.realPathSync(path);
    if (!real.startsWith(`${root}/`) || real.startsWith(layoutOf(root).root)) return undefined;
    const info = Deno.statSync(path);
    if (!info.isFile || info.size > maxReportBytes) return options.asked ? undefined : [];
    const report = path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
    const ts = info.mtime?.getTime() ?? 0;
    const text = Deno.readTextFileSync(path);
    if (options.asked && !isTestReport(text)) return undefined;
    return (await parseTestReport(text)).map((item) => ({ ...item, report, ts }));
  } catch {
    return undefined;
  }
}

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0;
  }
}

function listNames(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map((entry) => entry.name).sort().slice(0, 200);
  } catch {
    return [];
  }
}
