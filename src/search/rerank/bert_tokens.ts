// The tokens of BERT's uncased vocabulary, as the model was trained with them: words in lower case
// without accents, punctuation a token each, greedy longest pieces, between [CLS] and [SEP]. Unlike
// src/index/text/word_pieces.ts it keeps punctuation and does not take camelCase apart.

import type { FindPiece } from "../../index/text/piece_lines.ts";

const unknownId = 100;
const startId = 101;
const endId = 102;
const maxWordChars = 100;
/** No token is shorter than a character; longer words than this are one token, and rare. */
const charsPerToken = 16;

/** The ids of a text's first tokens, with those of start and end at most `limit`. */
export function bertTokens(text: string, findId: FindPiece, limit: number): number[] {
  const ids = [startId];
  for (const word of wordsOf(text.slice(0, limit * charsPerToken))) {
    ids.push(...piecesOf(word, findId));
    if (ids.length >= limit) break;
  }
  ids.length = Math.min(ids.length, limit - 1);
  ids.push(endId);
  return ids;
}

/** Words and marks: a run of neither spaces nor punctuation, or one character of punctuation. */
function wordsOf(text: string): IterableIterator<string> {
  const plain = text.replace(/[\0\ufffd]|(?![\t\n\r])\p{C}/gu, "").toLowerCase()
    .normalize("NFD").replace(/\p{Mn}/gu, "");
  return (plain.match(
    /[\p{P}$+<=>^`|~]|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\p{P}$+<=>^`|~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+/gu,
  ) ?? [])
    .values();
}

function piecesOf(word: string, findId: FindPiece): number[] {
  if (word.length > maxWordChars && [...word].length > maxWordChars) return [unknownId];
  const ids: number[] = [];
  for (let start = 0; start < word.length;) {
    let end = word.length;
    let id: number | undefined;
    while (end > start) {
      id = findId(start > 0 ? `##${word.slice(start, end)}` : word.slice(start, end));
      if (id !== undefined) break;
      end--;
    }
    if (id === undefined) return [unknownId];
    ids.push(id);
    start = end;
  }
  return ids;
}
