// What `ctx audit --fix` writes: the edits of findings, file by file, after a copy of each file as it
// was. `undo` puts those copies back, byte for byte, where nobody changed the file since.

import { checksum } from "../core/checksum.ts";
import { findJson, isObject } from "../core/json.ts";
import { CtxError } from "../core/errors.ts";
import { diffLines } from "../core/lines/line_diff.ts";
import { redactText } from "../core/redact/redact.ts";
import { encodeExact, findUtf8 } from "../core/utf8.ts";
import { diskFiles } from "../disk/files.ts";
import type { CutFile, Finding } from "./finding.ts";

/** A file as it is and as it would be. */
export interface FileFix {
  path: string;
  name: string;
  before: string;
  after: string;
  diff: string;
  /** How many findings it deals with. */
  fixes: number;
}

/** The edits of some findings, a file each; of findings about the same lines the first counts. */
export function planFixes(files: readonly CutFile[], findings: readonly Finding[]): FileFix[] {
  return files.flatMap((file): FileFix[] => {
    const text = readExact(file.path);
    const taken = new Set<number>();
    const edits = findings.filter((one) => {
      if (one.file !== file.name || one.edit === undefined) return false;
      const lines = range(one.line, one.end);
      if (lines.some((line) => taken.has(line))) return false;
      for (const line of lines) taken.add(line);
      return true;
    });
    // What a rule file brings in may be a program's settings.
    if (edits.length === 0 || text !== file.text || !isRuleFile.test(file.path)) return [];
    const lines = text.split("\n");
    for (const { line, end, edit } of edits.toSorted((a, b) => b.line - a.line)) {
      lines.splice(line - 1, end - line + 1, ...edit?.lines ?? []);
    }
    const after = lines.join("\n");
    const diff = redactText(diffLines(text, after)).value;
    return [{ path: file.path, name: file.name, before: text, after, diff, fixes: edits.length }];
  });
}

const isRuleFile = /(?:\.mdc?|\.cursorrules|\.clinerules)$/;

/** Keeps the files as they are, then writes what was planned. */
export function applyFixes(folder: string, fixes: readonly FileFix[], now: number): void {
  const run = `${folder}/${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  diskFiles.makeDirectory(folder);
  diskFiles.makeDirectory(run);
  // Copies may hold secrets: git never takes them, whatever the store's own file says.
  write(`${folder}/.gitignore`, encodeExact("*\n"), 0o600);
  const kept = fixes.map(({ path, before, after }, at) => {
    write(`${run}/${at}`, encodeExact(before), 0o600);
    return { path, copy: String(at), after: checksum(encodeExact(after)) };
  });
  const list = new TextEncoder().encode(`${JSON.stringify({ files: kept }, null, 2)}\n`);
  write(`${run}/files.json`, list, 0o600);
  const done: FileFix[] = [];
  try {
    for (const fix of fixes) {
      write(fix.path, encodeExact(fix.after), modeOf(fix.path));
      done.push(fix);
    }
  } catch (cause) {
    const name = fixes[done.length].name;
    for (const { path, before } of done) write(path, encodeExact(before), modeOf(path));
    removeKept({ run, files: kept });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CtxError("DENIED", `Cannot change "${name}": ${why}`, {
      hint: "no file was changed; check its name and permissions, then: ctx audit --fix",
      cause,
    });
  }
}

/** A fix that can be undone. */
export interface KeptFix {
  run: string;
  files: { path: string; copy: string; after: number }[];
}

/** The last fix that was not undone. */
export function findKept(folder: string): KeptFix | undefined {
  const runs = readNames(folder).filter((name) => /^\d/.test(name)).sort().reverse();
  for (const name of runs) {
    const bytes = diskFiles.findBytes(`${folder}/${name}/files.json`);
    const list = findJson(bytes === undefined ? "" : findUtf8(bytes) ?? "");
    const files = isObject(list) && Array.isArray(list.files) ? list.files : [];
    if (files.length > 0 && files.every(isKept)) return { run: `${folder}/${name}`, files };
  }
}

export function diffKept({ run }: KeptFix, { path, copy }: KeptFix["files"][number]): string {
  const [now, then] = [readExact(path) ?? "", readExact(`${run}/${copy}`) ?? ""];
  return redactText(diffLines(now, then)).value;
}

/**
 * Puts the files of a fix back; refuses, and changes nothing, where one was changed since or is no rule
 * file: the list may have come with a clone.
 */
export function undoFix({ run, files }: KeptFix, ruleFiles: ReadonlySet<string>): void {
  for (const { path, after } of files) {
    if (!ruleFiles.has(path) || !isRuleFile.test(path)) {
      throw new CtxError("DENIED", `Cannot undo the fix: "${path}" is no file that agents load`, {
        hint: `the file as it was is in ${run}; copy it back by hand`,
      });
    }
    const now = diskFiles.findBytes(path);
    if (now !== undefined && checksum(now) === after) continue;
    throw new CtxError("DENIED", `Cannot undo the fix: "${path}" was changed since`, {
      hint: `the file as it was is in ${run}; copy it back by hand`,
    });
  }
  const copies = files.map(({ path, copy }) => {
    const bytes = diskFiles.findBytes(`${run}/${copy}`);
    if (bytes !== undefined) return { path, bytes };
    throw new CtxError("NOT_FOUND", `Cannot undo the fix: "${run}/${copy}" is missing`);
  });
  for (const { path, bytes } of copies) write(path, bytes, modeOf(path));
  removeKept({ run, files });
}

function removeKept({ run, files }: KeptFix): void {
  for (const { copy } of files) diskFiles.remove(`${run}/${copy}`);
  diskFiles.remove(`${run}/files.json`);
  diskFiles.remove(run);
}

function isKept(item: unknown): item is KeptFix["files"][number] {
  return isObject(item) && typeof item.path === "string" && typeof item.copy === "string" &&
    /^\d+$/.test(item.copy) && typeof item.after === "number";
}

/** The text of a file; undefined where its bytes are not exactly a text. */
function readExact(path: string): string | undefined {
  const bytes = diskFiles.findBytes(path);
  return bytes && findUtf8(bytes);
}

function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0o644) & 0o777;
}

function write(path: string, bytes: Uint8Array, mode: number): void {
  diskFiles.replace(path, bytes, { sync: true, mode });
}

function readNames(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
