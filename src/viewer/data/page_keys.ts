// The keys of the page: one table for what they do, the help and the tests. A view may take a key over
// while it is shown (`useKeys`).

import { useLayoutEffect, useRef } from "preact/hooks";

/** What a key is for, as the help says it. */
export interface PageKey {
  /** As people press it: "/", "j", "g s", "mod+k" (Ctrl, or Cmd on a Mac). */
  keys: string;
  about: string;
}

/** Keys that mean the same everywhere; those of views are named by their views. */
export const pageKeys: readonly PageKey[] = [
  { keys: "/", about: "search, or find in this session" },
  { keys: "j", about: "next row" },
  { keys: "k", about: "row before" },
  { keys: "enter", about: "open the row" },
  { keys: "esc", about: "close, leave the field, or the session" },
  { keys: "J", about: "next prompt" },
  { keys: "K", about: "prompt before" },
  { keys: "h", about: "day before, on the timeline" },
  { keys: "l", about: "next day, on the timeline" },
  { keys: "n", about: "next place of what is found in a session; N: the one before" },
  { keys: "e", about: "show how scores came about" },
  { keys: "r", about: "run the open trace again and compare" },
  { keys: "p", about: "pin the open entry, or take the pin away" },
  { keys: "x", about: "forget the open entry" },
  { keys: "c", about: "correct the open entry" },
  { keys: "u", about: "say that the suggested item was used" },
  { keys: "d", about: "say that it was of no use" },
  { keys: "v", about: "show what is given as it is sent" },
  { keys: "o", about: "say that the open entry still holds, though its code moved" },
  { keys: "y", about: "copy the ctx command for what is shown" },
  { keys: "mod+k", about: "every action and view by its name" },
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
