// An invitation as text: the address to connect with, and behind `#ctx=` what the one who joins needs
// to be believed and to believe. It is a secret: no error shows any of it.

import { CtxError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import { findUtf8 } from "../../core/utf8.ts";
import { findBase64Url, toBase64Url } from "./base64url.ts";
import { isCertifiedInvite } from "./certificate.ts";
import { exportSignKey, findSignKey, publicKeyBytes, type SignKey } from "./keys.ts";

export interface Invitation {
  /** The address of the space; of a database with name and password. */
  url: string;
  space: string;
  name: string;
  /** Signs the keys of the writer that joins. */
  invite: SignKey;
  /** The public root key of the space, by which its members are believed. */
  rootKey: Uint8Array;
  /** The root's signature of space, name and the invitation's key. */
  cert: Uint8Array;
  /** The root key itself, for another machine of the owner. */
  root?: SignKey;
  /** In an encrypted space: the identity that its keys are wrapped for until somebody joined. */
  age?: string;
}

const mark = "#ctx=";

/** The invitation as one line of text. */
export function formatInvitation(invitation: Invitation): string {
  const { url, space, name, invite, rootKey, cert, root, age } = invitation;
  const rest = {
    space,
    name,
    invite: exportSignKey(invite),
    root: toBase64Url(rootKey),
    cert: toBase64Url(cert),
    ...(root === undefined ? {} : { owner: exportSignKey(root) }),
    ...(age === undefined ? {} : { age }),
  };
  return url + mark + toBase64Url(new TextEncoder().encode(JSON.stringify(rest)));
}

/** Reads an invitation; throws USAGE, which tells what is wrong and never what it says. */
export function parseInvitation(text: string): Invitation {
  const line = text.trim();
  const at = line.indexOf(mark);
  if (at < 0) throw refuse(`it has no "${mark}" part`);
  const url = line.slice(0, at);
  if (!/^(postgres(ql)?|file|ssh|sftp|s3):\/\//.test(url)) {
    throw refuse("it does not begin with the address of a space");
  }
  const rest = findJson(line.slice(at + mark.length));
  if (!rest) throw refuse("it is cut off or was changed");
  const { space, name, age } = rest;
  if (typeof space !== "string" || typeof name !== "string") {
    throw refuse("the space or the name is missing");
  }
  const invite = typeof rest.invite === "string" ? findSignKey(rest.invite) : undefined;
  const [rootKey, cert] = [findBase64Url(rest.root), findBase64Url(rest.cert)];
  if (!invite || rootKey?.length !== publicKeyBytes || !cert || !isAge(age)) {
    throw refuse("a key in it is damaged");
  }
  const root = rest.owner === undefined ? undefined : findSignKey(String(rest.owner));
  if (rest.owner !== undefined && toBase64Url(root?.publicKey ?? invite.publicKey) !== rest.root) {
    throw refuse("a key in it is damaged");
  }
  if (!isCertifiedInvite({ space, name, inviteKey: invite.publicKey }, { cert, rootKey })) {
    throw refuse("it is not signed by the owner of the space");
  }
  return {
    ...{ url, space, name, invite, rootKey, cert },
    ...(root === undefined ? {} : { root }),
    ...(age === undefined ? {} : { age }),
  };
}

function isAge(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string" && value.startsWith("AGE-SECRET-KEY-1");
}

function findJson(text: string): Record<string, unknown> | undefined {
  const bytes = findBase64Url(text);
  try {
    const value = JSON.parse(bytes && findUtf8(bytes) || "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function refuse(state: string): CtxError {
  return new CtxError("USAGE", `Cannot read the invitation: ${state}`, {
    hint:
      "ask the owner for a new one (ctx team invite NAME), then pass its file: ctx team add --invite FILE",
  });
}
