// Replays the mutation log in which VS Code keeps a chat session since 2026: an initial state, then
// sets, array pushes and deletions by path. Stops at nothing: a mutation that does not fit is
// passed over. Pure.

import { type Json, toNumber, toObject } from "../loose_json.ts";

/** The state after the last record. */
export function replayMutations(records: Iterable<{ value: Json }>): Json {
  let state: Json = {};
  for (const { value: { kind, k: path, v: value, i: size } } of records) {
    if (kind === 0) state = toObject(value) ?? {};
    else if (Array.isArray(path) && path.length > 0) apply(state, path, { kind, value, size });
  }
  return state;
}

function apply(
  state: Json,
  path: unknown[],
  change: { kind: unknown; value: unknown; size: unknown },
): void {
  let target: unknown = state;
  for (const step of path.slice(0, -1)) target = childOf(target, step);
  const last = path[path.length - 1];
  const holder = Array.isArray(target) ? target as unknown as Json : toObject(target);
  if (holder === undefined || !isSafe(last)) return;
  const name = String(last);
  if (change.kind === 1) holder[name] = change.value;
  else if (change.kind === 3) delete holder[name];
  else if (change.kind === 2) {
    const list = Array.isArray(holder[name]) ? holder[name] as unknown[] : [];
    const size = toNumber(change.size);
    if (size !== undefined) list.length = Math.min(list.length, Math.max(0, size));
    if (Array.isArray(change.value)) { for (const item of change.value) list.push(item); }
    holder[name] = list;
  }
}

function childOf(target: unknown, step: unknown): unknown {
  if (Array.isArray(target)) return target[Number(step)];
  return isSafe(step) ? toObject(target)?.[String(step)] : undefined;
}

/** A path never reaches into prototypes. */
function isSafe(step: unknown): boolean {
  return (typeof step === "string" || typeof step === "number") &&
    step !== "__proto__" && step !== "constructor" && step !== "prototype";
}
