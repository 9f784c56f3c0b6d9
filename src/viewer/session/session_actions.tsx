// The actions for a session: rename it, replay its edits, hand it to another agent, share it.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { call } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { useKeys } from "../data/page_keys.ts";
import { toCallError } from "../data/use_answer.ts";
import { Dialog } from "../parts/dialog.tsx";
import { saveFile, toFileName } from "../data/save_file.ts";
import { CommandCopy } from "../parts/shell_line.tsx";
import type { Outline } from "./reader_rows.ts";

const forms = [
  { format: "html", title: "Web page", ending: "html", type: "text/html" },
  { format: "markdown", title: "Markdown", ending: "md", type: "text/markdown" },
] as const;
/** Who can continue a session of another; for all others it is Markdown. */
const handedTo = ["claude-code", "codex", "gemini", "opencode", "qwen"] as const;

type Asked = "name" | "share" | "handoff";

export function SessionActions(
  { outline, onReplay }: { outline: Outline; onReplay?(): void },
): JSX.Element {
  const { facts } = usePage();
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const share = (): void => setAsked("share");
  useKeys({ s: share });
  return (
    <div class="actions">
      {!facts.read_only && (
        <button type="button" class="quiet" onClick={() => setAsked("name")}>Rename</button>
      )}
      {onReplay && (
        <button type="button" onClick={onReplay} title="Step through the edits (r)">Replay</button>
      )}
      <button type="button" onClick={() => setAsked("handoff")}>Hand off</button>
      <button type="button" class="primary" title="Save or copy this session (s)" onClick={share}>
        Share
      </button>
      {asked === "name" && <TitleDialog outline={outline} onClose={close} />}
      {asked === "share" && <ShareDialog outline={outline} onClose={close} />}
      {asked === "handoff" && <HandoffDialog outline={outline} onClose={close} />}
    </div>
  );
}

interface DialogProps {
  outline: Outline;
  onClose(): void;
}

/** The session as a file or as text, without its secrets. */
function ShareDialog({ outline, onClose }: DialogProps): JSX.Element {
  const { tell } = usePage();
  const share = async (
    { format, ending, type }: typeof forms[number],
    isCopied = false,
  ): Promise<void> => {
    try {
      const { text = "" } = await call("export", { format, session: outline.session_id });
      if (isCopied) {
        await navigator.clipboard.writeText(text);
        tell("Copied, with secrets removed");
      } else {
        const name = `${toFileName(outline.title) || outline.session_id}.${ending}`;
        saveFile(name, text, type);
        tell(`Saved as ${name}, with secrets removed`);
      }
      onClose();
    } catch (error) {
      const { message, hint } = toCallError(error);
      tell(hint ? `${message} (${hint})` : message);
    }
  };
  return (
    <Dialog label="Share this session" onClose={onClose}>
      <h2>Share this session</h2>
      <p>
        Secrets are removed. Read it before you send it: it contains what you typed and what your
        tools printed.
      </p>
      <p class="actions">
        {forms.map((form) => (
          <button
            key={form.ending}
            type="button"
            class={form === forms[0] ? "primary" : undefined}
            data-first={form === forms[0] || undefined}
            onClick={() => void share(form)}
          >
            Save as {form.title}
          </button>
        ))}
        <button type="button" onClick={() => void share(forms[1], true)}>Copy Markdown</button>
        <button type="button" onClick={onClose}>Cancel</button>
      </p>
    </Dialog>
  );
}

/** The page starts no programs: the command for each agent, to run in a terminal. */
function HandoffDialog({ outline, onClose }: DialogProps): JSX.Element {
  const { source, session_id } = outline;
  return (
    <Dialog label="Continue in another agent" onClose={onClose} wide>
      <h2>Continue in another agent</h2>
      <p>
        Run one of these in your terminal. It writes the session where that agent looks for it, with
        secrets removed, and prints the command that resumes it.
      </p>
      <dl class="handoff">
        {handedTo.map((to, i) => (
          <div key={to}>
            <dt>{to}{to === source && " (where it came from)"}</dt>
            <dd>
              <CommandCopy
                line={toCommandLine("handoff", [session_id], { to })}
                label={`Copy the command for ${to}`}
                isFirst={i === 0}
              />
            </dd>
          </div>
        ))}
        <div>
          <dt>any other, as Markdown</dt>
          <dd>
            <CommandCopy
              line={toCommandLine("handoff", [session_id], { to: "markdown" })}
              label="Copy the command for Markdown"
            />
          </dd>
        </div>
      </dl>
      <p class="actions">
        <button type="button" onClick={onClose}>Close</button>
      </p>
    </Dialog>
  );
}

function TitleDialog({ outline, onClose }: DialogProps): JSX.Element {
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
