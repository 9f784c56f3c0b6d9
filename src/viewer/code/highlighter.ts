// The highlighter: a script of its own (build/viewer.ts), loaded when code is first shown. Turns code
// into pieces of text with what they are; nothing here makes HTML. Pure.

import highlight from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import dart from "highlight.js/lib/languages/dart";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import less from "highlight.js/lib/languages/less";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scala from "highlight.js/lib/languages/scala";
import scss from "highlight.js/lib/languages/scss";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** What a piece of code is, as the style sheet names it. */
export type PieceKind = "comment" | "keyword" | "string" | "number" | "title" | "type" | "name";

/** A piece of a line. */
export interface Piece {
  text: string;
  kind?: PieceKind;
}

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  diff,
  dockerfile,
  elixir,
  go,
  graphql,
  ini,
  java,
  javascript,
  json,
  kotlin,
  less,
  lua,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  scala,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) {
  highlight.registerLanguage(name, language);
}
highlight.registerAliases(["vue", "svelte"], { languageName: "xml" });
highlight.registerAliases(["cfg", "conf", "env", "properties"], { languageName: "ini" });
highlight.registerAliases(["ex", "exs"], { languageName: "elixir" });

/** More text than this takes too long at once. */
const mostChars = 400_000;

const kinds: Record<string, PieceKind> = {
  "attr": "name",
  "attribute": "name",
  "built_in": "type",
  "bullet": "number",
  "class_": "type",
  "code": "string",
  "comment": "comment",
  "doctag": "keyword",
  "keyword": "keyword",
  "link": "string",
  "literal": "number",
  "meta": "comment",
  "name": "title",
  "number": "number",
  "property": "name",
  "quote": "comment",
  "regexp": "string",
  "section": "title",
  "selector-class": "title",
  "selector-id": "title",
  "selector-tag": "keyword",
  "string": "string",
  "symbol": "number",
  "template-variable": "name",
  "title": "title",
  "type": "type",
  "variable": "name",
};

/** The lines of a text in pieces; undefined where its language is not known. */
export function highlightText(text: string, path: string): Piece[][] | undefined {
  const language = findLanguage(path);
  if (language === undefined || text.length > mostChars) return undefined;
  return toLines(highlight.highlight(text, { language, ignoreIllegals: true }).value);
}

function findLanguage(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const whole = name.replace(/^\./, "").replace(/^(dockerfile|makefile)\..*$/, "$1");
  return [name.slice(name.lastIndexOf(".") + 1), whole]
    .find((one) => highlight.getLanguage(one) !== undefined);
}

/** What highlight.js writes, taken apart again: it knows two tags and five entities. */
const token = /<span class="hljs-([^" ]*)[^"]*">|<span[^>]*>|(<\/span>)|&([a-z0-9#]+);|([^<&]+)/g;
const characters: Record<string, string> = {
  "amp": "&",
  "lt": "<",
  "gt": ">",
  "quot": '"',
  "#x27": "'",
};

function toLines(written: string): Piece[][] {
  const open: (PieceKind | undefined)[] = [];
  const lines: Piece[][] = [[]];
  const add = (text: string): void => {
    const kind = open.at(-1);
    const line = lines[lines.length - 1];
    const last = line.at(-1);
    if (last && last.kind === kind) last.text += text;
    else if (text !== "") line.push(kind === undefined ? { text } : { text, kind });
  };
  for (const [tag, name, end, entity, words] of written.matchAll(token)) {
    if (end) open.pop();
    else if (tag.startsWith("<")) open.push(name === "subst" ? undefined : kinds[name]);
    else if (entity) add(characters[entity] ?? tag);
    else {
      const [first, ...rest] = words.split("\n");
      add(first);
      for (const one of rest) {
        lines.push([]);
        add(one);
      }
    }
  }
  return lines;
}
