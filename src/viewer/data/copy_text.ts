// Copying a text, and saying whether that worked.

/** Copies a text; browsers may refuse it. */
export function copyText(
  text: string,
  { done, tell }: { done: string; tell(message: string): void },
): void {
  navigator.clipboard.writeText(text).then(
    () => tell(done),
    () => tell("Cannot copy: the browser blocked the clipboard"),
  );
}
