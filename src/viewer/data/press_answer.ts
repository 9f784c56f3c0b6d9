// Keys that answer a row of a list, as its buttons do.

/** Presses a button of the row that has the focus, or of the first one that has it. */
export function pressAnswer(answer: string): boolean | void {
  const row = document.activeElement?.closest("li") ?? document;
  const button = row.querySelector<HTMLButtonElement>(`[data-answer="${answer}"]`);
  if (button === null) return false;
  button.click();
}
