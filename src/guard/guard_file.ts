// `.contextfs/guards.jsonc`: the guards of a workspace, as people read and edit them. A guard that is
// not understood is told by `ctx guard`, and checks nothing.

import { CtxError } from "../core/errors.ts";
import { findJson, isObject } from "../core/json.ts";
import type { Files } from "../disk/files.ts";
import type { Layout } from "../disk/layout.ts";
import { guardModes } from "../core/row_kinds.ts";
import { codeKinds, type Guard, type GuardCheck } from "./guard_kinds.ts";

/** The guards of a file, and what in it is none. */
export interface GuardList {
  guards: Guard[];
  faults: { id: string; fault: string }[];
}

/** Reads the guards; none where there is no file. */
export async function readGuards(files: Files, { guards: path }: Layout): Promise<GuardList> {
  const bytes = files.findBytes(path);
  if (bytes === undefined) return { guards: [], faults: [] };
  return await parseGuards(new TextDecoder().decode(bytes), path);
}

/** The guards that hold: where the file cannot be read, the last ones of the user's, and why. */
export async function readHolding(
  files: Files,
  layout: Layout,
  env: (name: string) => string | undefined,
): Promise<GuardList & { fault?: string }> {
  try {
    return await readGuards(files, layout);
  } catch (error) {
    const { findKept } = await import("./kept_guards.ts");
    const text = findKept(files, layout, env);
    if (text === undefined || !(error instanceof Error)) throw error;
    const kept = await parseGuards(text, layout.guards);
    return { ...kept, fault: `${error.message}; your last guards are still checked` };
  }
}

/** The guards in a text of such a file; throws CONFIG_INVALID where it is none. */
async function parseGuards(text: string, path: string): Promise<GuardList> {
  // As ctx writes it, it is plain JSON.
  const value = findJson(text) ?? await readCommented(text, path);
  if (isObject(value) && value.guards === undefined) return { guards: [], faults: [] };
  if (!isObject(value) || !isObject(value.guards)) {
    throw new CtxError("CONFIG_INVALID", `Cannot read "${path}": it has no "guards" object`, {
      hint: "correct the file, or remove it and add the guards again: ctx guard add RULE",
    });
  }
  const list: GuardList = { guards: [], faults: [] };
  for (const [id, one] of Object.entries(value.guards)) {
    const guard = toGuard(id, one);
    if (typeof guard === "string") list.faults.push({ id, fault: guard });
    else list.guards.push(guard);
  }
  return list;
}

/** What keeps guards from being checked, a line each. */
export async function findFaults(
  files: Files,
  layout: Layout,
  env: (name: string) => string | undefined,
): Promise<string[]> {
  try {
    const { faults, fault } = await readHolding(files, layout, env);
    if (fault !== undefined) return [fault];
    return faults.map(({ id, fault }) => `the guard "${id}" is not checked: ${fault}`);
  } catch (error) {
    if (!(error instanceof CtxError)) throw error;
    return [`no guard is checked: ${error.message}`];
  }
}

async function readCommented(text: string, path: string): Promise<unknown> {
  const { JsonEditor } = await import("../config/edit_json.ts");
  return { guards: (await JsonEditor.open(text, path)).find(["guards"]) };
}

/** The text of the file with a guard written, or taken out; comments are kept. */
export async function editGuards(
  text: string | undefined,
  path: string,
  { id, guard }: { id: string; guard?: Guard },
): Promise<string> {
  const { JsonEditor } = await import("../config/edit_json.ts");
  const json = await JsonEditor.open(text, path);
  if (json.find(["guards"]) === undefined) json.set(["guards"], {});
  if (guard === undefined) json.remove(["guards", id]);
  else json.set(["guards", id], toFields(guard));
  return json.text;
}

/** A guard as the file has it: what it checks stands beside what it says. */
export function toFields({ id: _id, check, ...rest }: Guard): Record<string, unknown> {
  const { rule, since, mode, ...others } = rest;
  return { rule, since, mode, ...check, ...others };
}

/** A guard, or what is wrong with it. */
function toGuard(id: string, value: unknown): Guard | string {
  if (!isObject(value)) return "it is not an object";
  const { rule, since, mode, instead, except, entry, ...check } = value;
  if (typeof rule !== "string" || rule === "") return `it has no "rule"`;
  const known = guardModes.find((one) => one === mode);
  if (known === undefined) return `"mode" must be one of ${guardModes.join(", ")}`;
  if (!isCheck(check)) return "its check is not valid; add the rule again: ctx guard add RULE";
  if (except !== undefined && !isTexts(except)) return `"except" must be a list of strings`;
  return {
    id,
    rule,
    since: typeof since === "string" ? since : "",
    mode: known,
    check,
    ...(typeof instead === "string" ? { instead } : {}),
    ...(except === undefined ? {} : { except }),
    ...(typeof entry === "string" ? { entry } : {}),
  };
}

function isCheck(value: Record<string, unknown>): value is GuardCheck & Record<string, unknown> {
  const { on, ...rest } = value;
  const isKind = (one: unknown): boolean => codeKinds.some((kind) => kind === one);
  const lists = [
    "runs",
    "reads",
    "touches",
    "adds",
    "imports",
    "creates",
    "below",
    "ran",
    "before",
    "branches",
    "to",
  ];
  for (const [name, one] of Object.entries(rest)) {
    if ([...lists, "in"].includes(name) && !isTexts(one)) return false;
  }
  if (on === "command") return isTexts(rest.runs);
  if (on === "read") return isTexts(rest.reads);
  if (on === "end") return isTexts(rest.ran);
  if (on !== "edit") return false;
  if (rest.names !== undefined) return isKind(rest.names) && typeof rest.like === "string";
  if (rest.each !== undefined) {
    return (isKind(rest.each) || rest.each === "file") && typeof rest.has === "string";
  }
  if (rest.creates !== undefined) return isTexts(rest.creates) && isTexts(rest.below);
  return [rest.touches, rest.adds, rest.imports].some(isTexts);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 &&
    value.every((one) => typeof one === "string" && one !== "");
}
