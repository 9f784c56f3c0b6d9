// Keyboard shortcuts: one table for the handlers, the help and the tests. A view can take over a key
// while it is shown (`useKeys`).

import { useLayoutEffect, useRef } from "preact/hooks";

/** A key and what it does, as shown in the help. */
export interface PageKey {
  /** As people press it: "/", "j", "g s", "mod+k" (Ctrl, or Cmd on a Mac). */
  keys: string;
  about: string;
}

/** All shortcuts except those that open a view, which are in the list of views. */
export const pageKeys: readonly PageKey[] = [
  { keys: "/", about: "search, or find in this session" },
  { keys: "j", about: "next row" },
  { keys: "k", about: "previous row" },
  { keys: "enter", about: "open the row" },
  { keys: "esc", about: "close, leave the field or the session" },
  { keys: "J", about: "next prompt" },
  { keys: "K", about: "previous prompt" },
  { keys: "h", about: "previous day (timeline)" },
  { keys: "l", about: "next day (timeline); put the line off (review)" },
  {
    keys: "n",
    about: "next match in a session (N: previous match); never send the line again (context)",
  },
  {
    keys: "e",
    about:
      "show how scores are calculated; next edit, E: previous (session); accept the line in your own words (review)",
  },
  {
    keys: "r",
    about: "replay the edits of a session, or the open trace; reject the line (review)",
  },
  { keys: "a", about: "accept the line (review); set to ask (guards)" },
  { keys: "p", about: "pin or unpin the open entry" },
  { keys: "x", about: "forget the open entry" },
  { keys: "c", about: "correct the open entry" },
  { keys: "u", about: "mark the suggested item as used" },
  { keys: "s", about: "share the session; set to shadow (guards)" },
  { keys: "d", about: "dismiss the suggested item; set to deny (guards)" },
  { keys: "v", about: "show the raw text sent to the agent" },
  { keys: "o", about: "confirm that the open entry is still valid after its code changed" },
  { keys: "y", about: "copy the ctx command for this view" },
  { keys: "mod+k", about: "all actions and views" },
  { keys: "?", about: "this help" },
];

/** What pressed keys do; a handler that returns false leaves the key to others. */
export type KeyHandlers = Record<string, (event: KeyboardEvent) => void | boolean>;

const stack: { current: KeyHandlers }[] = [];
let pending = "";
let forgetting: ReturnType<typeof setTimeout> | undefined;

/**
 * Takes keys while the component is shown; the component that came last is asked first, and the frame
 * of the page after all others.
 */
export function useKeys(handlers: KeyHandlers, { isFrame = false } = {}): void {
  const held = useRef(handlers);
  held.current = handlers;
  useLayoutEffect(() => {
    if (stack.length === 0) addEventListener("keydown", press);
    if (isFrame) stack.unshift(held);
    else stack.push(held);
    return () => {
      stack.splice(stack.indexOf(held), 1);
      if (stack.length === 0) removeEventListener("keydown", press);
    };
  }, []);
}

/** The name of a pressed key, as the table has it. */
function nameOf(event: KeyboardEvent): string {
  const key = event.key === "Escape" ? "esc" : event.key === "Enter" ? "enter" : event.key;
  if (event.altKey) return "";
  return event.ctrlKey || event.metaKey ? `mod+${key.toLowerCase()}` : key;
}

function press(event: KeyboardEvent): void {
  const name = nameOf(event);
  if (name === "" || event.isComposing) return;
  const typed = isTyping(event.target) && !name.startsWith("mod+") && name !== "esc";
  // A dialog has keys of its own.
  if (typed || (document.querySelector("dialog[open]") && name !== "mod+k")) return;
  const whole = pending === "" ? name : `${pending} ${name}`;
  pending = "";
  for (const { current } of [...stack].reverse()) {
    const handler = current[whole];
    if (handler === undefined || handler(event) === false) continue;
    event.preventDefault();
    return;
  }
  // "g" waits for the letter of a view.
  if (name === "g") {
    pending = "g";
    clearTimeout(forgetting);
    forgetting = setTimeout(() => pending = "", 1500);
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
