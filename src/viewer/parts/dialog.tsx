// A modal dialog, using the browser's own element.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Shows a dialog as long as it is there. */
export function Dialog(
  { label, onClose, children, wide }: {
    label: string;
    onClose(): void;
    children: ComponentChildren;
    wide?: boolean;
  },
): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { activeElement: before } = document;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus();
    // It is removed without being closed, so the browser does not restore the focus.
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      class={wide ? "wide" : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {children}
    </dialog>
  );
}
