// The SDK's schemas, made one by one: what the built server does to its copy of the SDK.

import assert from "node:assert/strict";
import { delaySchemas } from "../../build/trim_mcp.ts";

const sdk = `function build$1() {
  const RoleSchema = make("role", { of: 1, who: 2 });
  const PingSchema$1 = make("ping", {
    role: RoleSchema,
    ...RoleSchema.shape,
    of: other.RoleSchema,
    RoleSchema: "a key, not the schema"
  });
  const AskSchema$1 = make("ask", () => [
    AskSchema$1,
    PingSchema$1.shape
  ]);
  return {
    RoleSchema,
    PingSchema: PingSchema$1,
    AnySchema: union([
      PingSchema$1,
      AskSchema$1
    ])
  };
}
function registryMaps() {
  const s = build$1();
  return {
    requests: {
      ping: s.PingSchema,
      "ask/any": s.AnySchema
    }
  };
}
`;

/** Runs the code and says which schemas were made, in order. */
function load(code: string): { made: string[]; maps: { requests: Record<string, unknown> } } {
  const made: string[] = [];
  const make = (name: string, shape?: unknown): unknown => {
    made.push(name);
    return { name, shape };
  };
  const run = new Function("make", "union", `const other = {};${code}return registryMaps();`);
  return { made, maps: run(make, (all: unknown[]) => all) };
}

Deno.test("a schema of the MCP SDK is made when a message needs it, once, with what it is made of", () => {
  const { made, maps } = load(delaySchemas(sdk));
  assert.deepEqual(made, []);
  const ping = maps.requests.ping;
  assert.deepEqual(made, ["role", "ping"]);
  assert.ok(maps.requests.ping === ping);
  assert.deepEqual(made.length, 2);
  assert.ok(maps.requests["ask/any"] === maps.requests["ask/any"]);
});

Deno.test("delayed schemas are what they were", () => {
  const before = load(sdk).maps.requests;
  const after = load(delaySchemas(sdk)).maps.requests;
  assert.deepEqual(Object.keys(after), Object.keys(before));
  assert.deepEqual(after.ping, before.ping);
  assert.match(JSON.stringify(after.ping), /"who":2/);
  assert.deepEqual(JSON.stringify(after), JSON.stringify(before));
});

Deno.test("an SDK that makes its schemas in another way is not built", () => {
  assert.throws(() => delaySchemas("const x = 1;\n"), /Cannot delay/);
});
