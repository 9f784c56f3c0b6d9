// The order of many hashes, by their upper half in eleven bits at a time, then the few that tie: several
// times faster than comparing them.

/** The numbers of hashes in rising order; those that are the same stay as they were. */
export function radixOrder(high: Uint32Array, low: Uint32Array, count: number): Uint32Array {
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (const shift of [0, 11, 22]) {
    const places = new Uint32Array(2049);
    for (let i = 0; i < count; i++) places[(high[i] >>> shift & 2047) + 1]++;
    for (let i = 1; i < places.length; i++) places[i] += places[i - 1];
    const sorted = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      const i = order[at];
      sorted[places[high[i] >>> shift & 2047]++] = i;
    }
    order = sorted;
  }
  return sortTies(order, high, low);
}

/** Upper halves that are the same have lower ones that differ; mostly it is one hash many times. */
function sortTies(order: Uint32Array, high: Uint32Array, low: Uint32Array): Uint32Array {
  for (let from = 0, to = 0; from < order.length; from = to) {
    for (to = from + 1; to < order.length && high[order[to]] === high[order[from]]; to++);
    if (to - from === 1) continue;
    let differ = false;
    for (let i = from + 1; i < to; i++) differ ||= low[order[i]] !== low[order[from]];
    if (differ) order.subarray(from, to).sort((a, b) => low[a] - low[b] || a - b);
  }
  return order;
}
