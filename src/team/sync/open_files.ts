// A session in a space of files: what this store signs with, and what it knows of the files already.

import { readText } from "../../disk/text_files.ts";
import { toFewNeedles } from "../../store/find.ts";
import type { Store } from "../../store/store.ts";
import { type CarrierWorld, openCarrier } from "../carrier/open_carrier.ts";
import { FileSpace } from "../files/file_space.ts";
import type { RemoteSpace, TakenId } from "../remote/remote_space.ts";
import { parseInvitation } from "../trust/invitation.ts";
import { findSignKey } from "../trust/keys.ts";
import type { RemoteSecrets } from "./secrets_file.ts";

/** What is needed of a command's context. */
interface FilesContext extends CarrierWorld {
  store: Store;
  now: () => number;
}

/** Opens the files of a space; without keys it can only be looked at. */
export async function openFiles(
  { store, files, env, now }: FilesContext,
  { url, space, sign, root, invite }:
    & Pick<RemoteSecrets, "url" | "space">
    & Partial<RemoteSecrets>,
): Promise<RemoteSpace> {
  const invitation = invite === undefined ? undefined : parseInvitation(invite);
  const { carrier, pollMs } = await openCarrier(url, { files, env });
  const path = `${store.layout.team}/files.json`;
  return new FileSpace(carrier, space, {
    key: sign === undefined ? undefined : findSignKey(sign),
    root: root === undefined ? undefined : findSignKey(root),
    ...(invitation === undefined ? {} : {
      invite: {
        name: invitation.name,
        key: invitation.invite.publicKey,
        cert: invitation.cert,
      },
    }),
    ...{ url, now, pollMs },
    memory: {
      read: () => readText(store.files, path),
      write(text) {
        store.files.makeDirectory(store.layout.team);
        store.files.replace(path, new TextEncoder().encode(text), { sync: false });
      },
    },
    findTaken: (ids) => findTaken(store, ids),
  });
}

/** Which of some ids others have pushed, by their rows here. */
function findTaken(store: Store, ids: ReadonlySet<string>): TakenId[] {
  using snapshot = store.openSnapshot();
  const found: TakenId[] = [];
  for (const row of snapshot.rows({ pools: ["team"], needles: toFewNeedles(ids) })) {
    const { entry: { id, seq } } = row;
    const writer = snapshot.writerOf(row);
    if (ids.has(id) && writer !== undefined) found.push({ id, writer, seq: Number(seq) });
  }
  return found;
}
