// Leaves out of the bundle what of the MCP SDK no server runs. The SDK checks answers to questions that
// a server asks the user with Ajv, exports a schema for every type of the protocol, and takes Node's
// streams where it is given no transport: ctx asks nothing, has its own streams and reads no such
// schema. Loading all that took a third of a server's start. The protocol itself stays the
// SDK's. What is cut loose here goes when merge_chunks.ts bundles once more.

/** What is taken out, or made so that the bundler may drop it where nothing refers to it. */
const unused: readonly [RegExp, string][] = [
  // Only what a user answers is checked with it.
  [/ \?\? new AjvJsonSchemaValidator\(\)/g, ""],
  [
    /^var (import_\w+|addFormats|Ajv) = (?:\/\* @__PURE__ \*\/ )?(.*\b(?:require_|import_)\w+.*);$/gm,
    "var $1 = /* @__PURE__ */ (() => $2)();",
  ],
  // Node's process, for the streams of a transport that is not used, has Deno load its Node layer.
  [/^import process from "node:process";/gm, "var process = {};"],
  // A table of all schemas that programs may look a type up in.
  [/^for \(const .* of (?:SPEC_SCHEMA_KEYS|Object\.entries\(authSchemas\))\) register\(.*;$/gm, ""],
  // A schema is made when the module is loaded, whether it is used or not; none has another effect.
  [
    /^var (\w+Schema) = ([^;]*?(?:\n[ )}\]][^\n]*)*?);$/gm,
    "var $1 = /* @__PURE__ */ (() => $2)();",
  ],
];

/** Whether a chunk holds the SDK's protocol. */
export function holdsMcp(code: string): boolean {
  return code.includes("mcp.sdk.errorBrands") && code.includes("AjvJsonSchemaValidator");
}

/** The chunk without what is never used; throws when the SDK is no longer as it was. */
export function trimMcp(code: string): string {
  return unused.reduce((text, [pattern, rest]) => {
    if (text.search(pattern) < 0) {
      throw new Error(`Cannot trim the MCP SDK: nothing matches ${pattern}`);
    }
    return text.replaceAll(pattern, rest);
  }, code);
}
