// The only token estimator: every count in every result measures the text that is returned. Text is
// split into pieces exactly as o200k_base splits it before merging bytes. How many tokens a piece
// becomes is estimated from small tables, fitted to prose, Markdown, code, ids, paths and output,
// because the tokenizer's own vocabulary would take megabytes. For packs, it is within 3 % of the
// tokenizer (test/core/tokens_test.ts).

/** Kinds of characters. */
const lower = 1;
const upper = 2;
const accent = 3;
const alphabet = 4;
const kana = 5;
const han = 6;
const hangul = 7;
const lastLetter = hangul;
const digit = 8;
const space = 9;
const newline = 10;
const mark = 11;
const symbol = 12;
const none = 13;

const kinds = new Uint8Array(0x2000).fill(alphabet).fill(mark, 0, 0xc0);
kinds.fill(lower, 97, 123).fill(upper, 65, 91).fill(digit, 48, 58).fill(accent, 0xc0, 0x250);
kinds[9] =
  kinds[11] =
  kinds[12] =
  kinds[32] =
  kinds[0xa0] =
    space;
kinds[10] = kinds[13] = newline;

function kindOf(unit: number): number {
  if (unit < 0x2000) return kinds[unit];
  if (unit < 0x3040) return unit < 0x2010 ? space : unit < 0x2060 || unit >= 0x3000 ? mark : symbol;
  if (unit < 0x3100) return kana;
  if (unit < 0xa000) return han;
  if (unit >= 0xac00 && unit < 0xd7b0) return hangul;
  return unit >= 0xff00 ? mark : symbol;
}

/** The tables are texts: a character stands for a number. A plain loop, because every command runs it. */
function readTable(text: string, from: number, step: number): Float32Array {
  const table = new Float32Array(text.length);
  for (let i = 0; i < text.length; i++) table[i] = from + (text.charCodeAt(i) - 35) * step;
  return table;
}

/** The longest word that has its own figure. */
const maxLetters = 14;
/** A word by what stands before it (nothing, a space, a mark), its case and its length. */
const bases = readTable(
  ">?96420//-,).*>?96310..),)-+2>:68::E;:?B1)22<<<;?:5:366/>>9631.,*('%#$>>96410/0-,+,(2?99" +
    "::;>?C8A/Q22=;@4;:7676255;7421..-,)6.29>7654156.1-+62=977;587<52472249:;66496:.;",
  -1.2,
  0.08,
);
/** How pairs of letters change that: those of common words hardly take tokens. */
const pairs = readTable(
  "A>@>D=?AAMA=@>[<@=?=BAE@>KCHHJ?NAAC<F=;8?@O@B?CJPE/IAI?K?NJ@BK>B2O@FT:>>?L9F;PB<J?@@;EBJ" +
    "<??D@ADJA<DAFJ?KAF?@A>?CHHH@C?C?;??>G@BDHM?NTR>C?C@9V>5QA1:?EB@9?=BBCK[8AK?>F9=?MDFO9?AB" +
    "AA:=;F?DWC?JPU@ADJE:APZBD>A>C9;EC==;>99?MO@==;:;?B=:?:Q@F;F9W)?9WDG9IU:H;:;CAEA91999CA@9" +
    "=?0IDKINO=L=8Q?JS9?9J?BB@@@GH0D>B@LQB?>@@@><B?<T@AFQ<?I[ETJ<?>?=9[AM?D@9CYBX???A=FFFAEA@" +
    "BDLG@??BIMAL<B?@@:;GB<>?><>@B>@?><=B;Q@NK=@FJEG9[>5C>BG>BABA9M:9UK>9GF9CD99;I9BJDLLG@9W9" +
    "M9@I>?@=BDCPAA=@@GM@@A?A@F<L@O>C?:=?COAFA9B>B;@>BC=T=Q?AAI@CE?DDNABFA?=@@?AC@D?GB=:D>B<N" +
    "=QL=?@A>9=@=J@P;VG@C;9?9=9@9LFE9E>9ENS7XCE:TABSL@9D?F9GA@@@E9@@VD9COIS:N6W>:9A>9=BBE@9>O" +
    "D9MDL??FL[JK@VD=HWX>CDA@<L>R=[G:=@FPKTC9>FI9MKTILBOTV9I9IA9F",
  -0.9,
  0.04,
);
const maxPairs = 24;
/** What a mark before a word adds, where it is not merged with the word. */
const markOf = new Float32Array(128).fill(0.88);
const marks = '_-./"(`*:\\@#$[<\t';
readTable("=E>KGAUJRP[SJLJD", -0.9, 0.04).forEach((value, i) =>
  markOf[marks.charCodeAt(i)] = value
);
/** Tokens of a word by these sums, in tenths from .5. */
const curve = readTable("#######$$%'')*,-//023344457;;<<>>>BBBBBCDEHJMMU", 1, 0.1);
/** What letters outside of a to z add each, by kind, and a word of another script in all. */
const letterTokens = Float32Array.of(0, 0, 0, 0.55, 0, 0.68, 0.72, 0.66);
/** The same for the letters of an alphabet, by block of 128 characters; of a rare script, a letter is a token. */
const scripts = new Float32Array(64).fill(1).fill(0.33, 18, 27);
for (
  const [block, tokens] of Object.entries({
    7: 0.32, // Greek
    8: 0.23, // Cyrillic
    9: 0.3,
    10: 0.27, // Armenian
    11: 0.36, // Hebrew
    12: 0.29, // Arabic
    13: 0.26,
    28: 0.38, // Thai
    32: 0.47, // Burmese
    33: 0.29, // Georgian
    36: 2.1, // Ethiopic
    37: 2.1,
    38: 2.1,
    47: 0.62, // Khmer
    60: 0.26, // Vietnamese
    61: 0.26,
    63: 0.5, // old Greek
  })
) scripts[Number(block)] = tokens;
const ownScript = Math.fround(0.3);
const inId = 0.35;
/** Letters after a digit are an id's mostly: hardly words, so their number says how many tokens they are. */
const idTokens = Float32Array.of(0, 1, 1.05, 1.88, 2.25, 2.86, 3.41, 3.9, 4.46);
const perIdLetter = 0.56;
const apostrophe = Math.fround(0.34);
/** A run of marks by how often the mark changes in it; each change of a longer one; a symbol. */
const runs = Float32Array.of(1, 1.01, 1.12, 1.25, 1.9, 2.2, 3.2, 3.9);
const perChange = Math.fround(0.6);
const perSymbol = Math.fround(0.1);

/** Runs between the names and values of JSON, which are one token each. */
const joints: ReadonlySet<string> = new Set(
  '":" "," ":{" ":[" "},{" },{" }," ]," "}} });'.split(" "),
);
/** So many times the same mark are one token. */
const maxRun = 16;
/** Of longer texts so many characters stand for the rest. */
const maxCounted = 1 << 20;

/**
 * Where a text's words are, for readers that know them by number: the tokens of each are worked out
 * once. A word here begins and ends where letters, digits and underscores do, and no others may follow.
 */
export interface NumberedWords {
  from: number;
  to: number;
  starts: Int32Array;
  ends: Int32Array;
  numbers: Int32Array;
  /** By twice a number: the tokens of the word alone, then those with a space before it; 0: not known. */
  tokens: Float64Array;
}

/** About how many tokens a language model makes of a text. */
export function countTokens(text: string, words?: NumberedWords): number {
  if (text.length > maxCounted) {
    return Math.round(countTokens(text.slice(0, maxCounted)) * (text.length / maxCounted));
  }
  return Math.round(sumTokens(text, { from: 0, to: text.length, words }));
}

/**
 * The tokens of what begins in a range of a text. All that is added has the precision of 32 bits, so
 * sums have no error, and words may be added up before they are added to others.
 */
function sumTokens(
  text: string,
  { from, to, words }: { from: number; to: number; words?: NumberedWords },
): number {
  const { length } = text;
  let tokens = 0;
  let at = from;
  let kind = kindAt(text, at);
  let word = words?.from ?? 0;
  while (at < to) {
    let end = at + 1;
    let next = kindAt(text, end);
    if (kind <= lastLetter || (next <= lastLetter && kind !== digit && kind !== newline)) {
      // One character other than a digit or a line end belongs to the word after it.
      const start = kind <= lastLetter ? at : end;
      if (words !== undefined) {
        const { starts, ends } = words;
        while (word < words.to && starts[word] < start) word++;
        const isNumbered = start === at || text.charCodeAt(at) === 32;
        // An underscore at its end goes with the marks that follow.
        if (
          isNumbered && word < words.to && starts[word] === start &&
          text.charCodeAt(ends[word] - 1) !== 95
        ) {
          const to = ends[word];
          const slot = words.numbers[word] * 2 + start - at;
          tokens += words.tokens[slot] ||= sumTokens(text, { from: at, to });
          at = to;
          kind = kindAt(text, at);
          continue;
        }
      }
      tokens += wordTokens(text, start, kind <= lastLetter ? none : kind);
      end = wordEnd;
      if (text.charCodeAt(end) === 39 && isShortened(text, end)) {
        while (kindAt(text, ++end) === lower);
        tokens += apostrophe;
      }
      next = kindAt(text, end);
    } else if (kind === digit) {
      tokens += 1;
      if (next === digit && kindAt(text, ++end) === digit) end++;
      next = kindAt(text, end);
    } else if (isMark(kind) || (kind === space && isMark(next))) {
      let changes = kind === space ? 0 : 1;
      let symbols = kind === symbol ? 1 : 0;
      let run = 1;
      for (; isMark(next); next = kindAt(text, ++end)) {
        run = text.charCodeAt(end) === text.charCodeAt(end - 1) ? run + 1 : 1;
        if (run % maxRun === 1) changes++;
        if (next === symbol) symbols++;
      }
      const isJoint = changes > 2 && changes < 6 && joints.has(text.slice(at, end));
      tokens += isJoint ? 1 : (runs[changes] ?? changes * perChange) + symbols * perSymbol;
      while (next === newline) next = kindAt(text, ++end);
    } else {
      // Spaces up to the last line end are one token; the last space goes with what follows.
      let lastLine = kind === newline ? end : 0;
      for (; next === space || next === newline; next = kindAt(text, ++end)) {
        if (next === newline) lastLine = end + 1;
      }
      if (lastLine > 0) end = lastLine;
      else if (end - at > 1 && end < length) end--;
      tokens += 1;
      next = kindAt(text, end);
    }
    at = end;
    kind = next;
  }
  return tokens;
}

/**
 * How large a text may be by this estimate so that it surely fits into a cap: by chance the estimate is
 * off, in short texts by more.
 */
export function roomWithin(cap: number): number {
  return Math.floor(cap * 0.99 - 0.8 * Math.sqrt(cap));
}

function isMark(kind: number): boolean {
  return kind === mark || kind === symbol;
}

function kindAt(text: string, at: number): number {
  if (at >= text.length) return none;
  const unit = text.charCodeAt(at);
  return unit < 0x2000 ? kinds[unit] : kindOf(unit);
}

/** Whether "'s", "'t", "'ll" and the like follow, which belong to the word. */
function isShortened(text: string, at: number): boolean {
  return /^'(?:[stmd]|re|ve|ll)(?![a-z])/.test(text.slice(at, at + 4));
}

/** Where the word that was counted last ends. */
let wordEnd = 0;

/** The tokens of the word that begins at `from`: capitals, then small letters; sets `wordEnd`. */
function wordTokens(text: string, from: number, before: number): number {
  const { length } = text;
  let sum = 0;
  let capitals = 0;
  let others = 0;
  let last = -1;
  let isSmall = false;
  let at = from;
  for (; at < length; at++) {
    const unit = text.charCodeAt(at);
    const kind = unit < 0x2000 ? kinds[unit] : kindOf(unit);
    if (kind > lastLetter) break;
    if (kind > upper) {
      const isCapital = kind <= alphabet && text[at].toLowerCase() !== text[at];
      if (isCapital && isSmall) break;
      isSmall ||= !isCapital;
      others += kind === alphabet ? scripts[unit >> 7] : letterTokens[kind];
      last = -1;
      continue;
    }
    if (kind === lower) isSmall = true;
    else if (isSmall) break;
    else capitals++;
    const letter = (unit | 32) - 97;
    if (last >= 0 && at - from < maxPairs) sum += pairs[last * 26 + letter];
    last = letter;
  }
  wordEnd = at;
  const letters = at - from;
  if (letters === 2) sum = 0;
  if (others > 0 && kindOf(text.charCodeAt(from)) > accent) return ownScript + others;
  const form = capitals === 0
    ? 0
    : letters === 1
    ? 1
    : capitals === letters
    ? 2
    : capitals > 1
    ? 3
    : 1;
  const mark = text.charCodeAt(from - 1);
  const prefix = before === none ? 0 : mark === 32 ? 1 : 2;
  if (prefix === 0 && form === 0 && others === 0 && kinds[mark] === digit) {
    return idTokens[letters] ?? Math.fround(letters * perIdLetter);
  }
  // Stands in every answered question that is sent.
  if (prefix === 1 && letters === 6 && text.startsWith("Chosen", from)) return 2;
  sum += bases[(prefix * 4 + form) * maxLetters + Math.min(letters, maxLetters) - 1];
  if (prefix === 2) sum += markOf[Math.min(mark, 127)];
  if (letters > maxPairs) sum += (letters - maxPairs) * 0.35;
  // Letters before digits are an id's.
  if (letters > 1 && at < length && kinds[text.charCodeAt(at)] === digit) sum += inId;
  const place = Math.max(0, Math.floor((sum - 0.5) * 10) + 1);
  return (place < curve.length ? curve[place] : Math.fround(sum)) + others;
}
