// Keys by hash, each with the records that have it, as arrays of numbers: the form in which a table
// keeps its keys, so that a table can be read, merged with what is new and written again without
// making a string of any key. Pure.

/** A posting is the number of a record; above these bits is the small number of its key. */
export const idBits = 24;
export const idMask = (1 << idBits) - 1;
/** The words of a key: both halves of its hash, its first posting and how many there are. */
export const entryWords = 4;

/** Keys in order of their hash. */
export interface PostingRun {
  keys: Uint32Array;
  postings: Uint32Array;
  texts: KeyTexts;
}

/** A short text for each key of a run, empty for most kinds; `ends` are places in `bytes`. */
export interface KeyTexts {
  bytes: Uint8Array;
  ends: Uint32Array;
}

/** The run without keys. */
export const emptyRun: PostingRun = {
  keys: new Uint32Array(0),
  postings: new Uint32Array(0),
  texts: { bytes: new Uint8Array(0), ends: new Uint32Array(0) },
};

/** What becomes of a run in a merge. */
export interface MergeInput {
  run: PostingRun;
  /** The new number of each record, rising, or -1 for one that goes; all stay as they are without. */
  renumber?: Int32Array;
}

/**
 * Merges two runs; a key without records is left out, and so are those that `drops` names by their
 * hash. A record that has a key in both runs has it once.
 */
export function mergeRuns(
  [a, b]: [MergeInput, MergeInput],
  drops: (high: number, low: number) => boolean = () => false,
): PostingRun {
  const [countA, countB] = [countKeys(a.run), countKeys(b.run)];
  const keys = new Uint32Array((countA + countB) * entryWords);
  const postings = new Uint32Array(a.run.postings.length + b.run.postings.length);
  const bytes = new Uint8Array(a.run.texts.bytes.length + b.run.texts.bytes.length);
  const ends = new Uint32Array(countA + countB);
  const [keysA, keysB] = [a.run.keys, b.run.keys];
  let [i, j, size, used, end] = [0, 0, 0, 0, 0];
  while (i < countA || j < countB) {
    const order = i === countA ? 1 : j === countB ? -1 : compare(keysA, i, keysB, j);
    const [atA, atB] = [order <= 0 ? i++ : -1, order >= 0 ? j++ : -1];
    const { run, at } = atA >= 0 ? { run: a.run, at: atA } : { run: b.run, at: atB };
    const high = run.keys[at * entryWords];
    const low = run.keys[at * entryWords + 1];
    if (drops(high, low)) continue;
    const first = used;
    if (atA < 0) used = copyPostings(b, atB, postings, used);
    else if (atB < 0) used = copyPostings(a, atA, postings, used);
    else used = joinPostings([a, b], [atA, atB], postings, used);
    if (used === first) continue;
    const word = size * entryWords;
    keys[word] = high;
    keys[word + 1] = low;
    keys[word + 2] = first;
    keys[word + 3] = used - first;
    const from = at === 0 ? 0 : run.texts.ends[at - 1];
    for (let byte = from; byte < run.texts.ends[at]; byte++) bytes[end++] = run.texts.bytes[byte];
    ends[size++] = end;
  }
  // Copies: a view would hold on to the room that was not needed.
  return {
    keys: keys.slice(0, size * entryWords),
    postings: postings.slice(0, used),
    texts: { bytes: bytes.slice(0, end), ends: ends.slice(0, size) },
  };
}

/** How many keys a run has. */
export function countKeys({ keys }: PostingRun): number {
  return keys.length / entryWords;
}

function compare(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  return a[i * entryWords] - b[j * entryWords] || a[i * entryWords + 1] - b[j * entryWords + 1];
}

function copyPostings(
  { run, renumber }: MergeInput,
  key: number,
  into: Uint32Array,
  at: number,
): number {
  const from = run.keys[key * entryWords + 2];
  const to = from + run.keys[key * entryWords + 3];
  let used = at;
  for (let i = from; i < to; i++) {
    const posting = run.postings[i];
    if (renumber === undefined) {
      into[used++] = posting;
      continue;
    }
    const id = renumber[posting & idMask];
    if (id >= 0) into[used++] = (posting & ~idMask) | id;
  }
  return used;
}

/** The records that have a key in either run, rising. */
function joinPostings(
  [a, b]: [MergeInput, MergeInput],
  [keyA, keyB]: [number, number],
  into: Uint32Array,
  at: number,
): number {
  let i = a.run.keys[keyA * entryWords + 2];
  let j = b.run.keys[keyB * entryWords + 2];
  const [endA, endB] = [
    i + a.run.keys[keyA * entryWords + 3],
    j + b.run.keys[keyB * entryWords + 3],
  ];
  let used = at;
  while (i < endA || j < endB) {
    const idA = i < endA ? numberOf(a, a.run.postings[i]) : Infinity;
    const idB = j < endB ? numberOf(b, b.run.postings[j]) : Infinity;
    if (idA < 0 || idB < 0) {
      if (idA < 0) i++;
      if (idB < 0) j++;
      continue;
    }
    if (idA === idB) j++;
    if (idA <= idB) into[used++] = (a.run.postings[i++] & ~idMask) | idA;
    else into[used++] = (b.run.postings[j++] & ~idMask) | idB;
  }
  return used;
}

function numberOf({ renumber }: MergeInput, posting: number): number {
  const id = posting & idMask;
  return renumber === undefined ? id : renumber[id];
}
