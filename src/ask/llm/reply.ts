// A reply of an OpenAI-compatible provider, whole or a piece of a stream. Providers leave out, or fill
// with null, what they like: what is not as it should be counts as not said, and the rest is read.

import * as z from "zod/mini";
import type { TokenUsage } from "./message.ts";

/** A part of a call of a tool; its index tells to which call it belongs. */
export interface ReplyCall {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

export interface ReplyPiece {
  /** Why there is no reply. */
  error?: string;
  usage?: TokenUsage;
  /** Missing when the piece is no part of a completion. */
  choice?: { content: string; calls: ReplyCall[] };
}

const text = z.catch(z.string(), "");
const tokens = z.int().check(z.nonnegative());

const call = z.object({
  index: z.catch(z.optional(z.int()), undefined),
  id: text,
  function: z.object({
    name: text,
    arguments: z.union([
      z.pipe(z.looseObject({}), z.transform((said) => JSON.stringify(said))),
      text,
    ]),
  }),
});

const said = z.object({
  content: text,
  tool_calls: z.catch(z.array(z.catch(z.optional(call), undefined)), []),
});

const choice = z.object({
  delta: z.catch(z.optional(said), undefined),
  message: z.catch(z.optional(said), undefined),
});

const reply = z.object({
  error: z.optional(z.unknown()),
  usage: z.catch(
    z.optional(z.object({ prompt_tokens: tokens, completion_tokens: tokens })),
    undefined,
  ),
  // One answer is asked for.
  choices: z.catch(z.optional(z.tuple([choice], z.unknown())), undefined),
});

const words = z.union([
  z.pipe(z.object({ message: z.string() }), z.transform(({ message }) => message)),
  z.string(),
  z.pipe(z.unknown(), z.transform((error) => JSON.stringify(error))),
]);

/** Reads a piece; of anything else nothing is said. */
export function readReply(piece: unknown): ReplyPiece {
  const { data } = z.safeParse(reply, piece);
  if (data === undefined) return {};
  const { error, usage, choices: [{ delta, message }] = [{}] } = data;
  const told = delta ?? message;
  return {
    ...(error ? { error: z.parse(words, error) } : {}),
    ...(usage === undefined ? {} : {
      usage: {
        input_tokens: usage.prompt_tokens,
        output_tokens: usage.completion_tokens,
        estimated: false,
      },
    }),
    ...(told === undefined ? {} : {
      choice: {
        content: told.content,
        calls: told.tool_calls.flatMap((part, place) =>
          part === undefined ? [] : [{
            // A whole message has each call once, whatever its index says.
            index: delta === undefined ? place : part.index ?? place,
            id: part.id,
            ...part.function,
          }]
        ),
      },
    }),
  };
}
