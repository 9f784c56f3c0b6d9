// Days as people count them: those of this machine's clock, written as 2026-11-16. Pure.

export function toLocalDay(time: string | number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  const year = String(date.getFullYear()).padStart(4, "0");
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
