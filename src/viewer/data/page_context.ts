// What every part of the page can use: facts about the server, notices and actions.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { CommandName, InputOf } from "./call.ts";
import type { Facts } from "./received.ts";

/** What a component can do beside showing. */
export interface PageContext {
  facts: Facts;
  /** Says something for a moment. */
  tell(message: string): void;
  /**
   * Runs a command that changes the store: asks where the command wants that, says what was done, and
   * offers to take it back. False when the person said no or it failed.
   */
  act<N extends CommandName>(name: N, input: InputOf<N>, done: string): Promise<boolean>;
}

const context = createContext<PageContext | undefined>(undefined);

/** Provides the context to the components below. */
export const PageProvider = context.Provider;

export function usePage(): PageContext {
  const page = useContext(context);
  if (page === undefined) throw new Error("Cannot use the page outside of it");
  return page;
}
