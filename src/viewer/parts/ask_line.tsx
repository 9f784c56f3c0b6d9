// A field with a button, for what a view needs to be told first.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Asks for a line of text; `about` is what it starts with. */
export function AskLine(
  { label, example, button, about = "", onAsk }: {
    label: string;
    example: string;
    button: string;
    about?: string;
    onAsk(typed: string): void;
  },
): JSX.Element {
  const [typed, setTyped] = useState(about);
  useEffect(() => setTyped(about), [about]);
  const ask = (event: Event): void => {
    event.preventDefault();
    onAsk(typed.trim());
  };
  return (
    <form class="ask-line" onSubmit={ask}>
      <input
        type="text"
        data-find
        aria-label={label}
        placeholder={example}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" disabled={typed.trim() === ""}>{button}</button>
    </form>
  );
}
