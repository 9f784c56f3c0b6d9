// What a list says that has nothing to show: why, and the one next step.

import type { ComponentChildren, JSX } from "preact";

export function Empty(
  { title, children }: { title: string; children?: ComponentChildren },
): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
    </div>
  );
}
