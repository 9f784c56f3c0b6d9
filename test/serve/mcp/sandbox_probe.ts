// Tries what a confined server might try and says what worked. Run under the sandbox's permissions,
// as a process or in a worker.

type Attempt = () => unknown;

/** What worked, by name. */
export async function probe(workspace: string): Promise<Record<string, boolean>> {
  const store = `${workspace}/.contextfs`;
  const attempts: Record<string, Attempt> = {
    "read inside": () => Deno.readTextFileSync(`${store}/history.ndjson`),
    "write in the store": () => Deno.writeTextFileSync(`${store}/probe`, "x"),
    "lock in the store": () => {
      using file = Deno.openSync(`${store}/probe`, { read: true, write: true });
      file.lockSync(true);
      file.syncSync();
    },
    "write beside the store": () => Deno.writeTextFileSync(`${workspace}/probe`, "x"),
    "read outside": () => Deno.readTextFileSync("/etc/hostname"),
    "read up": () => Deno.readDirSync(`${workspace}/..`)[Symbol.iterator]().next(),
    "read /proc": () => Deno.readTextFileSync("/proc/self/environ"),
    "write outside": () => Deno.writeTextFileSync("/tmp/ctx-sandbox-probe", "x"),
    "rename out": () => Deno.renameSync(`${store}/probe`, "/tmp/ctx-sandbox-probe"),
    "hard link out": () => Deno.linkSync("/etc/hostname", `${store}/link`),
    "make a symlink": () => Deno.symlinkSync("/etc/hostname", `${store}/link`),
    "connect": () => Deno.connect({ hostname: "127.0.0.1", port: 9 }),
    "listen": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
    "run": () => new Deno.Command("/bin/true").outputSync(),
    "env": () => Deno.env.get("PATH"),
    "env HOME": () => Deno.env.get("HOME"),
    "ffi": () => Deno.dlopen("libc.so.6", {}),
    "sys": () => Deno.hostname(),
    "import from outside": () => import(`file:///${"etc/hostname"}`),
    "escalate": async () => {
      const { state } = await Deno.permissions.request({ name: "read", path: "/" });
      if (state !== "granted") throw new Error(state);
    },
  };
  const worked: Record<string, boolean> = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      worked[name] = true;
    } catch (error) {
      worked[name] = !(error instanceof Deno.errors.NotCapable) &&
        !/Requires|denied|NotCapable/.test(String(error));
    }
  }
  return worked;
}

if (import.meta.main) {
  const found = await probe(Deno.args[0]);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(found)));
}
