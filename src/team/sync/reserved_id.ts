// Ids on the server that could be foreseen: of a place that is filled, of an entry that is taken back.
// They name their writer, and the schema lets no other use them: whoever took one first could keep an
// erasure from coming in.

/** The id of such a row on the server. */
export function reservedId(writer: string, id: string): string {
  return `~${writer}~${id}`;
}

/** The id of a row as the store that pushed it knows it. */
export function localId(id: string): string {
  return id.replace(/^~[0-9a-f-]{36}~/, "");
}

/** Whether an entry's own id could be taken for one. */
export function isReserved(id: string): boolean {
  return id.startsWith("~");
}
