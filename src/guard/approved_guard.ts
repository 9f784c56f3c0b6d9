// Whether a guard binds on this machine: the user approved it here, word for word. The file can come
// with a clone, and an agent can write to it; what it says only notes until the user agrees.

import type { Trust } from "../config/merged_config.ts";
import { isTrusted } from "../config/trusted.ts";
import { hashHex } from "../core/hash.ts";
import type { Guard } from "./guard_kinds.ts";
import { toFields } from "./guard_file.ts";

/** What the user's consent names: the guard and a digest of all it says, its mode included. */
export function guardTarget(guard: Guard): string {
  // It names what was read, and withstands nobody who can write the user's file.
  return `guard:${guard.id}:${hashHex(JSON.stringify(sorted(toFields(guard))))}`;
}

/** Whether it may ask or deny here. */
export function isApproved(trust: Trust, workspace: string, guard: Guard): boolean {
  return isTrusted(trust, workspace, guardTarget(guard));
}

function sorted(fields: Record<string, unknown>): unknown {
  return Object.entries(fields).sort(([a], [b]) => a < b ? -1 : 1);
}
