// How a program agrees to what it calls: `confirm: true` beside the input, over MCP and HTTP.

import { isObject } from "../core/json.ts";
import type { AnyCommand } from "./command.ts";

/** Whether calls of a command may have to be agreed to. */
export function takesConfirm({ effect, destroys }: AnyCommand): boolean {
  return effect === "destroy" || destroys !== undefined;
}

/** The input without the consent, and whether it was given: by true, as a value or in letters. */
export function splitConfirm(
  command: AnyCommand,
  given: unknown,
): { input: unknown; confirm: boolean } {
  if (!isObject(given) || !takesConfirm(command)) return { input: given, confirm: false };
  const { confirm, ...input } = given;
  return { input, confirm: confirm === true || confirm === "true" };
}
