// What the views with a list share: the list itself with its `ctx` command and the entry beside it, its
// rows, and the buttons that narrow it. All of them keep what they show in the address.

import type { ComponentChildren, JSX } from "preact";
import type { CallError } from "../data/call.ts";
import { hrefOf, type Params, setParams, useRoute } from "../data/route.ts";
import { EntryPane } from "./entry_pane.tsx";
import { Failure } from "./failure.tsx";
import { ShellLine } from "./shell_line.tsx";

/**
 * A list with the command that prints the same, and the open entry beside it unless something else is;
 * `hint` is beside it while nothing is open, where there is room.
 */
export function ListPane(
  { label, line, beside, hint, children }: {
    label: string;
    line?: string | false;
    beside?: ComponentChildren;
    hint?: ComponentChildren;
    children: ComponentChildren;
  },
): JSX.Element {
  const id = useRoute().params.get("id");
  const pane = id ? <EntryPane id={id} /> : beside;
  return (
    <div class={pane ? "panes open" : hint ? "panes beside" : "panes"}>
      <section class="list" aria-label={label}>
        {children}
        {line && <ShellLine line={line} />}
      </section>
      {pane ?? hint}
    </div>
  );
}

/** How many rows there are, and what went wrong. */
export function ListStatus(
  { isAsking, error, children }: {
    isAsking: boolean;
    error?: CallError;
    children: ComponentChildren;
  },
): JSX.Element {
  return (
    <>
      <p class="count" role="status" aria-busy={isAsking}>{children}</p>
      <Failure error={error} />
    </>
  );
}

/** A row that opens its entry, or whatever else `sets` names, beside the list. */
export function RowLink(
  { sets, isOpen, children }: { sets: Params; isOpen?: boolean; children: ComponentChildren },
): JSX.Element {
  const { view, params } = useRoute();
  return (
    <a
      data-row
      href={hrefOf(view, { ...Object.fromEntries(params), ...sets })}
      aria-current={isOpen ? "true" : undefined}
    >
      {children}
    </a>
  );
}

/** A button that changes what is shown; pressed while that is the case. */
export function Choice(
  { sets, isOn, title, children }: {
    sets: Params;
    isOn: boolean;
    title?: string;
    children: ComponentChildren;
  },
): JSX.Element {
  return (
    <button type="button" title={title} aria-pressed={isOn} onClick={() => setParams(sets)}>
      {children}
    </button>
  );
}
