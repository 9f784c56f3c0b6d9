// The line of a view that is typed into to find something: `/` goes there.

import type { JSX } from "preact";

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
      {...rest}
    />
  );
}
