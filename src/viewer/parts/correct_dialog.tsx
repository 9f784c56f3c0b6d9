// Corrects an entry: a new one takes its place, the old one stays in the log.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePage } from "../data/page_context.ts";
import { Dialog } from "./dialog.tsx";

/** What is corrected. */
export interface Corrected {
  id: string;
  type: string;
  text: string;
  title?: string;
}

/** Asks for the text that holds now. */
export function CorrectDialog(
  { entry, onClose }: { entry: Corrected; onClose(): void },
): JSX.Element {
  const { act } = usePage();
  const [text, setText] = useState(entry.text);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const correction = { text, type: entry.type, supersedes: entry.id };
    if (await act("save", correction, "Corrected")) onClose();
  };
  return (
    <Dialog label="Correct the entry" onClose={onClose} wide>
      <form onSubmit={(event) => void save(event)}>
        <h2>What holds now</h2>
        <textarea
          aria-label="Text"
          rows={12}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="actions">
          <button type="submit" disabled={text.trim() === "" || text === entry.text}>Save</button>
          <button type="button" onClick={onClose}>Cancel</button>
        </p>
      </form>
    </Dialog>
  );
}
