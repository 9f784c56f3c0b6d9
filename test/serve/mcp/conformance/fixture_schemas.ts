// The JSON Schemas that the conformance suite looks for.

import type { ToolSchema } from "../../../../src/serve/mcp/tool_schema.ts";

const options = ["option1", "option2", "option3"];
const titled = (words: string[]): { const: string; title: string }[] =>
  words.map((title, i) => ({ const: `value${i + 1}`, title }));

/** Forms that fixtures ask the user to fill. */
export const elicitationForms = {
  response: {
    type: "object",
    properties: { response: { type: "string", description: "User's response" } },
    required: ["response"],
  },
  defaults: {
    type: "object",
    properties: {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    },
    required: [],
  },
  enums: {
    type: "object",
    properties: {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled(["First", "Second", "Third"]) },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: {
        type: "array",
        minItems: 1,
        maxItems: 3,
        items: { type: "string", enum: options },
      },
      titledMulti: {
        type: "array",
        minItems: 1,
        maxItems: 3,
        items: { anyOf: titled(["First Choice", "Second Choice", "Third Choice"]) },
      },
    },
    required: [],
  },
};

const schemas: Record<string, ToolSchema> = {
  test_sampling: { type: "object", properties: { prompt: { type: "string" } } },
  test_elicitation: { type: "object", properties: { message: { type: "string" } } },
  test_x_mcp_header: {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      query: { type: "string" },
    },
  },
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

/** The input schema of a fixture tool. */
export function jsonSchemaTool(name: string): ToolSchema {
  return schemas[name] ?? { type: "object", properties: {} };
}
