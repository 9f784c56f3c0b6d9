// Whether a change or a new entry matches a watch pattern. Pure.

import type { Entry } from "../../../core/entry.ts";
import { makeGlob } from "../../../core/glob.ts";
import { CtxError } from "../../../core/errors.ts";
import { compilePattern } from "../../../core/pattern.ts";
import { termsOf } from "../../../search/rank/terms_of.ts";
import { symbolEntity } from "../graph/file_facts.ts";
import { holdsName } from "../signals/find_mentions.ts";
import { findRegex, type WatchPattern } from "./subscription.ts";

/** What of a long text is looked at. */
const maxChars = 20_000;
/** What a regular expression may come to, and be written in: patterns come from agents and clones. */
const maxSize = 2000;
const maxSourceChars = 1000;

export interface MatchWorld {
  workspace: string;
  /** The names that a file of the workspace defines. */
  symbolsOf: (path: string) => string[];
  /** The files that an entry of the store is about. */
  filesOf?: (id: string) => string[];
  /** Whether a text is about a topic by its meaning, where that can be told. */
  isAbout?: (topic: string, text: string) => boolean;
}

/** The first pattern, by priority, that a changed file matches. */
export function matchFile(
  patterns: readonly WatchPattern[],
  path: string,
  world: MatchWorld,
): WatchPattern | undefined {
  const names = world.symbolsOf(path);
  const words = [path.replace(/\.\w+$/, ""), ...names];
  return firstOf(patterns, ({ type, pattern }) => {
    if (type === "topic") return isOnTopic(words, pattern, world);
    const matches = findTest(pattern);
    if (type === "file") return matches(path);
    if (type === "symbol") return names.some(matches);
    return entitiesOf(path, names).some(matches) || isOfEntry(pattern, path, world);
  });
}

function entitiesOf(path: string, names: readonly string[]): string[] {
  const ids = [symbolEntity(path), ...names.map((name) => symbolEntity(path, name))];
  return [...ids, path, ...names];
}

/** Whether an entity is an entry that is about a file. */
function isOfEntry(pattern: string, path: string, { filesOf, workspace }: MatchWorld): boolean {
  if (filesOf === undefined || !/^H-[\w-]+$/.test(pattern)) return false;
  return filesOf(pattern).some((file) => toRelative(file, workspace) === path);
}

/**
 * The first pattern, by priority, that a new entry matches: by its topic, because it names the entity
 * or is about it, or because its `files` name a file that matches or that defines a symbol that does.
 */
export function matchEntry(
  patterns: readonly WatchPattern[],
  entry: Entry,
  world: MatchWorld,
): WatchPattern | undefined {
  const paths = (entry.files ?? []).map((file) => toRelative(file, world.workspace));
  const words = [entry.title ?? "", entry.text, ...(entry.tags ?? [])];
  return firstOf(patterns, ({ type, pattern }) => {
    if (type === "topic") return isOnTopic(words, pattern, world);
    const matches = findTest(pattern);
    if (type === "file") return paths.some(matches);
    if (type === "symbol") return paths.some((path) => world.symbolsOf(path).some(matches));
    const entries = [entry.id, entry.supersedes ?? "", ...(entry.refs ?? []), entry.title ?? ""];
    const code = paths.flatMap((path) => entitiesOf(path, world.symbolsOf(path)));
    return [...entries, ...code].some(matches) || isNamed(pattern, words);
  });
}

/** Whether texts hold the name of an entity, `code:src/auth.ts#login` or `login`, as it is written. */
function isNamed(pattern: string, texts: string[]): boolean {
  const name = /^(?:code:[^#]+#)?([\p{L}_$][\p{L}\p{N}_$.]*)$/u.exec(pattern)?.[1];
  if (name === undefined) return false;
  return texts.some((text) => holdsName(text, name));
}

function firstOf(
  patterns: readonly WatchPattern[],
  matches: (pattern: WatchPattern) => boolean,
): WatchPattern | undefined {
  return patterns.toSorted((a, b) => (a.priority ?? 1) - (b.priority ?? 1)).find(matches);
}

/** By its words in any form, by a regular expression, or by what it means. */
function isOnTopic(texts: string[], topic: string, { isAbout }: MatchWorld): boolean {
  if (findRegex(topic) !== undefined) return texts.some(findTest(topic));
  return holdsTerms(texts, topic) || (isAbout?.(topic, texts.join("\n")) ?? false);
}

/** Agents name files absolutely, people from the workspace. */
function toRelative(file: string, workspace: string): string {
  const plain = file.replace(/^file:\/\//, "").replace(/^\.\//, "");
  return plain.startsWith(`${workspace}/`) ? plain.slice(workspace.length + 1) : plain;
}

function holdsTerms(texts: string[], topic: string): boolean {
  const wanted = wordsOf(topic);
  const held = new Set(texts.flatMap((text) => wordsOf(text.slice(0, maxChars))));
  return wanted.length > 0 && wanted.every((term) => held.has(term));
}

/** Paths are words too: `auth/token.ts` is about auth and about token. */
function wordsOf(text: string): string[] {
  return termsOf(text.replaceAll("/", " ")).filter(({ kind }) => kind === "word")
    .map(({ term }) => term);
}

const tests = new Map<string, (text: string) => boolean>();

/** The glob or regular expression of a subscription, made once; see `makeTest` for what is refused. */
function findTest(pattern: string): (text: string) => boolean {
  let matches = tests.get(pattern);
  if (matches !== undefined) return matches;
  try {
    matches = makeTest(pattern);
  } catch {
    matches = () => false;
  }
  tests.set(pattern, matches);
  return matches;
}

/** A glob over whole texts, or between slashes a regular expression; throws USAGE. */
export function makeTest(pattern: string): (text: string) => boolean {
  const regex = findRegex(pattern);
  if (regex === undefined) return makeGlob(pattern.replace(/^\.\//, ""));
  // Both bounds: what is compiled first would be the cost that it is refused for.
  const compiled = isLarge(regex) ? undefined : compilePattern(regex);
  if (compiled === undefined || compiled.programSize() > maxSize) {
    throw new CtxError("USAGE", `Cannot use the pattern "${regex.slice(0, 60)}": it is too large`, {
      hint: "write it with smaller counts, or as several patterns",
    });
  }
  return (text) => compiled.test(text.slice(0, maxChars));
}

/** Whether a regular expression is long, or its counts would make it so. */
function isLarge(regex: string): boolean {
  const counts = [...regex.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  const times = counts.reduce((sum, [, least, most]) => sum + Number(most || least), 1);
  return regex.length > maxSourceChars || regex.length * times > 20 * maxSize;
}
