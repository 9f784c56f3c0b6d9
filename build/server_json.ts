// The entry of ctx in the MCP registry: clients start the npm package as
// a server. The registry compares its name with `mcpName` of that package.

import manifest from "../deno.json" with { type: "json" };

/** The name in the registry, which is also in the npm package. */
export const mcpName = "io.github.ctx-memory/ctx";

/** One sentence for lists of packages and servers. */
export const description = "A durable memory for AI coding agents and people, in plain files";

/** The entry, for the version of this checkout. */
export function makeServerJson(): Record<string, unknown> {
  const { name: identifier, version } = manifest;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    description,
    repository: { url: "https://github.com/ctx-memory/ctx", source: "github" },
    version,
    packages: [{
      registryType: "npm",
      identifier,
      version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "mcp" }],
    }],
  };
}
