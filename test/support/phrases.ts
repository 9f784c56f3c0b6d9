// The five documents that ctx grew from, as tests: each thing that one of them says is a phrase and a
// case, called as it is written there. What differs on purpose is a case too; docs/FROM.md says why.

import assert from "node:assert/strict";
import { repository } from "./repository.ts";

/** The documents, as docs/FROM.md names its sections. */
export type DocumentName = "ContextFS" | "dex" | "hive-mind" | "ctx-sys" | "ctxpkg";

type Check = (t: Deno.TestContext) => void | Promise<void>;

const cases: { document: DocumentName; said: string; reason?: string }[] = [];

/** What a document says, and that it works as it is written there. */
export function phrase(document: DocumentName, said: string, check: Check): void {
  cases.push({ document, said });
  Deno.test(`${document}: ${said}`, check);
}

/** What is not as the document says: the reason, as in docs/FROM.md, and what happens instead. */
export function different(
  ...[document, said, reason, check]: [DocumentName, string, string, Check]
): void {
  cases.push({ document, said, reason });
  Deno.test(`${document}, different: ${said}`, check);
}

/** The last case of a document's file: most phrases work, and docs/FROM.md lists exactly the others. */
export function checkPhrases(document: DocumentName): void {
  Deno.test(`${document}: at least 95 % works as written, and the page says what does not`, () => {
    const all = cases.filter((one) => one.document === document);
    const names = all.map(({ said }) => said);
    assert.deepEqual(names.filter((said, i) => names.indexOf(said) !== i), [], "said twice");
    const others = all.flatMap(({ said, reason }) => reason ? [`\`${said}\`: ${reason}`] : []);
    assert.deepEqual(readDifferences(document), others.sort());
    assert.ok(others.length <= all.length * 0.05, `${others.length} of ${all.length} differ`);
  });
}

/** The items below "Different on purpose" in a document's section of docs/FROM.md, sorted. */
function readDifferences(document: DocumentName): string[] {
  const page = Deno.readTextFileSync(`${repository}/docs/FROM.md`);
  const section = page.split(/^## /m).find((part) => part.startsWith(`${document}\n`));
  assert.ok(section, `docs/FROM.md has no section "${document}"`);
  const [, list = ""] = section.split(/^Different on purpose:$/m);
  return list.split(/^- /m).slice(1).map((item) => item.trim().replace(/\s+/g, " ")).sort();
}
