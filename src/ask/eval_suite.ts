// A suite of questions in YAML, read and checked. The YAML parser is loaded only here.

import * as z from "zod/mini";
import { CtxError } from "../core/errors.ts";

/** One question and what its answer must hold. */
export interface SuiteCase {
  query: string;
  use_case?: string;
  collections: string[];
  keywords: string[];
  entries: string[];
}

const words = z._default(z.array(z.string()), []);
const suiteCase = z.strictObject({
  query: z.string().check(z.minLength(1)),
  use_case: z.optional(z.string()),
  collections: words,
  expected: z._default(z.strictObject({ keywords: words, entries: words }), {
    keywords: [],
    entries: [],
  }),
});

/** Parses a suite: a list of cases, or an object with `cases`. */
export async function parseSuite(text: string, name: string): Promise<SuiteCase[]> {
  const { parseYaml } = await import("../documents/yaml.ts");
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
  const parsed = z.safeParse(z.array(suiteCase), listed);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue.path.map(String).join(".") || "the list";
    throw new CtxError("USAGE", `Cannot read the suite "${name}": ${where}: ${issue.message}`, {
      hint: "each case has query, and expected with keywords or entries",
    });
  }
  return parsed.data.map(({ expected, ...rest }) => ({ ...rest, ...expected }));
}
