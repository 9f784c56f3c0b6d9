// The terms of a text for telling how alike two texts are: identifiers whole and in parts, in lower
// case, with how often each stands there. Pure.

const identifier = /[A-Za-z_][A-Za-z0-9_]{2,}/g;
const part = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
/** Only the beginning is counted: the rest of a long text rarely changes its topic. */
const maxTermChars = 60_000;
const minLetters = 3;

/** How often each term stands in a text. */
export function countTerms(text: string): Map<string, number> {
  const names = new Map<string, number>();
  for (const name of text.slice(0, maxTermChars).match(identifier) ?? []) {
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  const terms = new Map<string, number>();
  const add = (term: string, count: number): void => {
    terms.set(term, (terms.get(term) ?? 0) + count);
  };
  for (const [name, count] of names) for (const term of termsOfName(name)) add(term, count);
  return terms;
}

function termsOfName(name: string): string[] {
  const parts = name.match(part) ?? [];
  const terms = [name.toLowerCase()];
  if (parts.length < 2) return terms;
  for (const item of parts) if (item.length >= minLetters) terms.push(item.toLowerCase());
  return terms;
}

/** The most frequent terms. */
export function mostFrequent(terms: ReadonlyMap<string, number>, limit: number): string[] {
  return [...terms].sort((a, b) => b[1] - a[1]).slice(0, limit).map(([term]) => term);
}
