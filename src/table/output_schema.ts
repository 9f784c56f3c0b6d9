// The JSON Schema of a command's result, for MCP and tests. Apart from the table, because it loads
// the schema library.

import * as z from "zod/mini";
import type { AnyCommand, Zod } from "./command.ts";
import type { ObjectSchema } from "./parse_input.ts";

z.config({ jitless: true });

/** The JSON Schema of a command's result. */
export function outputSchemaOf(command: AnyCommand): ObjectSchema {
  return z.toJSONSchema(outputOf(command), { io: "output" }) as ObjectSchema;
}

/** The schema of a command's result. */
export function outputOf(command: AnyCommand): z.ZodMiniObject {
  return command.output(kit);
}

/** By name, so that the bundle holds only these. */
const kit: Zod = {
  array: z.array,
  boolean: z.boolean,
  enum: z.enum,
  literal: z.literal,
  looseObject: z.looseObject,
  nullable: z.nullable,
  number: z.number,
  object: z.object,
  optional: z.optional,
  string: z.string,
};
