// WordPiece: greedy longest match of a word's beginning, `##` on what continues it. A word with no
// match gives nothing.

const maxWordChars = 40;
const han = /([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])/g;
const keptWords = 50_000;

/** A vocabulary of word pieces. */
export class WordPieces {
  readonly #ids = new Map<string, number>();
  readonly #known = new Map<string, number[]>();

  /** Takes one piece a line, in the order of their ids. */
  constructor(vocabulary: string, size: number) {
    let start = 0;
    for (let id = 0; id < size; id++) {
      const end = vocabulary.indexOf("\n", start);
      this.#ids.set(vocabulary.slice(start, end < 0 ? undefined : end), id);
      if (end < 0) break;
      start = end + 1;
    }
  }

  /** The ids of a text's pieces, at most `limit`. */
  idsOf(text: string, limit: number): number[] {
    const ids: number[] = [];
    for (const [word] of normalizeWords(text).matchAll(/[\p{L}\p{N}]+/gu)) {
      for (const id of this.#piecesOf(word)) ids.push(id);
      if (ids.length >= limit) return ids.slice(0, limit);
    }
    return ids;
  }

  #piecesOf(word: string): number[] {
    const known = this.#known.get(word);
    if (known) return known;
    const ids = this.#split(word);
    if (this.#known.size >= keptWords) this.#known.clear();
    this.#known.set(word, ids);
    return ids;
  }

  #split(word: string): number[] {
    const characters = [...word];
    if (characters.length > maxWordChars) return [];
    const ids: number[] = [];
    let start = 0;
    while (start < characters.length) {
      let end = characters.length;
      let id: number | undefined;
      while (end > start) {
        const piece = (start > 0 ? "##" : "") + characters.slice(start, end).join("");
        id = this.#ids.get(piece);
        if (id !== undefined) break;
        end--;
      }
      if (id === undefined) return [];
      ids.push(id);
      start = end;
    }
    return ids;
  }
}

/** camelCase taken apart, lower case, diacritics dropped, Han characters apart. */
function normalizeWords(text: string): string {
  // Longer texts cannot matter: 512 pieces are fewer than 20,000 characters of anything sensible.
  const lower = text.slice(0, 20_000).replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2").toLowerCase();
  if (!/[\u0080-\uffff]/.test(lower)) return lower;
  return lower.normalize("NFD").replace(/\p{Mn}/gu, "").replace(han, " $1 ");
}
