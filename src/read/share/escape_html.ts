// Text as HTML that shows it and does nothing else. Pure.

/** A text for between tags or in quotes. */
export function escapeHtml(text: string): string {
  return withoutUnseen(text).replace(special, (sign) => entities[sign]);
}

/** A text without what a reader cannot see, and what shows it in another order. */
export function withoutUnseen(text: string): string {
  return text.toWellFormed().replace(unseen, "");
}

const special = /[&<>"'`]/g;
const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};
/** Colours of terminals, control characters, and what turns the direction of a text. */
const unseen =
  // deno-lint-ignore no-control-regex
  /\x1b\[[\d;?]{0,32}[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;
