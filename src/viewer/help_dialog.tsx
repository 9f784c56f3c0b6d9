// The keyboard shortcuts of the page.

import type { JSX } from "preact";
import { pageKeys } from "./data/page_keys.ts";
import { Dialog } from "./parts/dialog.tsx";
import { viewList } from "./view_list.ts";

/** Lists every shortcut. */
export function HelpDialog({ onClose }: { onClose(): void }): JSX.Element {
  const views = viewList.map(({ letter, title }) => ({ keys: `g ${letter}`, about: title }));
  return (
    <Dialog label="Keyboard shortcuts" onClose={onClose} wide>
      <h2>Keyboard shortcuts</h2>
      <dl class="keys">
        {[...pageKeys, ...views].map(({ keys, about }) => (
          <div>
            <dt>
              <kbd>{keys.replace("mod+", "Ctrl/⌘ ")}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <p class="actions">
        <button type="button" data-first onClick={onClose}>Close</button>
      </p>
    </Dialog>
  );
}
