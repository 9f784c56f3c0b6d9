// What `quality` holds against each other: ctx by words and as people use it, plain BM25 with both usual
// settings and both usual ways to cut words, and MiniSearch.

import MiniSearch from "minisearch";
import { stem } from "../../src/index/text/stem.ts";
import { stopWords } from "../../src/index/text/tokenize.ts";
import type { JudgedGroup } from "./judged_sets.ts";
import { type Find, openSearch } from "./open_store.ts";
import {
  openPlainBm25,
  type PlainDocument,
  type PlainOptions,
  plainWords,
  stemmedWords,
} from "./plain_bm25.ts";

/** What ranks: a name, and how it is opened on a group of rows. */
export interface Engine {
  name: string;
  /** Whether it may answer that there is nothing. */
  refuses?: boolean;
  open: (group: JudgedGroup) => Find;
}

/** The engine that people use, which the others are held against. */
export const ownEngine: Engine = {
  name: "ctx, default",
  refuses: true,
  open: ({ workspace }) => openSearch(workspace, "auto"),
};

/** All of them. */
export const engines: readonly Engine[] = [
  ownEngine,
  {
    name: "ctx, words",
    refuses: true,
    open: ({ workspace }) => openSearch(workspace, "lexical"),
  },
  {
    name: "ctx, exchanges by their best rows",
    refuses: true,
    open: ({ workspace }) => openSearch(workspace, "auto", "exchange"),
  },
  plain("lower-case words", { tokenize: plainWords }),
  plain("lower-case words", { tokenize: plainWords, k1: 0.9, b: 0.4 }),
  plain("Porter, stop words", { tokenize: stemmedWords }),
  plain("Porter, stop words", { tokenize: stemmedWords, k1: 0.9, b: 0.4 }),
  {
    name: "MiniSearch 7.2, Porter, stop words",
    open: ({ readDocuments }) => openMiniSearch(readDocuments()),
  },
];

function plain(words: string, options: PlainOptions): Engine {
  const { k1 = 1.2, b = 0.75 } = options;
  return {
    name: `BM25 k1 ${k1} b ${b}, ${words}`,
    open: ({ readDocuments }) => openPlainBm25(readDocuments(), options),
  };
}

/** MiniSearch with words as the other engines have them; everything else as it ships. */
export function openMiniSearch(documents: readonly PlainDocument[]): Find {
  const engine = new MiniSearch<PlainDocument>({
    fields: ["text"],
    processTerm: (term) => {
      const word = term.toLowerCase();
      return word === "" || stopWords.has(word) ? null : stem(word);
    },
  });
  engine.addAll(documents);
  return (query) => engine.search(query).slice(0, 10).map(({ id }) => String(id));
}
