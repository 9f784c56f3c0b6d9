// Corrects the title or text of an entry: a new entry replaces it and keeps everything else; the old
// one stays in the log.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePage } from "../data/page_context.ts";
import { Dialog } from "./dialog.tsx";

export interface Corrected {
  id: string;
  text: string;
  title?: string;
}

/** Asks for the new title and text. */
export function CorrectDialog(
  { entry, onClose }: { entry: Corrected; onClose(): void },
): JSX.Element {
  const { act } = usePage();
  const { id, text: oldText, title: oldTitle = "" } = entry;
  const [text, setText] = useState(oldText);
  const [title, setTitle] = useState(oldTitle);
  const isSame = text === oldText && title.trim() === oldTitle;
  // A title can be changed but not removed.
  const isUntitled = title.trim() === "" && oldTitle !== "";
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    // Fields that are left out stay unchanged.
    const said = title.trim() === oldTitle ? {} : { title: title.trim() };
    if (await act("edit", { id, text, ...said }, "Corrected")) onClose();
  };
  return (
    <Dialog label="Correct this entry" onClose={onClose} wide>
      <form onSubmit={(event) => void save(event)}>
        <h2>Correct this entry</h2>
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
