// Leaves out of the bundle what of the MCP SDK no server runs. The SDK checks answers to questions that
// a server asks the user with Ajv, exports a schema for every type of the protocol, and takes Node's
// streams where it is given no transport: ctx asks nothing, has its own streams and reads no such
// schema. Loading all that took a third of a server's start. The schemas of messages are made one by
// one, when a message of their kind arrives: making all 150 at the first took 12 ms. The protocol
// itself stays the SDK's. What is cut loose here goes when merge_chunks.ts bundles once more.

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
  return delaySchemas(unused.reduce((text, [pattern, rest]) => {
    if (text.search(pattern) < 0) {
      throw new Error(`Cannot trim the MCP SDK: nothing matches ${pattern}`);
    }
    return text.replaceAll(pattern, rest);
  }, code));
}

/** Has each schema of a message, and the schemas that it is made of, made when it is first used. */
export function delaySchemas(code: string): string {
  const made = /^function build\$1\(\) \{\n((?: .*\n)+?) {2}return \{\n((?: .*\n)+?) {2}\};\n\}$/m
    .exec(code);
  const named = /^function registryMaps\(\) \{\n(?: .*\n)+\}$/m.exec(code);
  if (made === null || named === null) {
    throw new Error("Cannot delay the MCP SDK's schemas: they are made in another way");
  }
  const [all, consts, given] = made;
  const names = [...consts.matchAll(/^ {2}const ([\w$]+) = /gm)].map(([, name]) => name);
  const known = new Set(names);
  const called = (text: string): string =>
    text.replace(
      /(?<![\w$"]|(?<!\.\.)\.)[A-Za-z_$][\w$]*(?![\w$:])/g,
      (word) => known.has(word) ? `${word}()` : word,
    );
  // What begins a line below a declaration goes on with it, unless it is another.
  const declared = consts.split(/^ {2}const (?=[\w$]+ = )/m).slice(1).map((text) => {
    const [, name, value] = /^([\w$]+) = ([^]*);\n$/.exec(text) ?? [];
    return `  let own_${name};\n  const ${name} = () => own_${name} ??= ${called(value)};\n`;
  });
  const members = given.split(/^ {4}(?=\w+(?:: |,?$))/m).slice(1).map((text) => {
    const [, key, value = key] = /^(\w+)(?:: ([^]*?))?,?\n$/.exec(text) ?? [];
    return `    get ${key}() {\n      return given.${key} ??= ${called(value)};\n    },\n`;
  });
  const body = `function build$1() {\n${declared.join("")}  const given = {};\n  return {\n${
    members.join("")
  }  };\n}`;
  const maps = named[0].replace(
    /^( +)("[\w/]+"|\w+): (s\.\w+)(,?)$/gm,
    "$1get $2() {\n$1  return $3;\n$1}$4",
  );
  return code.replace(all, () => body).replace(named[0], () => maps);
}
