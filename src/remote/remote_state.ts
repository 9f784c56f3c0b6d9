// What `ctx.state` answers: all that a sync needs to know of a space.

import { CtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";

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

/** The version of the schema, which every answer has: the rest may be of a later form. */
export function readStateVersion(answer: unknown): number {
  return whole(toJson(answer).version);
}

/** Reads the answer of `ctx.state`. Nothing in it is believed, and nothing is taken for what it is not. */
export function toRemoteState(answer: unknown): RemoteState {
  const json = toJson(answer);
  const members = list(json.members).map(toMember);
  const byName = new Map(members.map((member) => [member.name, member]));
  return {
    version: whole(json.version),
    space: text(json.space),
    encrypted: yesOrNo(json.encrypted),
    rootKey: bytes(json.root_key),
    channel: text(json.channel, /^\w{1,63}$/),
    me: text(json.me, printable),
    owner: text(json.owner, printable),
    members,
    writers: list(json.writers).map((writer) => toWriter(writer, byName)),
    keys: list(json.keys).map((key) => ({
      holder: text(key.holder),
      epoch: whole(key.epoch),
      wrapped: bytes(key.wrapped),
    })),
    erasures: list(json.erasures).map(toPending),
  };
}

/** Reads the answer of `ctx.erasures`. */
export function toErasureStatus(answer: unknown): ErasureStatus[] {
  const texts = (value: unknown, form?: RegExp): string[] =>
    Array.isArray(value) ? value.map((item) => text(item, form)) : refuse();
  return list(answer).map((json) => ({
    ...toPending(json),
    ids: texts(json.ids),
    ts: text(json.ts),
    confirmed: texts(json.confirmed, uuid),
    waiting: texts(json.waiting, uuid),
  }));
}

function toPending(json: Json): PendingErasure {
  return { eraser: text(json.eraser, uuid), seq: whole(json.seq) };
}

function toMember(json: Json): RemoteMember {
  return {
    name: text(json.name, printable),
    owner: yesOrNo(json.owner),
    inviteKey: orNull(json.invite_key, bytes),
    inviteCert: orNull(json.invite_cert, bytes),
    invitedAt: text(json.invited_at),
    revokedAt: orNull(json.revoked_at, text),
  };
}

/** Its invitation is told only where it is not its member's. */
function toWriter(json: Json, members: ReadonlyMap<string, RemoteMember>): RemoteWriter {
  const name = text(json.name, printable);
  const member = members.get(name) ?? refuse();
  return {
    // It becomes the name of a file.
    writer: text(json.writer, uuid),
    name,
    signKey: bytes(json.sign_key),
    ageRecipient: orNull(json.age_recipient, text),
    inviteKey: orNull(json.invite_key, bytes) ?? member.inviteKey,
    inviteCert: orNull(json.invite_cert, bytes) ?? member.inviteCert,
    cert: bytes(json.cert),
    joinedAt: text(json.joined_at),
    leftAt: orNull(json.left_at, text),
    seq: whole(json.seq),
  };
}

type Json = Record<string, unknown>;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A name stands in lines and on terminals: nothing that controls them, and no space. */
const printable = /^[^\p{C}\p{Z}]{1,63}$/u;

function toJson(value: unknown): Json {
  return isObject(value) ? value : refuse();
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(toJson) : refuse();
}

function text(value: unknown, form?: RegExp): string {
  return typeof value === "string" && (form?.test(value) ?? true) ? value : refuse();
}

function whole(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : refuse();
}

function yesOrNo(value: unknown): boolean {
  return typeof value === "boolean" ? value : refuse();
}

function bytes(value: unknown): Uint8Array {
  try {
    return Uint8Array.fromBase64(text(value));
  } catch {
    return refuse();
  }
}

function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}

function refuse(): never {
  throw new CtxError("REMOTE_UNTRUSTED", "Cannot read the server's answer: it is not one of ctx", {
    hint: "ask whoever runs the server; nothing was taken in",
  });
}
