// The kinds of input a command takes, with their descriptions: a short vocabulary over zod, so that
// a definition reads like a table and every surface gets the same bounds, defaults and words.

import * as z from "zod/mini";

/** A required text. */
export function text(about: string, minLength = 0): z.ZodMiniString {
  const schema = z.string().check(z.describe(about));
  return minLength > 0 ? schema.check(z.minLength(minLength)) : schema;
}

/** A text that may be left out. */
export function optionalText(about: string): z.ZodMiniOptional<z.ZodMiniString> {
  return z.optional(text(about, 1));
}

/** A switch, off unless it is given. */
export function flag(about: string): z.ZodMiniDefault<z.ZodMiniBoolean> {
  return z._default(z.boolean().check(z.describe(about)), false);
}

/** A whole number with bounds and a default. */
export function integer(
  about: string,
  bounds: { min: number; max?: number; default: number },
): z.ZodMiniDefault<z.ZodMiniNumber> {
  return z._default(boundedInteger(about, bounds), bounds.default);
}

/** A whole number with bounds that may be left out. */
export function optionalInteger(
  about: string,
  bounds: { min: number; max?: number },
): z.ZodMiniOptional<z.ZodMiniNumber> {
  return z.optional(boundedInteger(about, bounds));
}

/** A number with bounds that may be left out. */
export function optionalNumber(
  about: string,
  bounds: { min: number; max: number },
): z.ZodMiniOptional<z.ZodMiniNumber> {
  const schema = z.number().check(z.minimum(bounds.min), z.maximum(bounds.max), z.describe(about));
  return z.optional(schema);
}

/** One of a few words, with a default. */
export function choice<const T extends readonly [string, ...string[]]>(
  about: string,
  values: T,
  initial: T[number],
): z.ZodMiniDefault<z.ZodMiniEnum<{ [K in T[number]]: K }>> {
  const schema = z.enum(values).check(z.describe(about)) as z.ZodMiniEnum<{ [K in T[number]]: K }>;
  return z._default(schema, initial as never);
}

/** A list of texts, empty unless given. */
export function list(about: string): z.ZodMiniDefault<z.ZodMiniArray<z.ZodMiniString>> {
  return z._default(z.array(z.string().check(z.minLength(1))).check(z.describe(about)), []);
}

/** A list of texts that must have at least one. */
export function someOf(about: string): z.ZodMiniArray<z.ZodMiniString> {
  return z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.describe(about));
}

function boundedInteger(
  about: string,
  bounds: { min: number; max?: number },
): z.ZodMiniNumber {
  const schema = z.int().check(z.minimum(bounds.min), z.describe(about));
  return bounds.max === undefined ? schema : schema.check(z.maximum(bounds.max));
}
