// `ctx docs list` and `ctx docs remove`: what collections there are, and fewer of them.

import { readDocRows } from "../../intake/documents/doc_entry.ts";
import { bury } from "../../store/lifecycle/forget_entries.ts";
import {
  getCollections,
  openCollectionStores,
  placeCollections,
} from "../../intake/documents/collection_scope.ts";
import { fitRows } from "../../command/budget.ts";
import { define } from "../../command/command.ts";
import { example, findExamples, renderExamples } from "../../view/shown_entries.ts";
import { ownCollections } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { countOf, toTable } from "../../command/view.ts";

export const docsList = define({
  name: "docs list",
  summary: "List collections, or the documents of one.",
  input: {
    collection: s.optional(s.text("List the documents in this collection.", 1)),
    global: ownCollections,
    max_tokens: s.optionalInteger("Stop at this many tokens.", { min: 1 }),
  },
  output: {
    collections: s.listOf(s.object({
      name: s.text(),
      global: s.boolean(),
      sources: s.listOf(s.text()),
      ...s.each(s.number(), "documents", "sections"),
      synced: s.nullable(s.text()),
    })),
    documents: s.optional(s.listOf(s.object({
      document: s.text(),
      title: s.optional(s.text()),
      sections: s.number(),
    }))),
    over_budget: s.number(),
  },
  positional: ["collection"],
  list: {
    of: "collections",
    columns: ["name", "documents", "sections", "synced", "sources"],
    unless: ({ documents }) => documents !== undefined,
  },
  effect: "read",
  tool: "docs_list",
  examples: [{ argv: ["docs", "list"], about: "List searchable collections." }],
  async run(input, context) {
    const stores = await openCollectionStores(context, input);
    const names = input.collection === undefined ? [] : [input.collection];
    const found = getCollections(placeCollections(stores), names);
    const documents: { document: string; title?: string; sections: number }[] = [];
    const collections = found.map(({ store, global, collection }) => {
      const { name, sources, synced = null } = collection;
      const rows = readDocRows(store, { collection: name })
        .map(({ entry }) => ({ document: entry.document, title: entry.document_title })).toArray();
      const byDocument = Map.groupBy(rows, ({ document }) => document);
      for (const sections of byDocument.values()) {
        documents.push({ ...sections[0], sections: sections.length });
      }
      const counts = { documents: byDocument.size, sections: rows.length };
      return { name, global, sources, ...counts, synced };
    });
    if (input.collection === undefined) {
      const { rows, over_budget } = fitRows(collections, input.max_tokens);
      return { collections: rows, over_budget };
    }
    documents.sort((a, b) => a.document < b.document ? -1 : 1);
    const { rows, over_budget } = fitRows(documents, input.max_tokens);
    return { collections, documents: rows, over_budget };
  },
  render(data, view) {
    if (data.collections.length === 0) {
      return "No collections yet. Add one with: ctx docs add NAME PATH\n";
    }
    if (data.documents) {
      return toTable(data.documents.map((item) => [
        view.bold(item.document),
        item.title ?? "",
        view.dim(countOf(item.sections, "section")),
      ])) + "\n";
    }
    return toTable(data.collections.map((item) => [
      view.bold(item.name),
      countOf(item.documents, "document"),
      countOf(item.sections, "section"),
      item.global ? "yours" : "workspace",
      view.dim(item.sources.join(", ")),
    ])) + "\n";
  },
});

export const docsRemove = define({
  name: "docs remove",
  summary: "Remove a collection and its entries; files are kept.",
  input: {
    name: s.text("The collection.", 1),
    global: ownCollections,
    dry_run: s.flag("Show what would be forgotten; change nothing."),
  },
  output: {
    collection: s.text(),
    forgotten: s.number(),
    dry_run: s.boolean(),
    /** Of a dry run: some of what would be forgotten. */
    examples: s.optional(s.listOf(example)),
  },
  positional: ["name"],
  effect: "destroy",
  question({ name }, planned) {
    return `Remove ${name} and forget ${countOf(planned?.forgotten ?? 0, "section")}?`;
  },
  local: true,
  examples: [{
    argv: ["docs", "remove", "rules", "--yes"],
    about: "Remove the collection; its files are kept.",
    after: [["docs", "add", "rules", ".contextfs/pins.md"]],
  }],
  async run(input, context) {
    const stores = await openCollectionStores(context, input);
    const [{ store }] = getCollections(placeCollections(stores), [input.name]);
    const findIds = (): string[] =>
      [...readDocRows(store, { collection: input.name })].map(({ entry }) => entry.id);
    if (input.dry_run) {
      const ids = findIds();
      const examples = findExamples(store, ids);
      return { collection: input.name, forgotten: ids.length, dry_run: true, examples };
    }
    const forgotten = await store.write("docs remove", (writer) => {
      const ids = findIds();
      const ts = new Date(context.now()).toISOString();
      const event = { event: "removed", collection: input.name, ts };
      writer.appendRows(store.layout.collections, [event]);
      if (ids.length > 0) bury(writer, ids);
      return ids.length;
    });
    return { collection: input.name, forgotten, dry_run: false };
  },
  render(data, view) {
    const what = countOf(data.forgotten, "section");
    if (!data.dry_run) return `Removed ${data.collection}: ${what} forgotten.\n`;
    const list = renderExamples({ examples: data.examples ?? [], count: data.forgotten }, view);
    return `Would remove ${data.collection} and forget ${what}; the files stay\n${list}`;
  },
});
