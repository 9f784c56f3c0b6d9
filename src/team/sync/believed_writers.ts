// Whose rows are taken: the writers that the space's root answers for, by the certificates that the
// server hands out and cannot make up. What does not hold is told, and nothing of it is pulled.

import { toBase64Url } from "../trust/base64url.ts";
import { isCertifiedWriter } from "../trust/certificate.ts";
import type { RemoteState, RemoteWriter } from "../remote/remote_state.ts";
import type { TeamMembers, TeamStore } from "../../store/team/team_log.ts";

/** A writer whose certificates hold. */
export interface BelievedWriter {
  writer: string;
  /** The member it belongs to. */
  name: string;
  owner: boolean;
  publicKey: Uint8Array;
}

/** The writers that are believed, by writer, and what is to be said of the others. */
export interface Believed {
  writers: Map<string, BelievedWriter>;
  faults: string[];
}

/**
 * Checks every writer against the root key that was pinned when this store joined. One that was
 * checked before, and is shown as it was, is believed as it was: a check costs as much as a thousand
 * rows.
 */
export function findBelieved(
  { space, writers }: RemoteState,
  { rootKey, before }: { rootKey: Uint8Array; before?: TeamMembers },
): Believed {
  const believed: Believed = { writers: new Map(), faults: [] };
  const faults: Fault[] = [];
  const counts = new Map<string, number>();
  const isSameRoot = before?.root_key === toBase64Url(rootKey);
  const known = new Map(before?.writers.map((item) => [item.writer, item]));
  for (const item of writers) {
    const { writer, name, signKey } = item;
    const seen = known.get(writer);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count > maxStores) {
      faults.push({ name, writer, why: "count" });
      continue;
    }
    const by = isSameRoot && seen?.by !== undefined && isAsSeen(seen, item)
      ? seen.by
      : findCertifier(item, { space, rootKey });
    if (by === undefined) faults.push({ name, writer, why: "certificate" });
    else if (seen !== undefined && seen.sign_key !== toBase64Url(signKey)) {
      faults.push({ name, writer, why: "key" });
    } else {
      // Whose invitation there is shows who answers: a file of the workspace makes nobody an owner.
      const owner = item.inviteKey === null || item.inviteCert === null;
      believed.writers.set(writer, { writer, name, owner, publicKey: signKey });
    }
  }
  return { ...believed, faults: describeFaults(faults) };
}

/** As many as the schema takes, twice over; each costs a check of its certificates. */
const maxStores = 2000;

/** A store that is not trusted. */
interface Fault {
  name: string;
  writer: string;
  why: keyof typeof reasons;
}

/** What is said of one store, and of several. */
const reasons = {
  certificate: ["its certificate is invalid", "their certificates are invalid"],
  key: ["its key was replaced", "their keys were replaced"],
  count: [`the member has more than ${maxStores}`, `the member has more than ${maxStores}`],
} as const;

/** One line for each member and reason, however many stores there are. */
function describeFaults(faults: readonly Fault[]): string[] {
  const groups = Map.groupBy(faults, ({ name, why }) => `${name}\0${why}`);
  return [...groups.values()].map(([{ name, writer, why }, ...others]) =>
    others.length === 0
      ? `a store of ${name} (${writer}) is not trusted: ${reasons[why][0]}`
      : `${others.length + 1} stores of ${name} are not trusted: ${reasons[why][1]}`
  );
}

/** Who answers for a writer: the root itself, for the owner's stores, or an invitation of the root's. */
function findCertifier(
  { writer, name, signKey, ageRecipient, inviteKey, inviteCert, cert }: RemoteWriter,
  { space, rootKey }: { space: string; rootKey: Uint8Array },
): "root" | "invite" | undefined {
  const claim = { space, name, writer, signKey, ageRecipient: ageRecipient ?? "" };
  if (inviteKey === null || inviteCert === null) {
    return isCertifiedWriter(claim, { cert, rootKey }) ? "root" : undefined;
  }
  const invite = { inviteKey, cert: inviteCert };
  return isCertifiedWriter(claim, { cert, invite, rootKey }) ? "invite" : undefined;
}

function isAsSeen({ by: _by, left_at: _left, ...seen }: TeamStore, item: RemoteWriter): boolean {
  const { left_at: _now, ...now } = toTeamStore(item);
  return JSON.stringify(seen) === JSON.stringify(now);
}

/** Who is in the space, as it is kept beside others' rows; keys stay as they were first seen. */
export function toMembers(
  { space, rootKey, members, writers }: RemoteState,
  { believed, before }: { believed: Believed["writers"]; before?: TeamMembers },
): TeamMembers {
  const known = new Map(before?.writers.map((item) => [item.writer, item]));
  return {
    version: 1,
    space,
    root_key: toBase64Url(rootKey),
    members: members.map(({ name, owner, revokedAt }) => ({
      name,
      owner,
      ...(revokedAt === null ? {} : { revoked_at: revokedAt }),
    })),
    // Any number of stores can be made up: those that were never believed are not kept.
    writers: writers.flatMap((item) => {
      const author = believed.get(item.writer);
      if (author === undefined) return known.get(item.writer) ?? [];
      return { ...toTeamStore(item), by: author.owner ? "root" : "invite" };
    }),
  };
}

function toTeamStore(item: RemoteWriter): TeamStore {
  return {
    writer: item.writer,
    name: item.name,
    sign_key: toBase64Url(item.signKey),
    cert: toBase64Url(item.cert),
    ...(item.inviteKey === null ? {} : { invite_key: toBase64Url(item.inviteKey) }),
    ...(item.inviteCert === null ? {} : { invite_cert: toBase64Url(item.inviteCert) }),
    ...(item.ageRecipient === null ? {} : { age_recipient: item.ageRecipient }),
    ...(item.leftAt === null ? {} : { left_at: item.leftAt }),
  };
}
