// A space with members in a database of its own, each with a session.

import { PostgresSpace } from "../../../src/team/remote/postgres_space.ts";
import type { WireRow } from "../../../src/team/trust/wire_row.ts";
import { type PostgresCluster, sharedCluster } from "./postgres.ts";

/** A member with a session, who has joined with one store. */
export interface MadeMember {
  name: string;
  role: string;
  password: string;
  writer: string;
  space: PostgresSpace;
}

/** A space, its owner and its members. */
export interface MadeSpace extends AsyncDisposable {
  cluster: PostgresCluster;
  database: string;
  space: string;
  owner: MadeMember;
  members: MadeMember[];
}

/** Makes a space in a new database, or in one that has the schema already. */
export async function madeSpace(
  names: string[],
  options: { database?: string; space?: string; cluster?: PostgresCluster } = {},
): Promise<MadeSpace> {
  const cluster = options.cluster ?? await sharedCluster();
  const database = options.database ?? await cluster.createDatabase();
  const space = options.space ?? "team";
  const root = await PostgresSpace.connect(await cluster.settings(database), space);
  await root.migrate();
  await root.createSpace({ owner: "owner", rootKey: bytes(1), encrypted: false });
  const owner: MadeMember = {
    name: "owner",
    role: "postgres",
    password: "",
    writer: crypto.randomUUID(),
    space: root,
  };
  await root.join({ writer: owner.writer, signKey: bytes(2), cert: bytes(3) });
  const members: MadeMember[] = [];
  for (const name of names) members.push(await admitMember(root, cluster, database, space, name));
  return {
    cluster,
    database,
    space,
    owner,
    members,
    async [Symbol.asyncDispose]() {
      for (const member of [owner, ...members]) await member.space.close();
    },
  };
}

/** Lets one more in, who joins at once. */
export async function admitMember(
  owner: PostgresSpace,
  cluster: PostgresCluster,
  database: string,
  space: string,
  name: string,
  inviteByte = 4,
): Promise<MadeMember> {
  const { role, password } = await owner.createLogin();
  await owner.admit({ name, role, inviteKey: bytes(inviteByte), inviteCert: bytes(5) });
  const session = await PostgresSpace.connect(
    await cluster.settings(database, role, password),
    space,
  );
  const writer = crypto.randomUUID();
  await session.join({ writer, signKey: bytes(6), ageRecipient: "age1", cert: bytes(7) });
  return { name, role, password, writer, space: session };
}

/** A row of a writer; what its bytes mean is no matter to the server. */
export function madeRow(writer: string, seq: number, id: string, body = "text"): WireRow {
  return {
    writer,
    seq,
    id,
    kind: "entry",
    visibility: "space",
    ts: "2026-03-01T10:00:00.123Z",
    body: new TextEncoder().encode(body),
    sig: new Uint8Array(32).fill(seq % 256),
  };
}

function bytes(value: number): Uint8Array {
  return new Uint8Array(32).fill(value);
}
