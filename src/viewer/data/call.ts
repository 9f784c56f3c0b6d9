// Calls commands on the server. Inputs and answers have the types of the commands, so a page that expects
// something else does not compile.

import * as z from "zod/mini";
import type { Library } from "../../app/library.ts";
import { answer, failure } from "./received.ts";

/** The name of a command, as a method of the library has it (`sessionStart`). */
export type CommandName = Exclude<keyof Library, symbol>;

export type InputOf<N extends CommandName> = NonNullable<Parameters<Library[N]>[0]>;

export type AnswerOf<N extends CommandName> = Awaited<ReturnType<Library[N]>>;

/** An entry as `get` answers it. */
export type ReadEntry = AnswerOf<"get">["results"][number];

/** An error from the server; for commands that need confirmation, with what they would do. */
export class CallError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly planned: unknown;

  constructor(code: string, message: string, more: { hint?: string; planned?: unknown } = {}) {
    super(message);
    this.code = code;
    this.hint = more.hint;
    this.planned = more.planned;
  }
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Confirms what the command would ask. */
  confirm?: boolean;
}

/** A tab may outlive the ctx that served it. */
const reload = { hint: "reload the page" };

/** Runs a command on the server. */
export async function call<N extends CommandName>(
  name: N,
  input: InputOf<N>,
  { signal, confirm }: CallOptions = {},
): Promise<AnswerOf<N>> {
  const path = name.replace(/[A-Z]/g, (letter) => `/${letter.toLowerCase()}`);
  return await receive<AnswerOf<N>>(`api/${path}`, {
    method: "POST",
    body: JSON.stringify(confirm ? { ...input, confirm } : input),
    headers: { "content-type": "application/json" },
    signal,
  });
}

/** Asks the server for an object; what it says instead is an error. */
export async function receive<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, init);
    body = await response.json();
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new CallError("GONE", "ctx ui is no longer running", {
      hint: "start it again in your terminal",
    });
  }
  if (response.ok && z.safeParse(answer, body).success) return body as T;
  const { data } = z.safeParse(failure, body);
  if (data === undefined) {
    throw new CallError("INTERNAL", `Unexpected response from ctx (${response.status})`, reload);
  }
  throw new CallError(data.error.code, data.error.message, {
    ...data.error,
    planned: data.planned,
  });
}
