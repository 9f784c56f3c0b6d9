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

/** A duration in its largest units: "40 s", "12 min", "2 h 5 min", "3 d 4 h". */
export function sayDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.max(1, Math.round(ms / 1000))} s`;
  const hours = Math.floor(minutes / 60);
  const parts = hours < 1
    ? [[minutes, "min"]]
    : hours < 24
    ? [[hours, "h"], [minutes % 60, "min"]]
    : [[Math.floor(hours / 24), "d"], [hours % 24, "h"]];
  return parts.filter(([count]) => count !== 0).map((part) => part.join(" ")).join(" ");
}

/** "13 Nov 2026, 09:12" */
export function sayTime(time: string | number): string {
  return new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
