// The line of a view that is typed into to find something: `/` goes there.

import type { JSX, TargetedKeyboardEvent } from "preact";

/** Such a line; `label` is what it is called, and what it shows while it is empty. */
export function FindInput(
  { label, placeholder = label, value, onType, ...rest }: {
    label: string;
    placeholder?: string;
    value: string;
    onType: (typed: string) => void;
    disabled?: boolean;
    onKeyDown?: (event: KeyboardEvent) => void;
  },
): JSX.Element {
  return (
    <input
      type="search"
      data-find
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={(event) => onType(event.currentTarget.value)}
      onKeyDown={goToRow}
      {...rest}
    />
  );
}

/** From the line into the list below it: down to its first row; enter opens that where nothing else does. */
function goToRow(event: TargetedKeyboardEvent<HTMLInputElement>): void {
  const { form, value } = event.currentTarget;
  const opens = event.key === "Enter" && form === null && value.trim() !== "";
  // Enter that ends a composition only takes what an input method offers.
  if (event.isComposing || (!opens && event.key !== "ArrowDown")) return;
  const first = event.currentTarget.closest("section")?.querySelector<HTMLElement>("[data-row]");
  event.preventDefault();
  first?.focus();
  if (opens) first?.click();
}
