// What the page does with local days.

import { toLocalDay } from "../../core/time/local_day.ts";

/** A day some days after another, or before it. */
export function addDays(day: string, days: number): string {
  const [year, month, date] = day.split("-").map(Number);
  return toLocalDay(new Date(year, month - 1, date + days).getTime());
}

export function startOf(day: string): number {
  return new Date(`${day}T00:00`).getTime();
}

export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOf(text));
}

export function sayDay(day: string): string {
  return new Date(startOf(day)).toLocaleDateString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  });
}

export function clockOf(time: string | number): string {
  return new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
