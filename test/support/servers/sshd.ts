// An SFTP server for tests: Debian's own sshd as an ordinary process on loopback, with a configuration,
// keys and a port of its own. Nothing of the machine's is read or changed.

import { findProgram } from "../processes/find_program.ts";

/** A running server, and a home whose `.ssh` knows it and may sign in. */
export interface Sshd extends AsyncDisposable {
  port: number;
  user: string;
  /** Where files may be put. */
  directory: string;
  /** Gives a home the key and the server's name. */
  admit(home: string, options?: { known?: "right" | "wrong" | "hashed" }): void;
  /** The address of a folder. */
  url(folder: string): string;
}

/** Tells a test to skip, with a message, when sshd is not installed. */
export function hasNoSshd(): boolean {
  if (Deno.build.os !== "windows" && findSshd() && findProgram("ssh-keygen")) return false;
  Deno.stderr.writeSync(new TextEncoder().encode("skipped: sshd is not installed\n"));
  return true;
}

/** Debian keeps it off the PATH. */
function findSshd(): string | undefined {
  const found = findProgram("sshd");
  if (found !== undefined) return found;
  try {
    return Deno.statSync("/usr/sbin/sshd").isFile ? "/usr/sbin/sshd" : undefined;
  } catch {
    return undefined;
  }
}

/** Starts a server; it is stopped and removed when it is disposed of. */
export async function startSshd(): Promise<Sshd> {
  const directory = await Deno.makeTempDir({ prefix: "ctx-sshd-" });
  const user = (await output("id", ["-un"])).trim();
  for (const name of ["host", "other", "login"]) {
    await output("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", `${directory}/${name}`]);
  }
  const port = freePort();
  await Deno.copyFile(`${directory}/login.pub`, `${directory}/authorized_keys`);
  await Deno.mkdir(`${directory}/files`);
  const settings = {
    Port: port,
    ListenAddress: "127.0.0.1",
    HostKey: `${directory}/host`,
    AuthorizedKeysFile: `${directory}/authorized_keys`,
    AuthenticationMethods: "publickey",
    PermitRootLogin: "prohibit-password",
    UsePAM: "no",
    StrictModes: "no",
    PidFile: "none",
    Subsystem: "sftp internal-sftp",
  };
  const text = Object.entries(settings).map((pair) => `${pair.join(" ")}\n`).join("");
  await Deno.writeTextFile(`${directory}/sshd_config`, text);
  // Started by root, it insists on an empty directory for the process that has no rights.
  if (user === "root") await Deno.mkdir("/run/sshd", { recursive: true });
  const server = new Deno.Command(findSshd() ?? "sshd", {
    args: ["-D", "-e", "-f", `${directory}/sshd_config`],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  await listening(server.stderr);
  return {
    port,
    user,
    directory: `${directory}/files`,
    admit(home, { known = "right" } = {}) {
      Deno.mkdirSync(`${home}/.ssh`, { recursive: true });
      Deno.copyFileSync(`${directory}/login`, `${home}/.ssh/id_ed25519`);
      const name = known === "wrong" ? "other" : "host";
      const [type, key] = Deno.readTextFileSync(`${directory}/${name}.pub`).split(" ");
      const file = `${home}/.ssh/known_hosts`;
      Deno.writeTextFileSync(file, `[127.0.0.1]:${port} ${type} ${key}\n`);
      if (known !== "hashed") return;
      new Deno.Command("ssh-keygen", { args: ["-q", "-H", "-f", file] }).outputSync();
      Deno.removeSync(`${file}.old`);
    },
    url: (folder) => `ssh://${user}@127.0.0.1:${port}${directory}/files/${folder}`,
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
      await Deno.remove(directory, { recursive: true });
    },
  };
}

/** Waits until it says that it listens, and reads on: a full pipe would hold it up. */
async function listening(stderr: ReadableStream<Uint8Array>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = "";
  void (async () => {
    for await (const bytes of stderr) {
      said += new TextDecoder().decode(bytes);
      if (said.includes("listening on")) resolve();
    }
    reject(new Error(`sshd did not start: ${said}`));
  })();
  await promise;
}

async function output(program: string, args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
