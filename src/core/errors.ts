// The error model: every failure a user can meet is one of these codes.
// Imports nothing. Codes are append-only: they are part of the contract.

/** What is known of a code: the exit status, whether trying again can help, and what it means. */
export interface ErrorKind {
  /** The exit status of the command line. */
  exit: number;
  /** Whether the same call may succeed later. */
  retryable: boolean;
  /** When it happens. */
  meaning: string;
  /** What to do. */
  remedy: string;
}

/** Every error code with its exit status; `docs/ERRORS.md` is generated from this table. */
export const errorKinds = {
  INTERNAL: {
    exit: 1,
    retryable: false,
    meaning: "A defect in ctx itself.",
    remedy: "Run again with CTX_DEBUG=1 and report the stack trace.",
  },
  USAGE: {
    exit: 2,
    retryable: false,
    meaning: "The command does not accept these arguments or this input.",
    remedy: "Read `ctx COMMAND --help`.",
  },
  CONFIG_INVALID: {
    exit: 2,
    retryable: false,
    meaning: "A configuration file or key has a value that ctx does not accept.",
    remedy: "Run `ctx config list` and correct the key that the message names.",
  },
  NOT_FOUND: {
    exit: 3,
    retryable: false,
    meaning: "No entry, session or key has that name.",
    remedy: "Run `ctx search`, `ctx sessions` or `ctx ls` to find the right one.",
  },
  STORE_MISSING: {
    exit: 3,
    retryable: false,
    meaning: "There is no store in this directory or above it.",
    remedy: "Run `ctx start`, or pass `--workspace DIR`.",
  },
  STORE_LOCKED: {
    exit: 4,
    retryable: true,
    meaning: "Another process is writing; the message names it.",
    remedy: "Try again; raise `lock_timeout_ms` if writers are slow.",
  },
  STORE_CORRUPT: {
    exit: 5,
    retryable: false,
    meaning: "The store is damaged and cannot be repaired automatically.",
    remedy: "Run `ctx doctor`, then `ctx doctor --fix`.",
  },
  STORE_TOO_NEW: {
    exit: 5,
    retryable: false,
    meaning: "A newer version of ctx wrote this store.",
    remedy: "Upgrade ctx. The store was not changed.",
  },
  DISK_FULL: {
    exit: 5,
    retryable: true,
    meaning: "The disk or a size limit is full; the write was rolled back.",
    remedy: "Free some space and run the same command again.",
  },
  PROVIDER_FAILED: {
    exit: 6,
    retryable: true,
    meaning: "A model or embedding provider returned an error.",
    remedy: "Check the provider's status and `ctx config list`.",
  },
  PROVIDER_TIMEOUT: {
    exit: 6,
    retryable: true,
    meaning: "A provider did not respond in time.",
    remedy: "Try again, or raise the timeout in the configuration.",
  },
  PROVIDER_MISSING: {
    exit: 6,
    retryable: false,
    meaning: "The command needs a provider and none is configured.",
    remedy: "Configure one with `ctx config set`.",
  },
  DENIED: {
    exit: 7,
    retryable: false,
    meaning: "The operating system, the sandbox or the configuration does not allow it.",
    remedy: "Read the message: it names the path or key.",
  },
  CHECK_FAILED: {
    exit: 8,
    retryable: false,
    meaning: "The command finished, and at least one check failed.",
    remedy: "See the result for each check that failed.",
  },
  INCOMPLETE: {
    exit: 9,
    retryable: true,
    meaning: "The command finished, but could not read everything.",
    remedy: "See the result for each place and the reason. Fix that and run the command again.",
  },
  UNCONFIRMED: {
    exit: 10,
    retryable: false,
    meaning: "The command deletes something and was not confirmed; nothing was done.",
    remedy: "Answer y at a terminal, or pass `--yes`; over MCP and HTTP, `confirm: true`.",
  },
  REMOTE_UNREACHABLE: {
    exit: 11,
    retryable: true,
    meaning: "The team's server does not respond, or the connection was lost.",
    remedy: "Nothing is lost. Run `ctx sync` again when the server is back.",
  },
  REMOTE_DENIED: {
    exit: 11,
    retryable: false,
    meaning: "The team's server rejected the login, or the login may not do this.",
    remedy: "Read the message, or ask the owner of the space.",
  },
  REMOTE_UNTRUSTED: {
    exit: 11,
    retryable: false,
    meaning: "The certificate of the team's server is not valid; nothing was sent.",
    remedy: "Have the certificate fixed, or name its authority with `sslrootcert=FILE` in the URL.",
  },
  REMOTE_TOO_NEW: {
    exit: 11,
    retryable: false,
    meaning: "A newer version of ctx created the schema on the team's server.",
    remedy: "Upgrade ctx. Nothing was changed.",
  },
  REMOTE_TOO_OLD: {
    exit: 11,
    retryable: false,
    meaning: "The schema on the team's server is too old for this version of ctx.",
    remedy: "The owner of the schema runs `ctx team init` once.",
  },
  REMOTE_FORKED: {
    exit: 11,
    retryable: false,
    meaning: "Two stores use one identity; nothing was pushed.",
    remedy: "Run `ctx team leave` in the copy, then `ctx team add`.",
  },
  REMOTE_FAILED: {
    exit: 11,
    retryable: true,
    meaning:
      "The team's server failed, for example because of a full disk or a time limit; nothing was changed.",
    remedy: "Read the message, fix the server, then run the command again.",
  },
  INTERRUPTED: {
    exit: 130,
    retryable: true,
    meaning: "Interrupted by Ctrl-C or a signal; nothing is left half-written.",
    remedy: "Run the command again.",
  },
} as const satisfies Record<string, ErrorKind>;

/** A code of the table above. */
export type ErrorCode = keyof typeof errorKinds;

/** The exit code of a hook that failed, however: agents take 2 as "stop", and 1 as something to show. */
export const hookFailedExit = 1;

/** The form every surface shows: CLI `--json`, MCP and HTTP. */
export interface ErrorBody {
  /** What kind of failure it is. */
  code: ErrorCode;
  /** What could not be done, and why. */
  message: string;
  /** The next command to run. */
  hint?: string;
  /** Whether the same call may succeed later. */
  retryable: boolean;
}

/** A failure with a code, a message that names action and value, and the next command to run. */
export class CtxError extends Error {
  /** Always `CtxError`. */
  override readonly name = "CtxError";
  /** What kind of failure it is. */
  readonly code: ErrorCode;
  /** The next command to run. */
  readonly hint?: string;

  /** Makes one; the message reads "Cannot ‹do›: ‹state›". */
  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** Turns anything thrown into a CtxError; what is not one already is INTERNAL. */
export function toCtxError(thrown: unknown): CtxError {
  if (thrown instanceof CtxError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof Deno.errors.PermissionDenied) {
    return new CtxError("DENIED", `Cannot continue: ${message}`, {
      hint: "check the permissions of that file or directory and of its parent directories",
      cause: thrown,
    });
  }
  return new CtxError("INTERNAL", `Unexpected error: ${message}`, {
    hint: "run again with CTX_DEBUG=1 and report the stack trace",
    cause: thrown,
  });
}

/** Whether something was not written because it may not be: a store on read-only ground, say. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof CtxError && error.code === "DENIED" && error.cause !== undefined &&
    error.message.startsWith("Cannot write ");
}

/** The refusal of a store that is, or holds, a symbolic link: a clone could aim it at any file. */
export function linkedStoreError(path: string): CtxError {
  return new CtxError("DENIED", `Cannot open the store: "${path}" is a symbolic link`, {
    hint: "move the real directory here, or pass --workspace with the directory it points into",
  });
}

/** Whether a model or an embedder failed, without which much can still be done. */
export function isProviderError(thrown: unknown): thrown is CtxError {
  return thrown instanceof CtxError && thrown.code.startsWith("PROVIDER_");
}

/** A caller's huge value must not come back whole. */
const maxMessageChars = 2000;

/** The public form of an error, without stack or cause. */
export function toErrorBody(error: CtxError): ErrorBody {
  const { message } = error;
  return {
    code: error.code,
    message: message.length > maxMessageChars ? `${message.slice(0, maxMessageChars)}…` : message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    retryable: errorKinds[error.code].retryable,
  };
}

/** Whether something cannot be written here or now: derived data can then be held in memory. */
export function isUnwritable(error: unknown): boolean {
  return error instanceof CtxError && (error.code === "DENIED" || error.code === "DISK_FULL");
}

/** Whether the file, a directory above it, or the target of a link is missing. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.FilesystemLoop ||
    // On Windows, a name that no file can have there, such as one with "*".
    hasCode(error, "ENOENT");
}

/** Whether what should be a file is a directory: on Windows only the code of the error says so. */
export function isDirectoryRead(error: unknown): boolean {
  return error instanceof Deno.errors.IsADirectory || hasCode(error, "EISDIR");
}

/** Whether an error of the system has a code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
