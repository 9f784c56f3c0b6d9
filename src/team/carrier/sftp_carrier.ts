// A directory on a machine that is reached over SSH. A new file is written beside its name and then
// renamed, which fails where there is one: whole or not at all.

import { Buffer } from "node:buffer";
import { CtxError } from "../../core/errors.ts";
import {
  draftOf,
  type FileCarrier,
  maxFileBytes,
  readBounded,
  strangeError,
  tooLargeError,
} from "./file_carrier.ts";
import type { SshLogin } from "./ssh_login.ts";

/** What we use of the client library. */
interface Sftp {
  readdir(path: string, done: Done<{ filename: string; attrs: Attributes }[]>): void;
  stat(path: string, done: Done<Attributes>): void;
  lstat(path: string, done: Done<Attributes>): void;
  createReadStream(path: string, options: { end: number }): AsyncIterable<Uint8Array> & {
    on(event: "error", listener: () => void): void;
  };
  writeFile(path: string, bytes: unknown, options: { flag: string }, done: Done<void>): void;
  rename(from: string, to: string, done: Done<void>): void;
  ext_openssh_rename(from: string, to: string, done: Done<void>): void;
  unlink(path: string, done: Done<void>): void;
  mkdir(path: string, done: Done<void>): void;
}
type Done<T> = (error: SftpError | undefined | null, value: T) => void;

interface Attributes {
  size: number;
  isDirectory(): boolean;
  isFile(): boolean;
}

interface SftpError extends Error {
  /** The status of the protocol, or the name of a fault of the network. */
  code?: number | string;
  level?: string;
}

interface Client {
  on(event: "ready" | "close", listener: () => void): Client;
  on(event: "error", listener: (error: SftpError) => void): Client;
  connect(options: object): void;
  sftp(done: Done<Sftp>): void;
  end(): void;
}

const noSuchFile = 2;
const signInMs = 15_000;
/** A server that answers nothing for three of these is taken as gone. */
const aliveMs = 20_000;

/** Signs in to a server and opens a directory there. */
export async function openSftp(login: SshLogin): Promise<FileCarrier> {
  const place = placeOf(login);
  if (login.hostKeys.length === 0) throw unknownHost(login);
  const client = await signIn(login, place);
  const sftp = await ask<Sftp>(place, (done) => client.sftp(done));
  const at = (path: string): string => `${login.directory}/${path}`;
  const find = async <T>(run: (done: Done<T>) => void): Promise<T | undefined> =>
    await ask<T | undefined>(
      place,
      (done) =>
        run((error, value) =>
          error?.code === noSuchFile ? done(null, undefined) : done(error, value)
        ),
    );
  const makeFolder = async (path: string): Promise<void> => {
    if (path === "" || await find<Attributes>((done) => sftp.stat(path, done)) !== undefined) {
      return;
    }
    await makeFolder(path.replace(/\/?[^/]*$/, ""));
    // Another store may make it at the same moment.
    await ask<void>(place, (done) => sftp.mkdir(path, done)).catch((error) =>
      find<Attributes>((done) => sftp.stat(path, done)).then((there) => {
        if (there === undefined) throw error;
      })
    );
  };
  const isThere = async (path: string): Promise<boolean> =>
    await find<Attributes>((done) => sftp.lstat(at(path), done)) !== undefined;
  const checked = new Set<string>();
  /** Throws where a link is in the place of a folder: others may write there, and it leads to what is not theirs. */
  const checkFolder = async (folder: string): Promise<void> => {
    if (folder === "" || checked.has(folder)) return;
    await checkFolder(folder.replace(/\/?[^/]*$/, ""));
    const there = await find<Attributes>((done) => sftp.lstat(at(folder), done));
    if (there?.isDirectory() === false) throw strangeError(folder, place);
    if (there !== undefined) checked.add(folder);
  };
  const checkAround = async (path: string): Promise<void> =>
    await checkFolder(path.replace(/\/?[^/]*$/, ""));
  const draft = async (path: string, bytes: Uint8Array): Promise<string> => {
    await checkAround(path);
    await makeFolder(at(path).replace(/\/[^/]*$/, ""));
    const file = draftOf(at(path));
    try {
      await ask<void>(place, (done) => sftp.writeFile(file, toBuffer(bytes), { flag: "wx" }, done));
      return file;
    } catch (error) {
      await find<void>((done) => sftp.unlink(file, done)).catch(() => {});
      throw error;
    }
  };
  return {
    place,
    async list(folder) {
      await checkFolder(folder);
      const found = await find<{ filename: string; attrs: Attributes }[]>((done) =>
        sftp.readdir(at(folder), done)
      );
      return (found ?? []).map(({ filename, attrs }) =>
        attrs.isDirectory() ? `${filename}/` : filename
      ).sort();
    },
    async read(path) {
      await checkAround(path);
      const attributes = await find<Attributes>((done) => sftp.lstat(at(path), done));
      if (attributes === undefined) return undefined;
      if (!attributes.isFile()) throw strangeError(path, place);
      if (attributes.size > maxFileBytes) throw tooLargeError(path, place);
      try {
        // By now it may be longer.
        const stream = sftp.createReadStream(at(path), { end: maxFileBytes });
        // Its handle is closed after the last byte: a connection that ends before fails nobody.
        stream.on("error", () => {});
        return await readBounded(stream, () => tooLargeError(path, place));
      } catch (error) {
        if (error instanceof CtxError) throw error;
        if ((error as SftpError).code === noSuchFile) return undefined;
        throw toCarrierError(error as SftpError, place);
      }
    },
    async create(path, bytes) {
      await checkAround(path);
      if (await isThere(path)) return false;
      const file = await draft(path, bytes);
      try {
        await ask<void>(place, (done) => sftp.rename(file, at(path), done));
        return true;
      } catch (error) {
        await find<void>((done) => sftp.unlink(file, done));
        if (await isThere(path)) return false;
        throw error;
      }
    },
    async replace(path, bytes) {
      const file = await draft(path, bytes);
      await ask<void>(place, (done) => sftp.ext_openssh_rename(file, at(path), done));
    },
    async remove(path) {
      await checkAround(path);
      await find<void>((done) => sftp.unlink(at(path), done));
    },
    async [Symbol.asyncDispose]() {
      await Promise.resolve();
      client.end();
    },
  };
}

async function signIn(login: SshLogin, place: string): Promise<Client> {
  const { default: ssh2 } = await import("ssh2");
  const { Client: Ssh, utils } = ssh2 as unknown as {
    Client: new () => Client;
    utils: { parseKey(text: string): Error | object };
  };
  const { host, port, user: username, agent, keys, hostKeys } = login;
  const methods = [
    ...(agent === undefined ? [] : [{ type: "agent", username, agent }]),
    // One with a passphrase is the agent's.
    ...keys.filter(({ text }) => !(utils.parseKey(text) instanceof Error))
      .map(({ text }) => ({ type: "publickey", username, key: text })),
  ];
  if (methods.length === 0) {
    throw new CtxError("REMOTE_DENIED", `Cannot sign in to ${place}: there is no SSH key to use`, {
      hint:
        "start an agent (ssh-add), or name a key without a passphrase: ssh://USER@HOST/DIR?key=FILE",
    });
  }
  const types = [...new Set(hostKeys.map(({ type }) => type))];
  const client = new Ssh();
  let isOther = false;
  try {
    await new Promise<void>((resolve, reject) => {
      client.on("ready", resolve).on("error", reject).on(
        "close",
        () => reject(new Error("closed")),
      );
      client.connect({
        ...{ host, port, username, authHandler: methods },
        readyTimeout: signInMs,
        keepaliveInterval: aliveMs,
        algorithms: {
          serverHostKey: types.flatMap((type) =>
            type === "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256"] : [type]
          ),
        },
        hostVerifier(shown: Uint8Array) {
          const key = new Uint8Array(shown).toBase64();
          isOther = !hostKeys.some((known) => known.key === key);
          return !isOther;
        },
      });
    });
    return client;
  } catch (error) {
    client.end();
    if (isOther) throw otherHost(login);
    throw toCarrierError(error as SftpError, place);
  }
}

/** One question to the server. */
function ask<T>(place: string, run: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const done: Done<T> = (error, value) =>
      error ? reject(toCarrierError(error, place)) : resolve(value);
    try {
      run(done);
    } catch (error) {
      done(error as SftpError, undefined as T);
    }
  });
}

/** The library's types want Node's own bytes. */
function toBuffer(bytes: Uint8Array): unknown {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function toCarrierError(error: SftpError, place: string): CtxError {
  const { code, level, message } = error;
  if (level === "client-authentication") {
    return new CtxError(
      "REMOTE_DENIED",
      `Cannot sign in to ${place}: it accepted none of your keys`,
      {
        hint: "check that ssh to the same user and host works; ssh-add adds a key to your agent",
        cause: error,
      },
    );
  }
  if (typeof code === "number") {
    const kind = code === 3 ? "REMOTE_DENIED" : "REMOTE_FAILED";
    return new CtxError(kind, `Cannot use the folder on ${place}: ${message}`, {
      hint: "check the folder's permissions and free space on that machine",
      cause: error,
    });
  }
  return new CtxError("REMOTE_UNREACHABLE", `Cannot reach ${place}: ${message}`, {
    hint:
      "nothing is lost: try again when the machine is up; if it is up now, check the host and port",
    cause: error,
  });
}

function unknownHost(login: SshLogin): CtxError {
  return new CtxError(
    "REMOTE_UNTRUSTED",
    `Cannot trust ${login.host}: its key is not in ~/.ssh/known_hosts`,
    {
      hint: `connect once and check its fingerprint: ssh ${
        portWords(login)
      }${login.user}@${login.host}`,
    },
  );
}

function otherHost(login: SshLogin): CtxError {
  return new CtxError(
    "REMOTE_UNTRUSTED",
    `Cannot trust ${login.host}: its key is not the one in ~/.ssh/known_hosts`,
    { hint: "ask the machine's administrator whether its key was replaced; nothing was sent" },
  );
}

function portWords({ port }: SshLogin): string {
  return port === 22 ? "" : `-p ${port} `;
}

function placeOf({ user, host, port, directory }: SshLogin): string {
  return `${user}@${host}${port === 22 ? "" : `:${port}`}:${directory}`;
}
