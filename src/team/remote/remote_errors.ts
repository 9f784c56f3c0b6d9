// What a server or the way to it says → our errors. Only the server's own message is passed on: its
// details can hold values of rows.

import { CtxError } from "../../core/errors.ts";

/** Turns what the client library throws into one of our errors; `place` is told, never a password. */
export function toRemoteError(thrown: unknown, place: string): CtxError {
  if (thrown instanceof CtxError) return thrown;
  const { code = "", message = "", severity } = thrown as ServerError;
  if (severity !== undefined) return fromServer(code, message, place, thrown);
  if (isCertificateError(code, message)) {
    return new CtxError(
      "REMOTE_UNTRUSTED",
      `Cannot trust ${place}: its certificate is ${certificateFault(code, message)}`,
      {
        hint:
          "have the server's certificate fixed, or name its authority with sslrootcert=FILE in the URL",
        cause: thrown,
      },
    );
  }
  return new CtxError("REMOTE_UNREACHABLE", `Cannot reach ${place}: ${wayFault(code, message)}`, {
    hint: unreachableHint,
    cause: thrown,
  });
}

/** The refusal of a login for which no password was found: the server says that it was wrong. */
export function noPasswordError(place: string, cause: CtxError): CtxError {
  return new CtxError("REMOTE_DENIED", `Cannot sign in to ${place}: no password was found`, {
    hint: "put it in ~/.pgpass, PGPASSWORD or the URL (postgres://USER:PASSWORD@HOST/…)",
    cause,
  });
}

/** The refusal of a schema that a newer ctx has made. */
export function tooNewError(theirs: number, ours: number): CtxError {
  return new CtxError(
    "REMOTE_TOO_NEW",
    `Cannot use the space: its schema has version ${theirs}, and this version of ctx supports ${ours}`,
    { hint: "ctx upgrade" },
  );
}

/** The refusal of a schema that lacks what this ctx needs. */
export function tooOldError(theirs: number, ours: number): CtxError {
  return new CtxError(
    "REMOTE_TOO_OLD",
    `Cannot use the space: its schema has version ${theirs}, and this version of ctx needs ${ours}`,
    { hint: "the owner of the schema runs ctx team init once" },
  );
}

/** The message about a space that is not there, or not ours: which of the two is not told. */
export function unknownSpaceError(place: string, cause?: unknown): CtxError {
  return new CtxError(
    "NOT_FOUND",
    `Cannot open the space on ${place}: it does not exist, or you are not a member`,
    {
      hint: "check the name of the space, or ask its owner for an invitation (ctx team invite)",
      cause,
    },
  );
}

/** True whether it is the first try or the thousandth. */
const unreachableHint =
  "nothing is lost: try again when the server is up; if it is, check the host and port in the URL";

interface ServerError {
  code?: string;
  message?: string;
  severity?: string;
}

function fromServer(code: string, message: string, place: string, cause: unknown): CtxError {
  const fail = (kind: CtxError["code"], text: string, hint: string): CtxError =>
    new CtxError(kind, text, { hint, cause });
  // A limit of the server's files shows as an error without a class of its own.
  const isFull = code === "XX000" && /^could not (extend|write)/.test(message);
  switch (isFull ? "53100" : code) {
    case "28P01":
    case "28000":
      return fail(
        "REMOTE_DENIED",
        `Cannot sign in to ${place}: ${message}`,
        "check the server's URL, PGPASSFILE or PGPASSWORD; if you were removed from the space or lost your invitation, ask the owner for a new one",
      );
    case "3D000":
      return fail(
        "NOT_FOUND",
        `Cannot connect to ${place}: ${message}`,
        "check the database name in the URL",
      );
    case "3F000":
    case "42P01":
    case "42883":
      return fail(
        "NOT_FOUND",
        `Cannot find ctx's tables on ${place}: ${message}`,
        "the owner of the database runs ctx team init once",
      );
    case "XC001":
      return unknownSpaceError(place, cause);
    case "42501":
      if (message.endsWith("schema ctx")) return unknownSpaceError(place, cause);
      return fail(
        "REMOTE_DENIED",
        `Cannot do this on ${place}: ${message}`,
        "ask the owner of the space",
      );
    case "XC002":
    case "XC004":
    case "XC005":
      return fail(
        "REMOTE_DENIED",
        `Cannot do this on ${place}: ${message}`,
        "ctx team members shows who the owner is",
      );
    case "XC003":
      return fail(
        "USAGE",
        `Cannot do this on ${place}: ${message}`,
        "choose another name; ctx team members lists those in use",
      );
    case "XC008":
      return fail(
        "REMOTE_DENIED",
        `Cannot join on ${place}: ${message}`,
        "run ctx team leave in workspaces that no longer need the space",
      );
    case "55P03":
      return fail(
        "REMOTE_FAILED",
        `Cannot finish on ${place}: another member's open transaction is locking these rows`,
        "nothing was changed; try again, or end it: the owner revokes the member, or the database's administrator ends the session",
      );
    case "XC006":
    case "XC007":
      return fail(
        "NOT_FOUND",
        `Cannot do this on ${place}: ${message}`,
        "ctx team members lists the members",
      );
    case "23514":
    case "22P02":
      return fail(
        "USAGE",
        `Cannot do this on ${place}: ${message}`,
        "use letters, digits, '.', '_' and '-' in names",
      );
    case "53100":
    case "53400":
    case "58030":
      return fail(
        "REMOTE_FAILED",
        `Cannot write to ${place}: its disk or a quota is full (${message})`,
        "nothing was written; free space on the server, then run ctx sync again",
      );
    case "57014":
      return fail(
        "REMOTE_FAILED",
        `Cannot finish on ${place}: ${message}`,
        "nothing was written; raise statement_timeout for this role, or try again when the server is less busy",
      );
    case "25006":
      return fail(
        "REMOTE_FAILED",
        `Cannot write to ${place}: ${message}`,
        "the server is a standby or read-only: use the URL of the primary",
      );
  }
  if (code === "57P01" || code === "57P02" || code === "57P03" || code === "53300") {
    return fail(
      "REMOTE_UNREACHABLE",
      `Cannot reach ${place}: ${message}`,
      unreachableHint,
    );
  }
  return fail(
    "REMOTE_FAILED",
    `Cannot continue with ${place}: ${message} (${code})`,
    "nothing was left half done; try again, and check the server's log if it fails again",
  );
}

function isCertificateError(code: string, message: string): boolean {
  return /certificate|CERT_|TLS|SSL|handshake/i.test(`${code} ${message}`);
}

function certificateFault(code: string, message: string): string {
  const text = `${code} ${message}`;
  if (/expired/i.test(text)) return "expired";
  if (/NotValidForName|ALTNAME|not valid for name/i.test(text)) return "for another host";
  if (/UnknownIssuer|SELF_SIGNED|UNABLE_TO/i.test(text)) return "from an unknown authority";
  return `not acceptable (${message})`;
}

function wayFault(code: string, message: string): string {
  return (Object.hasOwn(wayFaults, code) ? wayFaults[code] : message) || code;
}

const lost = "the connection was lost";
const wayFaults: Record<string, string> = {
  ECONNREFUSED: "connection refused; nothing is listening there",
  ENOENT: "no such socket",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "unknown host",
  CONNECT_TIMEOUT: "no response in time",
  ETIMEDOUT: "no response in time",
  CONNECTION_CLOSED: lost,
  CONNECTION_ENDED: lost,
  CONNECTION_DESTROYED: lost,
  ECONNRESET: lost,
  EPIPE: lost,
};
