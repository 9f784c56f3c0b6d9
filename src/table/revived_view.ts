// How forget and purge tell that older facts count again.

/** A line that names the entries, and how to forget them as well; empty when there are none. */
export function renderRevived(revived: readonly string[], willForget: boolean): string {
  if (revived.length === 0) return "";
  const shown = revived.slice(0, 5);
  const names = `${shown.join(", ")}${revived.length > shown.length ? ", …" : ""}`;
  const verb = willForget ? "would count again" : "counts again";
  return `What was corrected ${verb}: ${names}\nForget it as well: ctx forget ${shown.join(" ")}\n`;
}
