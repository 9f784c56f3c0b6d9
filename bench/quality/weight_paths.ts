// The weights of the ranking by path, such as "context.before.0", to be set by a bench and by nothing else.

import { weights } from "../../src/search/rank/ranking.ts";

/** Values by path; what is not named stays as it is shipped. */
export type Setting = Record<string, number>;

/** The path of every weight. */
export function weightPaths(): string[] {
  return [...Object.keys(shipped)];
}

/** What ships at a path. */
export function shippedAt(path: string): number {
  const value = shipped[path];
  if (value === undefined) {
    throw new Error(`Cannot read weight "${path}": there is none; there are ${weightPaths()}`);
  }
  return value;
}

/** Sets the weights of this thread: those named by a setting, all others as shipped. */
export function applySetting(setting: Setting): void {
  for (const path of Object.keys(setting)) shippedAt(path);
  for (const [path, value] of Object.entries({ ...shipped, ...setting })) write(path, value);
}

const shipped: Setting = Object.fromEntries(leaves(weights));

function* leaves(from: object, prefix = ""): Generator<[string, number]> {
  for (const [name, value] of Object.entries(from)) {
    if (typeof value === "number") yield [prefix + name, value];
    else if (typeof value === "object" && value !== null) yield* leaves(value, `${prefix}${name}.`);
  }
}

function write(path: string, value: number): void {
  const names = path.split(".");
  let place: object = weights;
  for (const name of names.slice(0, -1)) place = Reflect.get(place, name);
  Reflect.set(place, names[names.length - 1], value);
}
