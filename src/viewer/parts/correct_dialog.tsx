// Corrects an entry, its title or its text: a new one takes its place with all else that it had, the
// old one stays in the log.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePage } from "../data/page_context.ts";
import { Dialog } from "./dialog.tsx";

/** What is corrected. */
export interface Corrected {
  id: string;
  text: string;
  title?: string;
}

/** Asks for what holds now. */
export function CorrectDialog(
  { entry, onClose }: { entry: Corrected; onClose(): void },
): JSX.Element {
  const { act } = usePage();
  const { id, text: oldText, title: oldTitle = "" } = entry;
  const [text, setText] = useState(oldText);
  const [title, setTitle] = useState(oldTitle);
  const isSame = text === oldText && title.trim() === oldTitle;
  // A title can be another, not none.
  const isUntitled = title.trim() === "" && oldTitle !== "";
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    // What is left out stays as it is.
    const said = title.trim() === oldTitle ? {} : { title: title.trim() };
    if (await act("edit", { id, text, ...said }, "Corrected")) onClose();
  };
  return (
    <Dialog label="Correct the entry" onClose={onClose} wide>
      <form onSubmit={(event) => void save(event)}>
        <h2>What holds now</h2>
        <label>
          Title
          <input
            type="text"
            maxLength={200}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <textarea
          aria-label="Text"
          data-first
          rows={12}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="actions">
          <button type="submit" disabled={text.trim() === "" || isSame || isUntitled}>
            Save
          </button>
          <button type="button" onClick={onClose}>Cancel</button>
        </p>
      </form>
    </Dialog>
  );
}
