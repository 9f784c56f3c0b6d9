// How the schemas of rows are written: each field with the words that docs/FORMAT.md says of it; fields
// that a schema does not know are kept. The types of rows are taken from their schemas (`RowOf`).

import * as z from "zod/mini";

/** The fields that a type names, without those it merely allows. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** A schema for each of them. */
type ShapeOf<T> = { [K in keyof Required<Named<T>>]: z.ZodMiniType<Named<T>[K]> };

/** A row that keeps fields it does not know. */
export type RowSchema<S extends z.core.$ZodShape> = z.ZodMiniObject<S, z.core.$loose>;

/** A row of a type; a field that the type has and the schema lacks does not compile. */
export function rowOf<T>(): <S extends ShapeOf<T>>(shape: S) => RowSchema<S> {
  return (shape) => z.looseObject(shape);
}

/** What a row of a schema has; fields that the schema does not know are not named. */
export type RowOf<R extends z.ZodMiniType> = Known<z.output<R>>;

type Known<T> = T extends readonly (infer I)[] ? Known<I>[]
  : keyof Named<T> extends never ? T
  : T extends object ? { [K in keyof Named<T>]: Known<Named<T>[K]> }
  : T;

/** A field that is always there, with what it means. */
export function needed<S extends z.ZodMiniType>(schema: S, meaning: string): S {
  return schema.check(z.describe(meaning));
}

/** A field that may be missing, with what it means. */
export function maybe<S extends z.ZodMiniType>(schema: S, meaning: string): z.ZodMiniOptional<S> {
  return z.optional(schema).check(z.describe(meaning));
}

/** A moment as ctx writes it: ISO 8601, UTC, milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

/** How many: bytes, rows, tokens, or a place counted from 0. */
export const count = z.int().check(z.nonnegative());

/** Ids, paths or words. */
export const texts = z.array(z.string());
