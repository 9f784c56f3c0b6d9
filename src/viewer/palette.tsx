// The command palette: typing finds views and actions, enter runs the selected one.

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { usePage } from "./data/page_context.ts";
import { goTo, hrefOf } from "./data/route.ts";
import { useFound } from "./data/use_found.ts";
import { Dialog } from "./parts/dialog.tsx";
import { viewList } from "./view_list.ts";

interface Action {
  title: string;
  keys?: string;
  run(): void;
}

/** Lets the user pick an action by name. */
export function Palette({ onClose, onHelp }: { onClose(): void; onHelp(): void }): JSX.Element {
  const { facts, act } = usePage();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const close = (run: () => void) => (): void => {
    onClose();
    run();
  };
  const actions = useMemo<Action[]>(() => [
    ...viewList.map(({ name, title, letter }) => ({
      title: `Go to ${title}`,
      keys: `g ${letter}`,
      run: close(() => goTo(hrefOf(name))),
    })),
    ...(facts.read_only || facts.session ? [] : [{
      title: "Undo last change",
      run: close(() => void act("undo", {}, "Undone")),
    }]),
    { title: "Show keyboard shortcuts", keys: "?", run: onHelp },
  ], []);
  const { rows } = useFound(actions, typed, ({ title }) => title);
  const found = typed.trim() === "" ? rows : [...rows, {
    title: `Search for “${typed}”`,
    run: close(() => goTo(hrefOf("home", { q: typed }))),
  }];
  const chosen = Math.min(at, found.length - 1);
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") found[chosen]?.run();
    else if (step !== 0) setAt((chosen + step + found.length) % Math.max(1, found.length));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Actions" onClose={onClose} wide>
      <input
        type="text"
        role="combobox"
        aria-label="Action"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
        placeholder="Type an action, a view or a search"
        value={typed}
        data-first
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul id="palette" role="listbox" aria-label="Actions">
        {found.map(({ title, keys, run }, i) => (
          <li id={`palette-${i}`} role="option" aria-selected={i === chosen} onClick={run}>
            {title} {keys && <kbd>{keys}</kbd>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
