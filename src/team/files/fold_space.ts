// Who is in a space and what is to be erased, by what its writers say in their files. The same files
// give the same answer, in whatever order they came. What the owner alone may say counts only from
// stores that the root key itself answers for.

import { findBase64Url } from "../trust/base64url.ts";
import { isCertifiedInvite, isCertifiedWriter } from "../trust/certificate.ts";
import type { ErasureStatus, RemoteState, RemoteWriter } from "../remote/remote_state.ts";
import type { SpaceEvent } from "./space_event.ts";
import type { SpaceClaim } from "./space_file.ts";
import { cutView, findJoin, type Said, type WriterView } from "./writer_view.ts";

/** Somebody's word that ids are to lose their bodies. */
export interface ErasureWord {
  eraser: string;
  /** The name of the member who asks. */
  name: string;
  /** Whether it is the space's owner, who may erase what others wrote. */
  owner: boolean;
  seq: number;
  /** The eraser's file that has it. */
  number: number;
  ts: string;
  ids: string[];
}

/** A store, as its files show it. */
export interface FoldedWriter extends RemoteWriter {
  /** Whether the root key answers for it, by itself or through an invitation. */
  certified: boolean;
  /** Whether the root key itself does. */
  owner: boolean;
  view: WriterView;
  /** How far it saw others' files when it joined. */
  seen: Record<string, number>;
}

/** A space, put together from its files. */
export interface FoldedSpace {
  members: RemoteState["members"];
  writers: Map<string, FoldedWriter>;
  /** The writers that the root key answers for, also those of whom nothing counts any more. */
  trusted: ReadonlySet<string>;
  /** Invitations that count no more. */
  cancelled: ReadonlySet<string>;
  erasures: ErasureWord[];
  /** By eraser and seq: who has confirmed. */
  confirmed: Map<string, Set<string>>;
  keys: RemoteState["keys"];
}

/** Puts a space together. */
export function foldSpace(
  about: SpaceClaim,
  views: ReadonlyMap<string, WriterView>,
): FoldedSpace {
  const all = [...views].map(([writer, view]) => toWriter(about, writer, view))
    .filter((item) => item !== undefined);
  const invites = foldInvites(about, all);
  const writers = new Map(
    all.map((item) => cutOff(item, invites)).filter(({ view }) => view.number > 0)
      .map((item) => [item.writer, item]),
  );
  const certified = [...writers.values()].filter((item) => item.certified);
  for (const { item, event, ts } of wordsOf(certified, "leave")) {
    const gone = writers.get(event.writer);
    if (gone !== undefined && (item.owner || item.name === gone.name)) gone.leftAt ??= ts;
  }
  return {
    members: toMembers(about, certified, invites),
    writers,
    trusted: new Set(all.filter((item) => item.certified).map(({ writer }) => writer)),
    cancelled: invites.cancelled,
    erasures: wordsOf(certified, "erase")
      .map(({ item: { writer, name, owner }, event: { seq, ids }, number, ts }) => ({
        ...{ eraser: writer, name, owner, seq, number, ts, ids },
      }))
      .sort((a, b) =>
        a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : a.eraser < b.eraser ? -1 : a.seq - b.seq
      ),
    confirmed: foldConfirmed(certified),
    keys: wordsOf(certified, "keys").flatMap(({ event }) =>
      event.keys.map(({ holder, epoch, wrapped }) => ({
        ...{ holder, epoch },
        wrapped: findBase64Url(wrapped) ?? new Uint8Array(),
      }))
    ).sort((a, b) => a.epoch - b.epoch),
  };
}

/** Whether the root key answers for a writer, by how it began. */
export function isTrustedWriter(about: SpaceClaim, writer: string, begun: WriterView): boolean {
  return toWriter(about, writer, begun)?.certified === true;
}

/** Whether somebody's word takes a row's body away: its author's, or the owner's. */
export function mayErase(
  { name, owner }: Pick<ErasureWord, "name" | "owner">,
  author: string | undefined,
): boolean {
  return owner || name === author;
}

/** Erasures that a writer has to carry out and has not confirmed. */
export function pendingFor(
  { erasures, confirmed, writers }: FoldedSpace,
  writer: string,
): ErasureWord[] {
  const own = writers.get(writer);
  if (own === undefined) return [];
  return erasures.filter((word) =>
    (own.seen[word.eraser] ?? 0) < word.number && !confirmed.get(keyOf(word))?.has(writer)
  );
}

/** Every erasure, and who has confirmed it. */
export function listErasures(space: FoldedSpace): ErasureStatus[] {
  const { erasures, confirmed, writers } = space;
  const present = [...writers.values()].filter((item) => item.certified && item.leftAt === null);
  return erasures.map((word) => {
    const done = confirmed.get(keyOf(word)) ?? new Set();
    const waiting = present.filter(({ writer, seen }) =>
      !done.has(writer) && (seen[word.eraser] ?? 0) < word.number
    );
    return {
      ...{ eraser: word.eraser, seq: word.seq, ids: word.ids, ts: word.ts },
      confirmed: [...done].sort(),
      waiting: waiting.map(({ writer }) => writer).sort(),
    };
  });
}

/** What writers say of one kind, each with its writer. */
function wordsOf<T extends SpaceEvent["type"]>(
  writers: readonly FoldedWriter[],
  type: T,
): (Omit<Said, "event"> & { item: FoldedWriter; event: Extract<SpaceEvent, { type: T }> })[] {
  const isOf = (event: SpaceEvent): event is Extract<SpaceEvent, { type: T }> =>
    event.type === type;
  return writers.flatMap((item) =>
    item.view.said.flatMap(({ event, number, ts }) =>
      isOf(event) ? [{ item, event, number, ts }] : []
    )
  );
}

function keyOf({ eraser, seq }: { eraser: string; seq: number }): string {
  return `${eraser} ${seq}`;
}

function foldConfirmed(writers: readonly FoldedWriter[]): Map<string, Set<string>> {
  const confirmed = new Map<string, Set<string>>();
  for (const { item, event } of wordsOf(writers, "confirm")) {
    for (const erasure of event.erasures) {
      const done = confirmed.get(keyOf(erasure)) ?? new Set();
      confirmed.set(keyOf(erasure), done.add(item.writer));
    }
  }
  return confirmed;
}

function toWriter(
  { space, rootKey }: SpaceClaim,
  writer: string,
  view: WriterView,
): FoldedWriter | undefined {
  const join = findJoin(view);
  if (join === undefined) return undefined;
  const { name, sign_key, age_recipient, invite_key, invite_cert, cert, seen } = join.event;
  const signKey = findBase64Url(sign_key) ?? new Uint8Array();
  const inviteKey = findBase64Url(invite_key) ?? null;
  const inviteCert = findBase64Url(invite_cert) ?? null;
  const proof = findBase64Url(cert) ?? new Uint8Array();
  const invite = inviteKey === null || inviteCert === null
    ? undefined
    : { inviteKey, cert: inviteCert };
  const claim = { space, name, writer, signKey, ageRecipient: age_recipient ?? "" };
  const certified = isCertifiedWriter(claim, { cert: proof, invite, rootKey });
  return {
    ...{ writer, name, signKey, inviteKey, inviteCert, cert: proof, view, seen, certified },
    ageRecipient: age_recipient ?? null,
    owner: certified && invite === undefined,
    joinedAt: join.ts,
    leftAt: null,
    seq: view.seq,
  };
}

/** Invitations by name, and what the owner said of those that ended. */
interface Invites {
  byName: Map<string, { key: string; cert: Uint8Array; ts: string }[]>;
  cancelled: Set<string>;
  /** Of each invitation that was revoked: when, and how many files of each writer count. */
  revoked: Map<string, { ts: string; until: Record<string, number> }>;
}

function foldInvites({ space, rootKey }: SpaceClaim, all: readonly FoldedWriter[]): Invites {
  const owners = all.filter(({ owner }) => owner);
  const invites: Invites = { byName: new Map(), cancelled: new Set(), revoked: new Map() };
  const add = (name: string, invite: { key: string; cert: Uint8Array; ts: string }): void => {
    const known = invites.byName.get(name) ?? [];
    if (known.some(({ key }) => key === invite.key)) return;
    invites.byName.set(name, [...known, invite]);
  };
  for (const { event, ts } of wordsOf(owners, "invite")) {
    const inviteKey = findBase64Url(event.invite_key) ?? new Uint8Array();
    const cert = findBase64Url(event.invite_cert) ?? new Uint8Array();
    const claim = { space, name: event.name, inviteKey };
    if (!isCertifiedInvite(claim, { cert, rootKey })) continue;
    add(event.name, { key: event.invite_key, cert, ts });
    for (const key of event.cancels) {
      invites.cancelled.add(key);
      invites.revoked.set(key, { ts, until: {} });
    }
  }
  for (const { event, ts } of wordsOf(owners, "revoke")) {
    for (const key of event.invite_keys) {
      invites.cancelled.add(key);
      invites.revoked.set(key, { ts, until: event.until });
    }
  }
  // The owner's own word for an invitation may come later than who joined with it.
  for (const { certified, name, inviteCert, joinedAt, view } of all) {
    const key = findJoin(view)?.event.invite_key;
    if (certified && key !== undefined && inviteCert !== null) {
      add(name, { key, cert: inviteCert, ts: joinedAt });
    }
  }
  return invites;
}

/** Of a store whose invitation was revoked only what the owner had seen by then counts. */
function cutOff(item: FoldedWriter, { revoked }: Invites): FoldedWriter {
  const end = revoked.get(findJoin(item.view)?.event.invite_key ?? "");
  if (end === undefined || item.owner) return item;
  const view = cutView(item.view, end.until[item.writer] ?? 0);
  return { ...item, view, seq: view.seq, leftAt: end.ts };
}

function toMembers(
  { owner }: SpaceClaim,
  certified: readonly FoldedWriter[],
  { byName, cancelled, revoked }: Invites,
): RemoteState["members"] {
  const first = certified.filter((item) => item.owner).map(({ joinedAt }) => joinedAt).sort();
  const members = [...byName].filter(([name]) => name !== owner).map(([name, list]) => {
    const sorted = list.toSorted((a, b) =>
      a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : a.key < b.key ? -1 : 1
    );
    const open = sorted.findLast(({ key }) => !cancelled.has(key));
    const { key, cert, ts } = open ?? sorted[sorted.length - 1];
    return {
      name,
      owner: false,
      inviteKey: findBase64Url(key) ?? null,
      inviteCert: cert,
      invitedAt: ts,
      revokedAt: open === undefined ? revoked.get(key)?.ts ?? ts : null,
    };
  });
  const own = { inviteKey: null, inviteCert: null, invitedAt: first[0] ?? "", revokedAt: null };
  return [...members, { name: owner, owner: true, ...own }]
    .sort((a, b) => a.name < b.name ? -1 : 1);
}
