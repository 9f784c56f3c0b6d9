// Arrays of numbers that grow.

/** Numbers with room for some more: the same ones, or a copy of twice the size. */
export function withRoom<
  T extends Uint8Array | Int8Array | Int32Array | Uint32Array | Float32Array,
>(
  numbers: T,
  count: number,
): T {
  if (count <= numbers.length) return numbers;
  const size = Math.max(count, numbers.length * 2);
  const larger = new (numbers.constructor as new (size: number) => T)(size);
  larger.set(numbers);
  return larger;
}
