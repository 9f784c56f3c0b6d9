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
const consonant = "[^aeiou]";
const vowel = "[aeiouy]";
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;
const measureOver0 = new RegExp(`^(?:${consonants})?${vowels}${consonants}`);
const measureIs1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`);
const measureOver1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const hasVowel = new RegExp(`^(?:${consonants})?${vowel}`);
const endsShort = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`);
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
    return measureOver0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  }
  const base = word.endsWith("ed")
    ? word.slice(0, -2)
    : word.endsWith("ing")
    ? word.slice(0, -3)
    : undefined;
  if (base === undefined || !hasVowel.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return base + "e";
  if (doubled.test(base)) return base.slice(0, -1);
  return endsShort.test(base) ? base + "e" : base;
}

/** As in Porter's second version: only after a consonant, so that "deploy" meets "deployment". */
function finalY(word: string): string {
  return /.[^aeiou]y$/.test(word) ? word.slice(0, -1) + "i" : word;
}

function replaceSuffix(word: string, table: Suffixes): string {
  for (const [suffix, replacement] of table[word[word.length - 2]] ?? []) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    return measureOver0.test(base) ? base + replacement : word;
  }
  return word;
}

function dropSuffix(word: string): string {
  const match = suffixes4.exec(word);
  if (match) return measureOver1.test(match[1]) ? match[1] : word;
  const base = /^(.+?[st])ion$/.exec(word)?.[1];
  return base !== undefined && measureOver1.test(base) ? base : word;
}

function tidyEnd(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const base = result.slice(0, -1);
    if (measureOver1.test(base) || (measureIs1.test(base) && !endsShort.test(base))) result = base;
  }
  if (result.endsWith("ll") && measureOver1.test(result)) result = result.slice(0, -1);
  return result;
}
