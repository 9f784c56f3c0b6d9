// `ctx docs outline`, `ctx docs section` and `ctx docs get`: a document's shape, one part, all of it.

import { CtxError } from "../../core/errors.ts";
import { guessAt } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import type { DocEntry } from "../../intake/documents/doc_entry.ts";
import { getDocument } from "../../intake/documents/find_document.ts";
import { pathSeparator } from "../../intake/documents/section.ts";
import { openCollectionStores } from "../../intake/documents/collection_scope.ts";
import { fitRows } from "../../command/budget.ts";
import { type Context, define } from "../../command/command.ts";
import { ownCollections } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";

const which = {
  document: s.text("The document's path, or its last part.", 1),
  collections: s.list("Only this collection."),
  global: ownCollections,
};

const shared = {
  flags: { collections: "collection" },
  effect: "read" as const,
};
const after = [["docs", "add", "rules", ".contextfs/pins.md"]];

const texts = {
  results: s.listOf(s.object(s.each(s.text(), "id", "section", "text"))),
  skipped_ids: s.listOf(s.text()),
  estimated_tokens: s.number(),
};

const budget = s.optionalInteger("Stop at this many tokens; skipped_ids lists the rest.", {
  min: 1,
});

export const docsOutline = define({
  name: "docs outline",
  summary: "Show the headings of a document, with ids and sizes.",
  input: { ...which, max_tokens: s.optionalInteger("Stop at this many tokens.", { min: 1 }) },
  output: {
    ...s.each(s.text(), "collection", "document"),
    title: s.optional(s.text()),
    sections: s.listOf(s.object({
      ...s.each(s.text(), "id", "section"),
      ...s.each(s.number(), "level", "line", "estimated_tokens"),
      part: s.optional(s.number()),
    })),
    /** Of the whole document; headings that the budget left out. */
    ...s.each(s.number(), "estimated_tokens", "over_budget"),
  },
  positional: ["document"],
  ...shared,
  tool: "docs_outline",
  examples: [{
    argv: ["docs", "outline", "pins.md"],
    about: "List its headings.",
    after,
  }],
  async run(input, context) {
    const found = await findInStores(input, context);
    const sections = found.entries.map((entry) => ({
      id: entry.id,
      section: entry.section,
      level: entry.level,
      line: entry.line,
      part: entry.part,
      estimated_tokens: countTokens(entry.text),
    }));
    const { rows, over_budget } = fitRows(sections, input.max_tokens);
    return {
      collection: found.collection,
      document: found.document,
      title: found.title,
      sections: rows,
      over_budget,
      estimated_tokens: sections.reduce((sum, item) => sum + item.estimated_tokens, 0),
    };
  },
  render(data, view) {
    const lines = data.sections.filter((item) => (item.part ?? 1) === 1).map((item) => {
      const heading = item.section.split(pathSeparator).at(-1) || "(start)";
      const facts = view.dim(`line ${item.line}, ${item.id}`);
      return `${"  ".repeat(Math.max(0, item.level - 1))}${heading}  ${facts}`;
    });
    return `${view.bold(data.title ?? data.document)} ${
      view.dim(`${data.collection}: ${data.document}, ${view.count(data.estimated_tokens)} tokens`)
    }\n${lines.join("\n")}\n`;
  },
});

export const docsSection = define({
  name: "docs section",
  summary: "Read one section of a document, with its subsections.",
  input: {
    ...which,
    heading: s.text("The heading, or its path joined with ›."),
    nested: s.enabled("Include subsections (--no-nested to exclude)."),
    max_tokens: budget,
  },
  output: {
    ...s.each(s.text(), "collection", "document", "section"),
    line: s.number(),
    ...texts,
    also: s.listOf(s.text()),
  },
  positional: ["document", "heading"],
  ...shared,
  tool: "docs_section",
  examples: [{
    argv: ["docs", "section", "pins.md", "pins"],
    about: "Read one section by its heading.",
    after,
  }],
  async run(input, context) {
    const found = await findInStores(input, context);
    const starts = matchHeading(found.entries, input.heading);
    if (starts.length === 0) throw missingHeading(found.entries, input);
    const picked = takeSection(found.entries, starts[0], input.nested);
    return {
      collection: found.collection,
      document: found.document,
      section: picked[0].section,
      line: picked[0].line,
      ...fitTexts(picked, input.max_tokens),
      also: starts.slice(1).map((at) => found.entries[at].section),
    };
  },
  render: (data) => data.results.map((item) => item.text).join(""),
  note: (data) =>
    noteSkipped(data) ??
      (data.also.length > 0 ? `also under: ${data.also.join("; ")}` : undefined),
});

export const docsGet = define({
  name: "docs get",
  summary: "Read a whole document.",
  input: { ...which, max_tokens: budget },
  output: {
    ...s.each(s.text(), "collection", "document"),
    title: s.optional(s.text()),
    ...texts,
  },
  positional: ["document"],
  ...shared,
  tool: "docs_get",
  examples: [{
    argv: ["docs", "get", "pins.md"],
    about: "Read the whole document.",
    after,
  }],
  async run(input, context) {
    const { entries, ...found } = await findInStores(input, context);
    return { ...found, ...fitTexts(entries, input.max_tokens) };
  },
  render: (data) => data.results.map((item) => item.text).join(""),
  note: noteSkipped,
});

function noteSkipped({ skipped_ids: ids }: { skipped_ids: string[] }): string | undefined {
  return ids.length > 0 ? `left out, over the budget: ${ids.join(", ")}` : undefined;
}

function fitTexts(entries: DocEntry[], budgetTokens?: number): s.ObjectOf<typeof texts> {
  const { rows, estimated_tokens } = fitRows(
    entries,
    budgetTokens,
    ({ text }) => countTokens(text),
  );
  return {
    results: rows.map(({ id, section, text }) => ({ id, section, text })),
    skipped_ids: entries.slice(rows.length).map(({ id }) => id),
    estimated_tokens,
  };
}

async function findInStores(
  input: { document: string; collections: string[]; global: boolean },
  context: Context,
): Promise<ReturnType<typeof getDocument>> {
  const stores = await openCollectionStores(context, input);
  return getDocument(stores.map(({ store }) => store), input.document, input);
}

/** Where sections of that heading start: the whole path, the last heading, or a part of it. */
function matchHeading(entries: DocEntry[], said: string): number[] {
  const wanted = said.toLowerCase().replace(/\s*[›>]\s*/g, pathSeparator).replace(/^#+\s*/, "")
    .trim();
  const tests: ((path: string, last: string) => boolean)[] = [
    (path) => path === wanted,
    (path, last) => last === wanted || path.endsWith(pathSeparator + wanted),
    (_path, last) => wanted !== "" && last.includes(wanted),
  ];
  for (const test of tests) {
    const hits = entries.flatMap((entry, at) => {
      const path = entry.section.toLowerCase();
      const last = path.split(pathSeparator).at(-1) ?? "";
      return (entry.part ?? 1) === 1 && test(path, last) ? [at] : [];
    });
    if (hits.length > 0) return hits;
  }
  return [];
}

/** The entries of the section that starts there: its parts, and deeper ones if they are wanted. */
function takeSection(entries: DocEntry[], start: number, nested: boolean): DocEntry[] {
  const { level } = entries[start];
  const picked = [entries[start]];
  for (const entry of entries.slice(start + 1)) {
    const continues = (entry.part ?? 1) > 1 && entry.level === level;
    const inside = nested && level > 0 && entry.level > level;
    if (!continues && !inside) break;
    picked.push(entry);
  }
  return picked;
}

function missingHeading(
  entries: DocEntry[],
  input: { document: string; heading: string },
): CtxError {
  const headings = entries.map((entry) => entry.section.split(pathSeparator).at(-1) ?? "");
  const guess = guessAt(input.heading, headings);
  return new CtxError(
    "NOT_FOUND",
    `Cannot find section "${input.heading}" in "${input.document}"${guess}`,
    { hint: `ctx docs outline ${input.document}` },
  );
}
