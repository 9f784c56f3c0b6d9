// What tells the vectors of the embedder inside the product from others, without reading its table: who
// only counts what is missing does not open it. A test compares it with the table.

/** The fingerprint of the local embedder. */
export const localFingerprint = "97005ffc41479ba1";
