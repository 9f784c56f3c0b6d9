// A failure on the page: what went wrong, and what to do next.

import type { JSX } from "preact";
import type { CallError } from "../data/call.ts";

export function Failure({ error }: { error?: CallError }): JSX.Element | null {
  if (error === undefined) return null;
  return (
    <p class="failure" role="alert">
      {error.message}
      {error.hint && <small>{error.hint}</small>}
    </p>
  );
}
