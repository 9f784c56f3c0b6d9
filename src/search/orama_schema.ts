// What Orama sees of an entry. Data only.

/** Words first, then exact values: those of filters, facets, groups and orders. */
export const oramaSchema = {
  title: "string",
  summary: "string",
  text: "string",
  files: "string[]",
  tags: "string[]",
  session: "string",
  role: "string",
  type: "string",
  source: "string",
  project: "string",
  branch: "string",
  file: "string[]",
  tag: "string[]",
  collection: "string",
  pool: "string",
  ts: "number",
  thinking: "boolean",
  document: "boolean",
} as const;
/** The name of an exact or searched property. */
export type OramaProperty = keyof typeof oramaSchema;
