// The servers of two documents, `dex serve` and `ctxpkg mcp`: they list the tools of that document with
// its inputs and descriptions. Loaded only for them.

import { CtxError } from "../../core/errors.ts";
import type { FieldSchema } from "../../command/shape.ts";
import type { Catalog } from "./catalog.ts";
import { noStoreText } from "./guide.ts";
import type { ServedTool } from "./tool.ts";
import type { ToolSchema } from "./tool_schema.ts";

interface ListedTool {
  description: string;
  properties: Record<string, FieldSchema>;
  required?: string[];
}

const text = (description: string): FieldSchema => ({ type: "string", description });
const count = (description: string): FieldSchema => ({ type: "integer", description });
const texts = (description: string): FieldSchema => ({
  type: "array",
  items: { type: "string" },
  description,
});

const filters: Record<string, FieldSchema> = {
  project: text("Part of the project's path"),
  source: text("Agent: cursor, claude_code, codex, opencode and others"),
  from: text("ISO date"),
  to: text("ISO date, inclusive"),
};

const document = text("Path of the document, or its last part");

/** By document, then by tool. */
const servers: Readonly<Record<string, Readonly<Record<string, ListedTool>>>> = {
  dex: {
    dex_stats: {
      description: "Get overview statistics about indexed conversations",
      properties: {},
    },
    dex_list: {
      description: "Browse conversations by metadata filters (date, project, source)",
      properties: { ...filters, limit: count("Default 20"), offset: count("For pagination") },
    },
    dex_search: {
      description: "Search conversations by content with optional filters",
      properties: {
        query: text("Words or a question"),
        file: text("File touched by the conversation"),
        ...filters,
        limit: count("Default 10"),
      },
      required: ["query"],
    },
    dex_get: {
      description: "Retrieve conversation content in various formats",
      properties: {
        ids: texts("Conversations"),
        format: {
          type: "string",
          enum: ["full", "stripped", "user_only", "outline"],
          description: "outline: one line per message; stripped: without tool output",
        },
        expand: {
          type: "object",
          properties: {
            message_index: count("Center on this message"),
            before: count("Messages before, default 2"),
            after: count("Messages after, default 2"),
          },
          required: ["message_index"],
          description: "Return part of a conversation",
        },
        max_tokens: count("Cut off the end beyond this"),
      },
      required: ["ids", "format"],
    },
  },
  ctxpkg: {
    documents_search: {
      description: "Find relevant content across collections",
      properties: { query: text("Words or a question"), collections: texts("Only these") },
      required: ["query"],
    },
    documents_list_documents: {
      description: "Browse what is available in a collection",
      properties: { collection: text("All collections if left out") },
    },
    documents_get_outline: {
      description: "Understand a document's structure before diving in",
      properties: { document, collection: text("If several collections have it") },
      required: ["document"],
    },
    documents_get_section: {
      description: "Get specific section content efficiently",
      properties: {
        document,
        section: text("Its heading"),
        collection: text("If several collections have it"),
      },
      required: ["document", "section"],
    },
    documents_get_document: {
      description: "Get a whole document; only when a section is not enough",
      properties: { document, collection: text("If several collections have it") },
      required: ["document"],
    },
  },
};

/** The catalog of the server that a document starts: its tools, as it names and describes them. */
export async function toDocumentCatalog(catalog: Catalog, name: string): Promise<Catalog> {
  const listed = Object.entries(servers[name] ?? {});
  const tools = await Promise.all(
    listed.map(async ([tool, { description, ...rest }]): Promise<ServedTool> => {
      const found = await catalog.findTool?.(tool);
      if (found === undefined) {
        throw new CtxError("USAGE", `Cannot serve "${tool}": this server does not have it`);
      }
      const inputSchema: ToolSchema = { type: "object", additionalProperties: false, ...rest };
      const { annotations } = found.definition;
      return { ...found, definition: { name: tool, description, inputSchema, annotations } };
    }),
  );
  const definitions = tools.map(({ definition }) => definition);
  return {
    ...catalog,
    tools,
    prompts: [],
    listTools: () => catalog.hasStore() ? definitions : [],
    readInstructions: () =>
      Promise.resolve(
        catalog.hasStore()
          ? definitions.map(({ name, description }) => `${name}: ${description}.`).join("\n")
          : noStoreText,
      ),
  };
}
