// A suite of questions in YAML, read and checked. The YAML parser is loaded only here.

import { CtxError } from "../core/errors.ts";
import { parseFields } from "../command/parse_input.ts";
import { listOf, objectLike, optional, type Shape, text, withDefault } from "../command/shape.ts";

/** One question and what its answer must hold. */
export interface SuiteCase {
  query: string;
  use_case?: string;
  collections: string[];
  keywords: string[];
  entries: string[];
}

const suiteCase = {
  query: text("", 1),
  use_case: optional(text()),
  collections: texts(),
  expected: withDefault(objectLike<object>(), {}),
};
const expected = { keywords: texts(), entries: texts() };

/** Parses a suite: a list of cases, or an object with `cases`. */
export async function parseSuite(text: string, name: string): Promise<SuiteCase[]> {
  const { parseYaml } = await import("../intake/documents/yaml.ts");
  let value: unknown;
  try {
    value = parseYaml(text, { maxAliasCount: 10 });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new CtxError("USAGE", `Cannot read the suite "${name}": ${reason}`);
  }
  const listed = typeof value === "object" && value !== null && "cases" in value
    ? value.cases
    : value;
  const fail = (message: string): CtxError =>
    new CtxError("USAGE", `Cannot read the suite "${name}": ${message}`, {
      hint: "each case has query, and expected with keywords or entries",
    });
  if (!Array.isArray(listed)) throw fail("it is not a list of cases");
  return listed.map((item, i) => {
    const failCase = (message: string): CtxError => fail(`case ${i + 1}: ${message}`);
    const { expected: wanted, ...rest } = parseFields(suiteCase, item, failCase);
    return { ...rest, ...parseFields(expected, wanted, failCase) };
  });
}

function texts(): Shape<string[]> {
  return withDefault(listOf(text()), []);
}
