// `ctx docs add` and `ctx docs sync`: files into collections.

import { CtxError, type ErrorCode } from "../../core/errors.ts";
import { requireSource } from "../../intake/documents/find_documents.ts";
import { toAbsolute, toSource } from "../../intake/documents/source_path.ts";
import { ruleFilesName, syncRuleFiles } from "../../intake/documents/sync_rule_files.ts";
import { syncCollection, synced, type SyncResult } from "../../intake/documents/sync.ts";
import { readCollections } from "../../store/logs/collections.ts";
import {
  getCollections,
  openCollectionStores,
  placeCollections,
  type PlacedCollection,
} from "../../intake/documents/collection_scope.ts";
import { type Context, define } from "../../command/command.ts";
import { ownCollections } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

export const docsAdd = define({
  name: "docs add",
  summary: "Add files, directories or patterns to a searchable collection.",
  description:
    "A directory adds its Markdown and text files; links, dot directories and node_modules are skipped. Collections belong to the workspace; --global keeps one in your own store, for every workspace.",
  input: {
    name: s.textLike(
      "The collection's name: letters, digits, _ . -",
      /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
    ),
    paths: s.list(
      "A file, directory or pattern (docs/**/*.md); default: the path with the collection's name.",
    ),
    global: s.flag("Use your own store, for every workspace."),
  },
  output: { ...synced, global: s.boolean(), sources: s.listOf(s.text()) },
  positional: ["name", "paths"],
  effect: "write",
  local: true,
  examples: [
    { argv: ["docs", "add", "handbook", "**/*.md"], about: "Make all Markdown files searchable." },
    { argv: ["docs", "add", "rules", ".contextfs/pins.md"], about: "Add a single file." },
  ],
  async run(input, context) {
    const store = input.global
      ? await context.openUserStore({ create: true })
      : await context.openStore();
    if (store === undefined) {
      throw new CtxError("DENIED", "Cannot open your own store: your home is not set");
    }
    const { workspace } = store.layout;
    const place = { cwd: context.cwd, workspace, anywhere: input.global };
    const paths = input.paths.length > 0 ? input.paths : [input.name];
    const sources = paths.map((path) => toSource(path, place));
    try {
      for (const source of sources) requireSource(toAbsolute(source, workspace, place));
    } catch (error) {
      if (input.paths.length > 0) throw error;
      const state = "no path was given, and nothing here has that name";
      throw new CtxError("USAGE", `Cannot add to "${input.name}": ${state}`, {
        hint: `ctx docs add ${input.name} PATH`,
        cause: error,
      });
    }
    await store.write("docs add", (writer) => {
      const ts = new Date(context.now()).toISOString();
      const event = { event: "added", collection: input.name, ts, sources };
      writer.appendRows(store.layout.collections, [event]);
    });
    const collection = readCollections(store.files, store.layout).get(input.name);
    if (collection === undefined) {
      throw new CtxError("STORE_CORRUPT", `Cannot read collection "${input.name}" back`);
    }
    const result = await sync({ store, global: input.global, collection }, context);
    return { ...result, global: input.global, sources: collection.sources };
  },
  render: (data) => renderSync(data),
  note: noteSkipped,
  failure: (data) => failureOf([data]),
});

export const docsSync = define({
  name: "docs sync",
  summary: "Update collections from their files.",
  description:
    "Files are compared by content. Unchanged sections keep their ids; sections no longer in a file are forgotten.",
  input: {
    names: s.list("Collections to update (default: all)."),
    global: ownCollections,
  },
  output: { collections: s.listOf(s.object(synced)) },
  positional: ["names"],
  effect: "write",
  local: true,
  examples: [{ argv: ["docs", "sync"], about: "Update all collections." }],
  async run(input, context) {
    const stores = await openCollectionStores(context, input);
    const results: SyncResult[] = [];
    const wanted = getCollections(placeCollections(stores), input.names);
    // One that is refused does not keep the others from being read.
    const tellsRefused = wanted.length > 1;
    for (const placed of wanted) results.push(await sync(placed, context, tellsRefused));
    return { collections: results };
  },
  render(data) {
    if (data.collections.length === 0) return "No collections yet.\n";
    return data.collections.map(renderSync).join("");
  },
  note: (data) => data.collections.map(noteSkipped).filter(Boolean).join("; ") || undefined,
  failure: (data) => failureOf(data.collections),
});

async function sync(
  placed: PlacedCollection,
  context: Context,
  tellsRefused = false,
): Promise<SyncResult> {
  if (placed.collection.name === ruleFilesName && !placed.global) {
    const result = await syncRuleFiles(placed.store, context, { isForced: true });
    if (result !== undefined) return result;
  }
  return await syncCollection(placed.store, placed.collection, {
    anywhere: placed.global,
    tellsRefused,
    now: context.now,
    signal: context.signal,
    progress: context.progress,
  });
}

function renderSync(data: SyncResult): string {
  const changes = [
    data.added > 0 ? `${data.added} added` : "",
    data.updated > 0 ? `${data.updated} updated` : "",
    data.removed > 0 ? `${data.removed} removed` : "",
  ].filter(Boolean).join(", ") || "nothing changed";
  const secrets = data.redactions > 0 ? `; ${countOf(data.redactions, "secret")} redacted` : "";
  return `${data.collection}: ${countOf(data.documents, "document")}, ${changes} (${
    countOf(data.sections_added, "section")
  } written, ${data.sections_removed} forgotten)${secrets}\n`;
}

function noteSkipped(data: SyncResult): string | undefined {
  const notes = [
    listed(`${data.collection}: not read as Markdown`, data.skipped),
    listed(`${data.collection}: could not be read, old version kept`, data.unreadable),
  ];
  return notes.filter(Boolean).join("; ") || undefined;
}

function listed(what: string, items: SyncResult["skipped"]): string | undefined {
  if (items.length === 0) return undefined;
  const shown = items.slice(0, 3).map((item) => `${item.document} (${item.reason})`);
  const more = items.length > 3 ? ` and ${items.length - 3} more` : "";
  return `${what}: ${shown.join(", ")}${more}`;
}

function failureOf(results: readonly SyncResult[]): ErrorCode | undefined {
  return results.some(({ unreadable }) => unreadable.length > 0) ? "INCOMPLETE" : undefined;
}
