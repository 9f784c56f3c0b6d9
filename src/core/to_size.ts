// Sizes for people.

/** `317 bytes`, `2.3 MB`, `21.7 MB`, `41 GB`, `317 GB`: three digits suffice. */
export function toSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const shown = value < 9.95 ? value.toFixed(1) : Number(value.toFixed(value < 99.95 ? 1 : 0));
  return `${shown} ${units[unit]}`;
}
