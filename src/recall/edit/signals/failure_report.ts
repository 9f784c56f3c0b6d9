// Reads test reports of the common kinds and tells what failed: JUnit XML, TAP, Jest/Vitest, Mocha,
// Node, pytest and Go JSON. Pure; a text of another kind has no failures.

import { findJson, isObject } from "../../../core/json.ts";

/** A test that failed. */
export interface TestFailure {
  name: string;
  /** The file of the test, as the report says. */
  file?: string;
  message: string;
  /** What the failure printed: a stack trace may name other files. */
  trace: string;
  /** Where it was read, and when the report was written. */
  report: string;
  ts: number;
}

/** A failure before it is known which report it is from. */
export type ReportedFailure = Omit<TestFailure, "report" | "ts">;

const maxFailures = 200;
/** What is read of one failure, and of one line of it. */
const maxTraceChars = 20_000;
const maxLineChars = 1000;

/** Whether a text looks like a report of a known kind. */
export function isTestReport(text: string): boolean {
  const start = text.trimStart().slice(0, 200);
  return /^[<{[]/.test(start) || tapStart.test(start);
}

const tapStart = /^(TAP version|\d+\.\.\d+|ok \d|not ok )/m;

/** The failures in a report of any known kind. */
export async function parseTestReport(text: string): Promise<ReportedFailure[]> {
  const start = text.trimStart().slice(0, 200);
  const failures = start.startsWith("<")
    ? await readJunit(text.trimStart())
    : start.startsWith("{") || start.startsWith("[")
    ? parseJson(text)
    : tapStart.test(start)
    ? parseTap(text)
    : [];
  return failures.slice(0, maxFailures);
}

async function readJunit(text: string): Promise<ReportedFailure[]> {
  // Apart, because of the parser.
  const { parseJunit } = await import("./parse_junit.ts");
  return parseJunit(text, { maxFailures, maxTraceChars }).map((
    { file, classname = "", ...failure },
  ) => ({
    ...failure,
    file: file ?? findPath(classname),
  }));
}

function parseTap(text: string): ReportedFailure[] {
  const failures: ReportedFailure[] = [];
  const lines = text.split("\n").map((line) => line.slice(0, maxLineChars));
  for (const [i, line] of lines.entries()) {
    if (failures.length === maxFailures) break;
    const match = /^\s*not ok\s*\d*\s*-?\s*(.*)$/.exec(line);
    if (match === null || /#\s*(todo|skip)/i.test(match[1])) continue;
    const details: string[] = [];
    for (let at = i + 1; at < lines.length && at < i + 60; at++) {
      if (/^\s*(not )?ok\b/.test(lines[at])) break;
      details.push(lines[at]);
    }
    const trace = details.join("\n");
    const file = /^[ \t]*(?:location|file|at):\s*['"]?([^'"\n]+?)(?::\d+)*['"]?\s*$/m.exec(trace)
      ?.[1];
    const message = /^[ \t]*(?:error|message):\s*(.+)$/m.exec(trace)?.[1] ?? match[1];
    failures.push({
      name: match[1],
      file,
      message: message.replace(/^['"|>-]+|['"]$/g, ""),
      trace,
    });
  }
  return failures;
}

function parseJson(text: string): ReportedFailure[] {
  const whole = findJson(text);
  if (whole !== undefined) return isObject(whole) ? fromObject(whole) : [];
  const events = text.split("\n").map(findJson).filter(isObject);
  return [...fromGo(events), ...fromNode(events)];
}

function fromObject(report: Record<string, unknown>): ReportedFailure[] {
  if (Array.isArray(report.testResults)) {
    return report.testResults.filter(isObject).flatMap(fromJest);
  }
  if (Array.isArray(report.tests)) return report.tests.filter(isObject).flatMap(fromPytest);
  if (Array.isArray(report.failures)) return report.failures.filter(isObject).map(fromMocha);
  return Object.keys(report).filter((key) => key.includes("::") && report[key] === true)
    .map((key) => ({
      name: key,
      file: key.split("::")[0],
      message: "failed last time",
      trace: "",
    }));
}

function fromJest(file: Record<string, unknown>): ReportedFailure[] {
  const results = Array.isArray(file.assertionResults) ? file.assertionResults : [];
  return results.filter(isObject).filter((item) => item.status === "failed").map((item) => {
    const trace = toText(item.failureMessages);
    const name = toText(item.fullName ?? item.title);
    return { name, file: toText(file.name), message: trace.split("\n")[0], trace };
  });
}

function fromPytest(test: Record<string, unknown>): ReportedFailure[] {
  if (test.outcome !== "failed" && test.outcome !== "error") return [];
  const call = isObject(test.call) ? test.call : isObject(test.setup) ? test.setup : {};
  const crash = isObject(call.crash) ? call.crash : {};
  const name = toText(test.nodeid);
  const trace = `${toText(call.longrepr)}\n${toText(crash.path)}`;
  return [{ name, file: name.split("::")[0], message: toText(crash.message) || "failed", trace }];
}

function fromMocha(test: Record<string, unknown>): ReportedFailure {
  const error = isObject(test.err) ? test.err : {};
  return {
    name: toText(test.fullTitle ?? test.title),
    file: toText(test.file) || undefined,
    message: toText(error.message),
    trace: toText(error.stack),
  };
}

function fromGo(events: Record<string, unknown>[]): ReportedFailure[] {
  const output = new Map<string, string>();
  const failures: ReportedFailure[] = [];
  for (const { Action, Package, Test, Output } of events) {
    if (typeof Test !== "string") continue;
    const key = `${Package}\0${Test}`;
    if (Action === "output") output.set(key, (output.get(key) ?? "") + toText(Output));
    if (Action !== "fail") continue;
    const trace = (output.get(key) ?? "").slice(0, maxTraceChars);
    const found = /^[ \t]*(\S+_test\.go):\d+: (.*)$/m.exec(trace);
    failures.push({ name: Test, file: found?.[1], message: found?.[2] ?? "failed", trace });
  }
  return failures;
}

function fromNode(events: Record<string, unknown>[]): ReportedFailure[] {
  return events.filter((event) => event.type === "test:fail" && isObject(event.data)).map(
    (event) => {
      const data = event.data as Record<string, unknown>;
      const details = isObject(data.details) ? data.details : {};
      const error = isObject(details.error) ? details.error : {};
      const message = toText(error.message);
      return {
        name: toText(data.name),
        file: toText(data.file) || undefined,
        message,
        trace: `${toText(error.stack)}\n${message}`,
      };
    },
  );
}

function findPath(text: string): string | undefined {
  return /\.[a-z]{1,4}$/.test(text) ? text : undefined;
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join("\n");
  return typeof value === "string" ? value : "";
}
