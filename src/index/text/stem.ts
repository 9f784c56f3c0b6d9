// Porter's stemmer (M. F. Porter, 1980) for lower-case English words. Own code, because a module
// of this size costs less to load than a dependency. Words with other letters come back unchanged.

const cache = new Map<string, string>();
const cacheLimit = 50_000;

/** The stem of a word: "connections", "connected" and "connecting" all give "connect". */
export function stem(word: string): string {
  if (word.length < 3) return word;
  const known = cache.get(word);
  if (known !== undefined) return known;
  const result = plainWord.test(word) ? porter(word) : word;
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(word, result);
  return result;
}

const plainWord = /^[a-z]+$/;
const doubled = /([^aeiouylsz])\1$/;

/** Suffixes and what replaces them, by the last letter but one: a word is compared with a few. */
type Suffixes = Readonly<Record<string, readonly (readonly [string, string])[]>>;

const suffixes2: Suffixes = {
  a: [["ational", "ate"], ["tional", "tion"]],
  c: [["enci", "ence"], ["anci", "ance"]],
  e: [["izer", "ize"]],
  g: [["logi", "log"]],
  l: [["bli", "ble"], ["alli", "al"], ["entli", "ent"], ["eli", "e"], ["ousli", "ous"]],
  o: [["ization", "ize"], ["ation", "ate"], ["ator", "ate"]],
  s: [["alism", "al"], ["iveness", "ive"], ["fulness", "ful"], ["ousness", "ous"]],
  t: [["aliti", "al"], ["iviti", "ive"], ["biliti", "ble"]],
};
const suffixes3: Suffixes = {
  a: [["ical", "ic"]],
  s: [["ness", ""]],
  t: [["icate", "ic"], ["iciti", "ic"]],
  u: [["ful", ""]],
  v: [["ative", ""]],
  z: [["alize", "al"]],
};
const suffixes4 =
  /^(.+?)(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou)$/;

function porter(input: string): string {
  const startsWithY = input[0] === "y";
  let word = startsWithY ? "Y" + input.slice(1) : input;
  word = plural(word);
  word = pastOrGerund(word);
  word = finalY(word);
  word = replaceSuffix(word, suffixes2);
  word = replaceSuffix(word, suffixes3);
  word = dropSuffix(word);
  word = tidyEnd(word);
  return startsWithY ? "y" + word.slice(1) : word;
}

function plural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pastOrGerund(word: string): string {
  if (word.endsWith("eed")) {
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  }
  const base = word.endsWith("ed")
    ? word.slice(0, -2)
    : word.endsWith("ing")
    ? word.slice(0, -3)
    : undefined;
  if (base === undefined || !hasVowel(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return base + "e";
  if (doubled.test(base)) return base.slice(0, -1);
  return endsShort(base) ? base + "e" : base;
}

/** As in Porter's second version: only after a consonant, so that "deploy" meets "deployment". */
function finalY(word: string): string {
  return /.[^aeiou]y$/.test(word) ? word.slice(0, -1) + "i" : word;
}

function replaceSuffix(word: string, table: Suffixes): string {
  for (const [suffix, replacement] of table[word[word.length - 2]] ?? []) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    return measure(base) > 0 ? base + replacement : word;
  }
  return word;
}

function dropSuffix(word: string): string {
  const match = suffixes4.exec(word);
  if (match) return measure(match[1]) > 1 ? match[1] : word;
  const base = /^(.+?[st])ion$/.exec(word)?.[1];
  return base !== undefined && measure(base) > 1 ? base : word;
}

function tidyEnd(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const base = result.slice(0, -1);
    const times = measure(base);
    if (times > 1 || (times === 1 && !endsShort(base))) result = base;
  }
  if (result.endsWith("ll") && measure(result) > 1) result = result.slice(0, -1);
  return result;
}

/** How often consonants follow vowels. Plain loops: compiling a pattern takes longer than a query. */
function measure(word: string): number {
  let times = 0;
  let afterVowel = false;
  for (let at = 0; at < word.length; at++) {
    const isVowel = isVowelAt(word, at, afterVowel);
    if (afterVowel && !isVowel) times++;
    afterVowel = isVowel;
  }
  return times;
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isVowelAt(word, at, false)) return true;
  return false;
}

/** Consonants, one vowel, and one consonant that is no w, x or y: "hop", "fil". */
function endsShort(word: string): boolean {
  const vowel = word.length - 2;
  if (vowel < 1 || "aeiouwxy".includes(word[vowel + 1])) return false;
  for (let at = 0; at < vowel; at++) if (isVowelAt(word, at, false)) return false;
  return isVowelAt(word, vowel, false);
}

/** "y" is a vowel behind a consonant. */
function isVowelAt(word: string, at: number, afterVowel: boolean): boolean {
  switch (word.charCodeAt(at)) {
    case 97:
    case 101:
    case 105:
    case 111:
    case 117:
      return true;
    case 121:
      return at > 0 && !afterVowel;
  }
  return false;
}
