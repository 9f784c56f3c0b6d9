// Asks for confirmation and shows what would happen.

import type { JSX } from "preact";
import { Dialog } from "./dialog.tsx";

export interface Question {
  message: string;
  /** What the command would do, as the server describes it. */
  planned: unknown;
  answer(isMeant: boolean): void;
}

/** Waits for a yes or a no. */
export function AskDialog({ message, planned, answer }: Question): JSX.Element {
  const question = /"(.+)" was not confirmed/s.exec(message)?.[1] ?? message;
  return (
    <Dialog label="Confirm" onClose={() => answer(false)}>
      <p>{question}</p>
      {planned !== undefined && (
        <details>
          <summary>Details</summary>
          <pre tabIndex={0}>{JSON.stringify(planned, null, 2)}</pre>
        </details>
      )}
      <p class="actions">
        <button type="button" class="danger" onClick={() => answer(true)}>Yes</button>
        <button type="button" data-first onClick={() => answer(false)}>No</button>
      </p>
    </Dialog>
  );
}
