// Whether a change or a new entry matches a watch pattern. Pure.

import type { Entry } from "../../core/entry.ts";
import { makeGlob } from "../../core/glob.ts";
import { termsOf } from "../../search/rank/terms_of.ts";
import { type FileFacts, symbolEntity } from "../graph/file_facts.ts";
import type { WatchPattern } from "./subscription.ts";

/** Whether a changed file matches one of some patterns. */
export function matchesFile(
  patterns: readonly WatchPattern[],
  path: string,
  facts: FileFacts | undefined,
): boolean {
  const names = facts?.symbols.map((symbol) => symbol.name) ?? [];
  return patterns.some(({ type, pattern }) => {
    if (type === "topic") return holdsTerms([path.replace(/\.\w+$/, ""), ...names], pattern);
    const matches = findGlob(pattern);
    if (type === "file") return matches(path);
    if (type === "symbol") return names.some(matches);
    return matches(symbolEntity(path)) || names.some((name) => matches(symbolEntity(path, name)));
  });
}

/** What an entry's files are looked up in. */
export interface EntryWorld {
  workspace: string;
  /** The names that a file of the workspace defines. */
  symbolsOf: (path: string) => string[];
}

/**
 * Whether a new entry matches: by its topic, because it is about the entity, or because its `files`
 * name a file that matches or that defines a symbol that does.
 */
export function matchesEntry(
  patterns: readonly WatchPattern[],
  entry: Entry,
  world: EntryWorld,
): boolean {
  const paths = (entry.files ?? []).map((file) => toRelative(file, world.workspace));
  return patterns.some(({ type, pattern }) => {
    if (type === "topic") {
      return holdsTerms([entry.title ?? "", entry.text, ...(entry.tags ?? [])], pattern);
    }
    const matches = findGlob(pattern);
    if (type === "file") return paths.some(matches);
    if (type === "symbol") return paths.some((path) => world.symbolsOf(path).some(matches));
    const entities = [entry.id, entry.supersedes ?? "", ...(entry.refs ?? [])];
    return [...entities, ...paths.map((path) => symbolEntity(path))].some(matches);
  });
}

/** Agents name files absolutely, people from the workspace. */
function toRelative(file: string, workspace: string): string {
  const plain = file.replace(/^file:\/\//, "").replace(/^\.\//, "");
  return plain.startsWith(`${workspace}/`) ? plain.slice(workspace.length + 1) : plain;
}

/** Whether texts hold every word of a topic, in any form. */
function holdsTerms(texts: string[], topic: string): boolean {
  const wanted = wordsOf(topic);
  const held = new Set(texts.flatMap((text) => wordsOf(text.slice(0, 20_000))));
  return wanted.length > 0 && wanted.every((term) => held.has(term));
}

/** Paths are words too: `auth/token.ts` is about auth and about token. */
function wordsOf(text: string): string[] {
  return termsOf(text.replaceAll("/", " ")).filter(({ kind }) => kind === "word")
    .map(({ term }) => term);
}

const globs = new Map<string, (text: string) => boolean>();

/** The glob of a subscription, made once. One that `subscribe` would refuse matches nothing. */
function findGlob(pattern: string): (text: string) => boolean {
  let matches = globs.get(pattern);
  if (matches !== undefined) return matches;
  try {
    matches = makeGlob(pattern.replace(/^\.\//, ""));
  } catch {
    matches = () => false;
  }
  globs.set(pattern, matches);
  return matches;
}
