// What `ctx.state` answers: all that a sync needs to know of a space.

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
  ids: string[];
}

/** An erasure, and who has confirmed it. */
export interface ErasureStatus extends PendingErasure {
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

type Json = Record<string, unknown>;

/** Reads the answer of `ctx.state`. */
export function toRemoteState(answer: unknown): RemoteState {
  const json = answer as Json;
  const members = (json.members as Json[]).map(toMember);
  const byName = new Map(members.map((member) => [member.name, member]));
  return {
    version: json.version as number,
    space: json.space as string,
    encrypted: json.encrypted as boolean,
    rootKey: toBytes(json.root_key)!,
    channel: json.channel as string,
    me: json.me as string,
    owner: json.owner as string,
    members,
    writers: (json.writers as Json[]).map((writer) =>
      toWriter(writer, byName.get(writer.name as string)!)
    ),
    keys: (json.keys as Json[]).map((key) => ({
      holder: key.holder as string,
      epoch: key.epoch as number,
      wrapped: toBytes(key.wrapped)!,
    })),
    erasures: json.erasures as PendingErasure[],
  };
}

function toMember(json: Json): RemoteMember {
  return {
    name: json.name as string,
    owner: json.owner as boolean,
    inviteKey: toBytes(json.invite_key),
    inviteCert: toBytes(json.invite_cert),
    invitedAt: json.invited_at as string,
    revokedAt: json.revoked_at as string | null,
  };
}

/** Its invitation is told only where it is not its member's. */
function toWriter(json: Json, member: RemoteMember): RemoteWriter {
  return {
    writer: json.writer as string,
    name: json.name as string,
    signKey: toBytes(json.sign_key)!,
    ageRecipient: json.age_recipient as string | null,
    inviteKey: toBytes(json.invite_key) ?? member.inviteKey,
    inviteCert: toBytes(json.invite_cert) ?? member.inviteCert,
    cert: toBytes(json.cert)!,
    joinedAt: json.joined_at as string,
    leftAt: json.left_at as string | null,
    seq: json.seq as number,
  };
}

function toBytes(base64: unknown): Uint8Array | null {
  return typeof base64 === "string" ? Uint8Array.fromBase64(base64) : null;
}
