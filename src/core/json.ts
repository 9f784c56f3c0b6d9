// Reading JSON that may not be there: pieces that several layers need when text comes from outside.

/** Whether a parsed value is a plain object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a parsed object; none of anything else. */
export function toFields(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** The value when it is a list, else an empty one. */
export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value of a JSON text, or undefined when it is none. */
export function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where the object that starts at `from` ends, or -1. */
export function findObjectEnd(text: string, from = 0): number {
  let depth = 0;
  let inString = false;
  for (let i = from; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return i + 1;
  }
  return -1;
}
