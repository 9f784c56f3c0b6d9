// What `ctx.state` and `ctx.erasures` answer: all that a sync needs to know of a space.

import * as z from "zod/mini";
import { base64, count, personName, readAnswer, uuid } from "./server_answer.ts";

/** A person in a space. */
export interface RemoteMember {
  name: string;
  owner: boolean;
  /** Missing for the owner, whom nobody invited. */
  inviteKey: Uint8Array | null;
  inviteCert: Uint8Array | null;
  invitedAt: string;
  revokedAt: string | null;
}

/** A store of a member. */
export interface RemoteWriter {
  writer: string;
  /** The member's name. */
  name: string;
  signKey: Uint8Array;
  ageRecipient: string | null;
  /** The invitation by which it joined; a later one of the same name has another. */
  inviteKey: Uint8Array | null;
  inviteCert: Uint8Array | null;
  cert: Uint8Array;
  joinedAt: string;
  /** Set when it left or its member was revoked; its rows stay. */
  leftAt: string | null;
  /** The highest seq of its log; 0 when there is nothing. */
  seq: number;
}

/** A key of the space, wrapped for somebody. */
export interface WrappedKey {
  /** A writer's uuid, or `invite:NAME`. */
  holder: string;
  epoch: number;
  wrapped: Uint8Array;
}

/** An erasure that this writer has not confirmed. */
export interface PendingErasure {
  /** The writer and seq of the row that asks for it. */
  eraser: string;
  seq: number;
}

/** An erasure, and who has confirmed it. */
export interface ErasureStatus extends PendingErasure {
  ids: string[];
  ts: string;
  /** Writers that have taken the bytes off their disks. */
  confirmed: string[];
  /** Writers that had joined by then, are still there, and have not. */
  waiting: string[];
}

/** A space, as a member sees it. */
export interface RemoteState {
  /** The version of the schema. */
  version: number;
  space: string;
  encrypted: boolean;
  rootKey: Uint8Array;
  /** The name of the channel on which pushes are told. */
  channel: string;
  /** My name as a member. */
  me: string;
  /** The owner's name. */
  owner: string;
  members: RemoteMember[];
  writers: RemoteWriter[];
  /** Those for me: for this writer, or for an invitation of my name. */
  keys: WrappedKey[];
  erasures: PendingErasure[];
}

const pendingErasure = z.object({ eraser: uuid, seq: count });

const erasureStatus: z.ZodMiniType<ErasureStatus> = z.extend(pendingErasure, {
  ids: z.array(z.string()),
  ts: z.string(),
  confirmed: z.array(uuid),
  waiting: z.array(uuid),
});

/** The server leaves out what is null. */
const base64OrNull = z._default(z.nullable(base64), null);
const textOrNull = z._default(z.nullable(z.string()), null);

const member = z.pipe(
  z.object({
    name: personName,
    owner: z.boolean(),
    invite_key: base64OrNull,
    invite_cert: base64OrNull,
    invited_at: z.string(),
    revoked_at: textOrNull,
  }),
  z.transform((json): RemoteMember => ({
    name: json.name,
    owner: json.owner,
    inviteKey: json.invite_key,
    inviteCert: json.invite_cert,
    invitedAt: json.invited_at,
    revokedAt: json.revoked_at,
  })),
);

const writer = z.pipe(
  z.object({
    // It becomes the name of a file.
    writer: uuid,
    name: personName,
    sign_key: base64,
    age_recipient: textOrNull,
    invite_key: base64OrNull,
    invite_cert: base64OrNull,
    cert: base64,
    joined_at: z.string(),
    left_at: textOrNull,
    seq: count,
  }),
  z.transform((json): RemoteWriter => ({
    writer: json.writer,
    name: json.name,
    signKey: json.sign_key,
    ageRecipient: json.age_recipient,
    inviteKey: json.invite_key,
    inviteCert: json.invite_cert,
    cert: json.cert,
    joinedAt: json.joined_at,
    leftAt: json.left_at,
    seq: json.seq,
  })),
);

const remoteState = z.pipe(
  z.object({
    version: count,
    space: z.string(),
    encrypted: z.boolean(),
    root_key: base64,
    channel: z.string().check(z.regex(/^\w{1,63}$/)),
    me: personName,
    owner: personName,
    members: z.array(member),
    writers: z.array(writer),
    keys: z.array(z.object({ holder: z.string(), epoch: count, wrapped: base64 })),
    erasures: z.array(pendingErasure),
  }),
  z.transform(({ root_key, writers, ...json }, { issues }): RemoteState => {
    const members = new Map(json.members.map((member) => [member.name, member]));
    const complete = (writer: RemoteWriter, at: number): RemoteWriter => {
      const member = members.get(writer.name);
      if (member === undefined) {
        issues.push({ code: "custom", path: ["writers", at, "name"], input: writer.name });
      }
      // Its invitation is told only where it is not its member's.
      const inviteKey = writer.inviteKey ?? member?.inviteKey ?? null;
      return { ...writer, inviteKey, inviteCert: writer.inviteCert ?? member?.inviteCert ?? null };
    };
    return { ...json, rootKey: root_key, writers: writers.map(complete) };
  }),
);

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
