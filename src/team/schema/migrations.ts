// The schema's versions: each is applied once, in order, and never changed once it was released.

import { boundedFunctions } from "./bounded_functions.ts";
import { functions } from "./functions.ts";
import { tables } from "./tables.ts";

/** A step from one version of the schema to the next. */
export interface Migration {
  /** The version that it leads to. */
  version: number;
  /** What it runs. */
  sql: string;
}

/** All steps, oldest first. */
export const migrations: readonly Migration[] = [
  { version: 1, sql: `${tables}\n${functions}` },
  { version: 2, sql: boundedFunctions },
];

/** The version that this ctx speaks. */
export const schemaVersion: number = migrations[migrations.length - 1].version;
