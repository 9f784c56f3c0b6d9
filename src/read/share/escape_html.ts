// Text as HTML that shows it and does nothing else. Pure.

/** A text for between tags or in quotes. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(unseen, "").replace(special, (sign) => entities[sign]);
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
