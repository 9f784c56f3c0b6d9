// Makes the ids of an input whole, field by field: what people shorten is looked up once, for every
// command and surface.

import { CtxError } from "../core/errors.ts";
import type { Context } from "./command.ts";
import type { TakesInput } from "./parse_input.ts";
import type { ObjectOf, Shapes } from "./shape.ts";

export async function toWholeInput<I extends Shapes>(
  { name, input }: TakesInput<I>,
  parsed: ObjectOf<I>,
  context: Context,
): Promise<ObjectOf<I>> {
  const whole: Record<string, unknown> = { ...parsed };
  for (const [field, { names }] of Object.entries(input)) {
    const said = whole[field];
    if (names === undefined || said === undefined) continue;
    const ids = await context.wholeIds(names, [said].flat().map(String));
    if (!Array.isArray(said) && ids.length > 1) {
      throw new CtxError("USAGE", `Cannot run ${name}: "${field}" takes one id, not ${ids.length}`);
    }
    whole[field] = Array.isArray(said) ? ids : ids[0];
  }
  return whole as ObjectOf<I>;
}
