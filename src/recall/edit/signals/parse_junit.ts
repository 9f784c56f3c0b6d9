// Reads JUnit XML as a stream. Nothing is expanded, and a text that cannot be a report is given up.

import { SaxesParser } from "saxes";

/** A failed test as the report has it. */
export interface JunitFailure {
  name: string;
  file?: string;
  classname?: string;
  message: string;
  trace: string;
}

/** XML is read in pieces, until there are failures enough or it cannot be a report. */
const chunkChars = 1 << 14;
const maxDepth = 200;
const maxErrors = 10_000;
const maxAttributes = 1000;

/** What is not well formed is passed over: reports have colours in them, and are cut short. */
export function parseJunit(
  text: string,
  { maxFailures, maxTraceChars }: { maxFailures: number; maxTraceChars: number },
): JunitFailure[] {
  const failures: JunitFailure[] = [];
  const parser = new SaxesParser();
  let test: Record<string, string> | undefined;
  let failure: Record<string, string> | undefined;
  let [depth, errors, attributes, inFailure, trace] = [0, 0, 0, false, ""];
  const read = (part: string): void => {
    if (inFailure) trace += part.slice(0, maxTraceChars - trace.length);
  };
  parser.on("error", () => errors++);
  parser.on("text", read);
  parser.on("cdata", read);
  parser.on("attribute", () => attributes++);
  parser.on("opentag", ({ name, attributes: given }) => {
    depth++;
    attributes = 0;
    if (name === "testcase") test = given;
    if (failure !== undefined || (name !== "failure" && name !== "error")) return;
    [failure, inFailure] = [given, true];
  });
  parser.on("closetag", ({ name }) => {
    depth--;
    if (name === "failure" || name === "error") inFailure = false;
    if (name !== "testcase") return;
    if (test !== undefined && failure !== undefined) {
      failures.push({
        name: test.name ?? "a test",
        file: test.file,
        classname: test.classname,
        message: failure.message ?? trace.trim().split("\n")[0],
        trace,
      });
    }
    [test, failure, inFailure, trace] = [undefined, undefined, false, ""];
  });
  for (let at = 0; at < text.length && failures.length < maxFailures; at += chunkChars) {
    parser.write(text.slice(at, at + chunkChars));
    if (depth > maxDepth || errors > maxErrors || attributes > maxAttributes) break;
  }
  return failures;
}
