// `ctx docs list` and `ctx docs remove`: what collections there are, and fewer of them.

import * as z from "zod/mini";
import { readDocRows } from "../../documents/doc_entry.ts";
import { bury } from "../../store/lifecycle/forget_entries.ts";
import {
  getCollections,
  openCollectionStores,
  placeCollections,
} from "../../documents/collection_scope.ts";
import { define } from "../../table/command.ts";
import { enabled, optional, text } from "../../table/param.ts";
import { countOf, toTable } from "../../table/view.ts";

const withGlobal = enabled("Your own collections too; --no-global leaves them out.");

/** Lists collections with their documents. */
export const docsList = define({
  name: "docs list",
  group: "Documents",
  summary: "List collections, or the documents of one.",
  input: {
    collection: optional(text("Show the documents of this collection.", 1)),
    global: withGlobal,
  },
  output: () =>
    z.object({
      collections: z.array(z.object({
        name: z.string(),
        global: z.boolean(),
        sources: z.array(z.string()),
        documents: z.number(),
        sections: z.number(),
        synced: z.nullable(z.string()),
      })),
      documents: z.optional(z.array(z.object({
        document: z.string(),
        title: z.optional(z.string()),
        sections: z.number(),
      }))),
    }),
  positional: ["collection"],
  effect: "read",
  examples: [{ argv: ["docs", "list"], about: "Which documents can be searched?" }],
  async run(input, context) {
    const stores = await openCollectionStores(context, input);
    const names = input.collection === undefined ? [] : [input.collection];
    const found = getCollections(placeCollections(stores), names);
    const documents = new Map<string, { document: string; title?: string; sections: number }>();
    const collections = found.map(({ store, global, collection }) => {
      const names = new Set<string>();
      let sections = 0;
      for (const { entry } of readDocRows(store, { collection: collection.name })) {
        sections++;
        names.add(entry.document);
        const known = documents.get(entry.document) ??
          { document: entry.document, title: entry.document_title, sections: 0 };
        known.sections++;
        documents.set(entry.document, known);
      }
      return {
        name: collection.name,
        global,
        sources: collection.sources,
        documents: names.size,
        sections,
        synced: collection.synced ?? null,
      };
    });
    if (input.collection === undefined) return { collections };
    const sorted = [...documents.values()].sort((a, b) => a.document < b.document ? -1 : 1);
    return { collections, documents: sorted };
  },
  render(data, view) {
    if (data.collections.length === 0) return "There are no collections: ctx docs add NAME PATH\n";
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

/** Removes a collection and forgets its entries; the files stay. */
export const docsRemove = define({
  name: "docs remove",
  group: "Documents",
  summary: "Remove a collection and forget its entries; the files stay.",
  input: { name: text("The collection.", 1), global: withGlobal },
  output: () => z.object({ collection: z.string(), forgotten: z.number() }),
  positional: ["name"],
  effect: "destroy",
  local: true,
  examples: [{
    argv: ["docs", "remove", "rules", "--yes"],
    about: "Forget what was read from it.",
    after: [["docs", "add", "rules", ".contextfs/pins.md"]],
  }],
  async run(input, context) {
    const stores = await openCollectionStores(context, input);
    const [{ store }] = getCollections(placeCollections(stores), [input.name]);
    const forgotten = await store.write("docs remove", (writer) => {
      const ids = [...readDocRows(store, { collection: input.name })].map(({ entry }) => entry.id);
      const ts = new Date(context.now()).toISOString();
      const event = { event: "removed", collection: input.name, ts };
      writer.appendRows(store.layout.collections, [event]);
      if (ids.length > 0) bury(writer, ids);
      return ids.length;
    });
    return { collection: input.name, forgotten };
  },
  render(data) {
    return `Removed ${data.collection}: ${countOf(data.forgotten, "section")} forgotten.\n`;
  },
});
