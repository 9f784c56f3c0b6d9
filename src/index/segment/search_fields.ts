// The names of what is indexed of a row, apart from the analysis of text: reading a segment needs no
// tokenizer.

/** The fields that are searched for words, in the order of their numbers in the index. */
export const searchFields = ["title", "summary", "text", "files", "tags"] as const;
/** The number of `text` in `searchFields`: the field almost every posting is in. */
export const textField = 2;

/** What a row is, as bits. */
export const rowFlags = { tombstone: 1, thinking: 2, talk: 4 } as const;
