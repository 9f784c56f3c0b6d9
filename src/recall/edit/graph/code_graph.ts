// The sources of a workspace, read when somebody asks: which files define, use and import what.
// Nothing is kept between two questions, so nothing can be out of date or damaged. All sources are
// read as text; only the few that contain a name in question are parsed.

import { breathe } from "../../../core/breathe.ts";
import { type FileFacts, nameOf } from "./file_facts.ts";
import { findLanguage } from "./languages.ts";
import { readFacts, readSource } from "./read_facts.ts";
import { directoryOf, ImportWorld, resolveImports } from "./resolve_imports.ts";
import { loadIgnoreRules, walkWorkspace } from "./walk_workspace.ts";

/** Larger workspaces are read up to here, so that an answer comes in seconds. */
const maxFiles = 20_000;
const maxBytes = 128 << 20;
/** Of more files than these none says anything: they are not parsed. */
const maxFound = 100;

/** The sources of a workspace; see `readGraph`. */
export class CodeGraph {
  /** How many sources there are beyond the limits. */
  readonly left: number;
  readonly #workspace: string;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #world: ImportWorld;
  readonly #facts = new Map<string, FileFacts | undefined>();

  constructor(
    workspace: string,
    { texts, paths, left }: { texts: Map<string, string>; paths: string[]; left: number },
  ) {
    this.left = left;
    this.#workspace = workspace;
    this.#texts = texts;
    const module = /^module\s+(\S+)/m.exec(readSource(workspace, "go.mod").text ?? "")?.[1];
    this.#world = new ImportWorld(paths, module);
  }

  /** The facts of a source, or undefined when the workspace does not have it. */
  find(path: string): FileFacts | undefined {
    if (!this.#facts.has(path)) {
      const facts = this.#world.has(path) ? readFacts(this.#workspace, path) : undefined;
      this.#facts.set(path, facts && { ...facts, links: resolveImports(facts, this.#world) });
    }
    return this.#facts.get(path);
  }

  /** How many sources have the same name in any directory. */
  countNamed(path: string): number {
    return this.#world.findNamed(nameOf(path)).length;
  }

  /** The files that define a name. */
  findDefinitions(name: string, limit = maxFound): FileFacts[] {
    const isDefiner = ({ symbols }: FileFacts) => symbols.some((one) => one.name === name);
    const definition = toDefinition(name);
    const mayDefine = (text: string): boolean => text.includes(name) && definition.test(text);
    return this.#find(mayDefine, isDefiner, limit);
  }

  /** The files that use a name. */
  findReferrers(name: string, limit = maxFound): FileFacts[] {
    const isUser = ({ refs }: FileFacts) => refs.some(([ref]) => ref === name);
    return this.#find((text) => text.includes(name), isUser, limit);
  }

  /** The files that import a file, or the directory it belongs to. */
  findImporters(path: string, limit = maxFound): FileFacts[] {
    const directory = directoryOf(path);
    const stem = nameOf(path).replace(/\.\w+$/, "");
    // Some files are imported by the name of their directory, and from beside them without a name.
    const isEntry = /^(?:index|mod|__init__|lib|main)$/.test(stem) || /\.(?:go|java)$/.test(path);
    const folder = nameOf(directory.slice(0, -1));
    const mayImport = (text: string, from: string): boolean =>
      text.includes(stem) || isEntry && (text.includes(folder) || directoryOf(from) === directory);
    const isImporter = (facts: FileFacts): boolean =>
      facts.path !== path && (facts.links.includes(path) || facts.links.includes(directory));
    return this.#find(mayImport, isImporter, limit);
  }

  /** The sources in a directory, not in those below it. */
  listDirectory(directory: string): FileFacts[] {
    return this.#world.listDirectory(directory).flatMap((path) => this.find(path) ?? []);
  }

  /** Parses the files whose text may be wanted, and returns those that are. */
  #find(
    mayBe: (text: string, path: string) => boolean,
    isWanted: (facts: FileFacts) => boolean,
    limit: number,
  ): FileFacts[] {
    const found: FileFacts[] = [];
    for (const [path, text] of this.#texts) {
      if (found.length >= limit) break;
      const facts = mayBe(text, path) ? this.find(path) : undefined;
      if (facts !== undefined && isWanted(facts)) found.push(facts);
    }
    return found;
  }
}

/**
 * What a definition of a name looks like in any language, and some uses do: after a keyword, at the
 * start of a line, or as a method. Most uses do not, so that their files need no parsing.
 */
function toDefinition(name: string): RegExp {
  const keyword =
    "\\b(?:function|class|interface|enum|type|const|let|var|def|func|fn|struct|trait|union|static|record|macro_rules)\\W{1,4}(?:\\([^)\\n]*\\)\\s*)?";
  const method = "^[ \\t]+(?![^\\n]*\\b(?:new|return|throw|await)\\b)[^\\n=;.\"'(]*";
  return new RegExp(`(?:${keyword}|${method}|^)${RegExp.escape(name)}(?![\\w$])`, "m");
}

export async function readGraph(workspace: string, signal?: AbortSignal): Promise<CodeGraph> {
  const rules = await loadIgnoreRules(workspace);
  const wanted = (path: string): boolean => findLanguage(path) !== undefined;
  const files: { path: string; size: number }[] = [];
  for (const file of walkWorkspace(workspace, { rules, wanted })) {
    files.push(file);
    await breathe(signal);
  }
  files.sort((a, b) => a.path < b.path ? -1 : 1);
  const texts = new Map<string, string>();
  let [bytes, done] = [0, 0];
  for (const { path, size } of files) {
    if (done === maxFiles || bytes > maxBytes) break;
    const { text } = readSource(workspace, path);
    if (text !== undefined) {
      texts.set(path, text);
      bytes += size;
    }
    done++;
    await breathe(signal);
  }
  return new CodeGraph(workspace, {
    texts,
    paths: files.map(({ path }) => path),
    left: files.length - done,
  });
}
