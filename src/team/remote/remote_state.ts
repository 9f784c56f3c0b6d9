// What `ctx.state` and `ctx.erasures` answer: all that a sync needs to know of a space.

import * as z from "zod/mini";
import { base64, count, personName, readAnswer, uuid } from "./server_answer.ts";

/** `invite_key` as `inviteKey`, for every field. */
type OurNames<T> = {
  [K in keyof T as K extends `${infer A}_${infer B}` ? `${A}${Capitalize<B>}` : K]: T[K];
};

/** An object of the server with our names of its fields. */
function withOurNames<T extends object>(schema: z.ZodMiniType<T>): z.ZodMiniType<OurNames<T>> {
  const toOurs = (name: string): string =>
    name.replace(/_\w/, ([, letter]) => letter.toUpperCase());
  return z.pipe(
    schema,
    z.transform((json: T) =>
      Object.fromEntries(
        Object.entries(json).map(([name, value]) => [toOurs(name), value]),
      ) as OurNames<T>
    ),
  );
}

/** The server leaves out what is null. */
const base64OrNull = z._default(z.nullable(base64), null);
const textOrNull = z._default(z.nullable(z.string()), null);

/** A person in a space; nobody invited its owner. */
const member = withOurNames(z.object({
  name: personName,
  owner: z.boolean(),
  invite_key: base64OrNull,
  invite_cert: base64OrNull,
  invited_at: z.string(),
  revoked_at: textOrNull,
}));

/** A store of a member. */
const writer = withOurNames(z.object({
  // It becomes the name of a file.
  writer: uuid,
  /** The member's name. */
  name: personName,
  sign_key: base64,
  age_recipient: textOrNull,
  /** The invitation by which it joined; a later one of the same name has another. */
  invite_key: base64OrNull,
  invite_cert: base64OrNull,
  cert: base64,
  joined_at: z.string(),
  /** Set when it left or its member was revoked; its rows stay. */
  left_at: textOrNull,
  /** The highest seq of its log; 0 when there is nothing. */
  seq: count,
}));
export type RemoteWriter = z.infer<typeof writer>;

/** A key of the space, wrapped for somebody: the holder is a writer's uuid, or `invite:NAME`. */
const wrappedKey = z.object({ holder: z.string(), epoch: count, wrapped: base64 });
export type WrappedKey = z.infer<typeof wrappedKey>;

/** An erasure that this writer has not confirmed, by the writer and seq of the row that asks for it. */
const pendingErasure = z.object({ eraser: uuid, seq: count });

/** An erasure, and who has confirmed it. */
const erasureStatus = z.extend(pendingErasure, {
  ids: z.array(z.string()),
  ts: z.string(),
  /** Writers that have taken the bytes off their disks. */
  confirmed: z.array(uuid),
  /** Writers that had joined by then, are still there, and have not. */
  waiting: z.array(uuid),
});
export type ErasureStatus = z.infer<typeof erasureStatus>;

/** A space, as a member sees it. */
const remoteState = z.pipe(
  withOurNames(z.object({
    version: count,
    space: z.string(),
    encrypted: z.boolean(),
    root_key: base64,
    /** The name of the channel on which pushes are told. */
    channel: z.string().check(z.regex(/^\w{1,63}$/)),
    /** My name as a member. */
    me: personName,
    owner: personName,
    members: z.array(member),
    writers: z.array(writer),
    /** Those for me: for this writer, or for an invitation of my name. */
    keys: z.array(wrappedKey),
    erasures: z.array(pendingErasure),
  })),
  z.transform(({ writers, ...state }, { issues }) => {
    const members = new Map(state.members.map((member) => [member.name, member]));
    const complete = (writer: RemoteWriter, at: number): RemoteWriter => {
      const member = members.get(writer.name);
      if (member === undefined) {
        issues.push({ code: "custom", path: ["writers", at, "name"], input: writer.name });
      }
      // Its invitation is told only where it is not its member's.
      const inviteKey = writer.inviteKey ?? member?.inviteKey ?? null;
      return { ...writer, inviteKey, inviteCert: writer.inviteCert ?? member?.inviteCert ?? null };
    };
    return { ...state, writers: writers.map(complete) };
  }),
);
export type RemoteState = z.infer<typeof remoteState> & {
  /** What is to be said of the place, such as files that are still on their way. */
  notices?: string[];
  /** Writers who cannot be followed further: what is there next is not what they wrote. */
  broken?: BrokenWriter[];
};

/** Where a writer's data is not the writer's. */
export interface BrokenWriter {
  writer: string;
  /** The first row that may be missing for it. */
  seq: number;
  bytes: Uint8Array;
}

/** The version of the schema, which every answer has: the rest may be of a later form. */
export function readStateVersion(answer: unknown): number {
  return readAnswer(z.object({ version: count }), answer).version;
}

/** Reads the answer of `ctx.state`. Nothing in it is believed, and nothing is taken for what it is not. */
export function toRemoteState(answer: unknown): RemoteState {
  return readAnswer(remoteState, answer);
}

/** Reads the answer of `ctx.erasures`. */
export function toErasureStatus(answer: unknown): ErasureStatus[] {
  return readAnswer(z.array(erasureStatus), answer);
}
