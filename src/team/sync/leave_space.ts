// Leaves a space: the server is told first, then what belongs to others goes from this disk, then the
// keys. Own history stays as it is.

import { CtxError } from "../../core/errors.ts";
import { listWriters, teamLogOf } from "../../store/team/team_order.ts";
import type { Store } from "../../store/store.ts";
import { readLines } from "../../disk/lines.ts";
import { dropTeam } from "../../store/lifecycle/forget_entries.ts";
import { connectSpace, getIdentity, getMembership, type SyncWorld } from "./open_space.ts";
import { readSecrets, type RemoteSecrets, writeSecrets } from "./secrets_file.ts";

/** What leaving takes off this disk. */
export interface Left {
  space: string;
  writer: string;
  rows: number;
  bytes: number;
  dry_run: boolean;
}

/** Leaves the space of a store, or ends another store of the same member. */
export async function leaveSpace(
  world: SyncWorld,
  { writer, dry_run }: { writer?: string; dry_run: boolean },
): Promise<Left> {
  const { store } = world;
  const own = getMembership(store, "leave");
  const { space } = own;
  const isOwn = writer === undefined || writer === own.writer;
  const size = isOwn ? measure(store) : { rows: 0, bytes: 0 };
  const left = { space, writer: writer ?? own.writer, ...size, dry_run };
  if (dry_run) return left;
  if (!isOwn) {
    const { secrets } = await getIdentity(world, "leave");
    await using remote = await connectSpace(world, secrets);
    await remote.leave(left.writer);
    return left;
  }
  const secrets = readSecrets(world).get(own.writer);
  // A copy, or one whose keys are gone, has nothing to say to the server.
  if (secrets !== undefined) await tellServer(world, { secrets, writer: own.writer });
  await store.write("remote leave", (into) => {
    dropTeam(into);
    into.files.remove(into.layout.remote);
  });
  // Whoever owns the space needs its root key for as long as it is there.
  const kept = secrets?.root === undefined ? undefined : { ...secrets, workspace: "" };
  await writeSecrets(world, own.writer, kept);
  return left;
}

/** Whoever was revoked, has left already or finds no server may still leave here. */
async function tellServer(
  world: SyncWorld,
  { secrets, writer }: { secrets: RemoteSecrets; writer: string },
): Promise<void> {
  try {
    await using remote = await connectSpace(world, secrets);
    await remote.leave(writer);
  } catch (error) {
    if (!(error instanceof CtxError)) throw error;
    world.warn(`could not tell the space that this store has left: ${error.message}`);
  }
}

function measure({ files, layout }: Store): { rows: number; bytes: number } {
  let [rows, bytes] = [0, 0];
  for (const writer of listWriters(files, layout)) {
    const path = teamLogOf(layout, writer);
    bytes += files.findSize(path) ?? 0;
    for (const _line of readLines(files, path)) rows++;
  }
  return { rows, bytes };
}
