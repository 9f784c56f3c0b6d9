// What a writer says of the space, beside its rows: that it joined, who may join, who is out, keys,
// erasures and who has carried them out. Each holds by itself, in whatever order files come.

import * as z from "zod/mini";
import { count, personName, uuid } from "../remote/server_answer.ts";

/** Bytes, as base64url. */
const key = z.string();
/** How far each writer's files were seen. */
const numbers = z.record(uuid, count);

const join = z.object({
  type: z.literal("join"),
  name: personName,
  sign_key: key,
  age_recipient: z.optional(z.string()),
  /** The invitation that it joined with; the owner's own stores have none. */
  invite_key: z.optional(key),
  invite_cert: z.optional(key),
  cert: key,
  /** What was there by then: erasures before that are not its to confirm. */
  seen: numbers,
});
/** How a writer begins its files. */
export type JoinEvent = z.infer<typeof join>;

const invite = z.object({
  type: z.literal("invite"),
  name: personName,
  invite_key: key,
  invite_cert: key,
  /** Invitations of the same name that end with this one. */
  cancels: z.array(key),
});

const revoke = z.object({
  type: z.literal("revoke"),
  name: personName,
  invite_keys: z.array(key),
  /** How many files of each writer count; of one that is not named, none. */
  until: numbers,
});

const keys = z.object({
  type: z.literal("keys"),
  keys: z.array(z.object({ holder: z.string(), epoch: count, wrapped: z.string() })),
});

const leave = z.object({ type: z.literal("leave"), writer: uuid });

/** A row of this file asks for these ids to lose their bodies. */
const erase = z.object({ type: z.literal("erase"), seq: count, ids: z.array(z.string()) });

const confirm = z.object({
  type: z.literal("confirm"),
  erasures: z.array(z.object({ eraser: uuid, seq: count })),
});

/** Something that a writer says in the header of a file. */
export const spaceEvent = z.discriminatedUnion("type", [
  join,
  invite,
  revoke,
  keys,
  leave,
  erase,
  confirm,
]);
export type SpaceEvent = z.infer<typeof spaceEvent>;
