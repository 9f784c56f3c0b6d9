// The actions for a session: rename it, or export it to a file.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../data/call.ts";
import { usePage } from "../data/page_context.ts";
import { toCallError } from "../data/use_answer.ts";
import { Dialog } from "../parts/dialog.tsx";
import { saveFile, toFileName } from "../data/save_file.ts";
import type { Outline } from "./reader_rows.ts";

const forms = [
  { format: "markdown", title: "Markdown", ending: "md", type: "text/markdown" },
  { format: "html", title: "HTML", ending: "html", type: "text/html" },
] as const;

export function SessionActions({ outline }: { outline: Outline }): JSX.Element {
  const { facts, tell } = usePage();
  const [isNaming, setNaming] = useState(false);
  const save = async ({ format, ending, type }: typeof forms[number]): Promise<void> => {
    try {
      const { text = "" } = await call("export", { format, session: outline.session_id });
      const name = `${toFileName(outline.title) || outline.session_id}.${ending}`;
      saveFile(name, text, type);
      tell(`Saved as ${name}, with secrets removed`);
    } catch (error) {
      const { message, hint } = toCallError(error);
      tell(hint ? `${message} (${hint})` : message);
    }
  };
  return (
    <div class="actions">
      {!facts.read_only && <button type="button" onClick={() => setNaming(true)}>Rename</button>}
      {forms.map((form) => (
        <button
          type="button"
          onClick={() => void save(form)}
          title={`Download this session as ${form.title}`}
        >
          Export .{form.ending}
        </button>
      ))}
      {isNaming && <TitleDialog outline={outline} onClose={() => setNaming(false)} />}
    </div>
  );
}

function TitleDialog(
  { outline, onClose }: { outline: Outline; onClose(): void },
): JSX.Element {
  const { act } = usePage();
  const [title, setTitle] = useState(outline.title);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const named = { session: outline.session_id, title };
    if (await act("sessionTitle", named, "Renamed")) onClose();
  };
  return (
    <Dialog label="Rename session" onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <label>
          Title
          <input
            type="text"
            data-first
            maxLength={200}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <p class="actions">
          <button type="submit" disabled={title.trim() === "" || title === outline.title}>
            Save
          </button>
          <button type="button" onClick={onClose}>Cancel</button>
        </p>
      </form>
    </Dialog>
  );
}
