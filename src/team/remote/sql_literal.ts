// Values as SQL writes them. Statements go out whole, in one round trip: with parameters the client
// library would first ask the server for their types.

/** A text, or null. Backslashes are written so that no setting of the server changes their meaning. */
export function textLiteral(value: string | null): string {
  if (value === null) return "null";
  if (value.includes("\0")) throw new RangeError("a text with a zero byte has no place in SQL");
  const quoted = value.replaceAll("'", "''");
  return quoted.includes("\\") ? ` E'${quoted.replaceAll("\\", "\\\\")}'` : `'${quoted}'`;
}

export function bytesLiteral(value: Uint8Array): string {
  return `decode('${value.toHex()}', 'hex')`;
}

export function integerLiteral(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number: ${value}`);
  return String(value);
}

/** A uuid; anything else is refused before it comes near a statement. */
export function uuidLiteral(value: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) {
    throw new RangeError(`not a uuid: ${value.slice(0, 40)}`);
  }
  return `'${value}'::uuid`;
}

/** A list of values that are SQL already, of a type such as `text`. */
export function arrayLiteral(values: readonly string[], type: string): string {
  return `array[${values.join(",")}]::${type}[]`;
}

/** A name such as a role's. */
export function identifier(name: string): string {
  if (name.includes("\0")) throw new RangeError("a name with a zero byte has no place in SQL");
  return `"${name.replaceAll('"', '""')}"`;
}
