// Whether a guard binds on this machine: the user approved it here, word for word. The file can come
// with a clone, and an agent can write to it; what it says only notes until the user agrees.

import type { Trust } from "../config/merged_config.ts";
import { isTrusted } from "../config/trusted.ts";
import type { Guard } from "./guard_kinds.ts";
import { toFields } from "./guard_file.ts";

/** What the user's consent names: the guard and a digest of all it says, its mode included. */
export function guardTarget(guard: Guard): string {
  const text = JSON.stringify(sorted(toFields(guard)));
  // Two hashes of 32 bits: it names what was read, and withstands nobody who can write the user's file.
  let [a, b] = [0x811c9dc5, 0x9dc5811c];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - i), 0x01000193);
  }
  return `guard:${guard.id}:${hex(a)}${hex(b)}`;
}

/** Whether it may ask or deny here. */
export function isApproved(trust: Trust, workspace: string, guard: Guard): boolean {
  return isTrusted(trust, workspace, guardTarget(guard));
}

function sorted(fields: Record<string, unknown>): unknown {
  return Object.entries(fields).sort(([a], [b]) => a < b ? -1 : 1);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
