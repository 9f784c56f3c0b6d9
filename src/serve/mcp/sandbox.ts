// The sandbox: what a server may access, and the two ways to enforce it. From source, the process
// restarts itself with limited permissions; a compiled binary, whose permissions are fixed, runs the
// server in a Worker with limited ones. The runtime enforces both.

/** What the server may do; everything else is denied. */
export interface SandboxPlan {
  /** Paths that may be read, links resolved. */
  read: string[];
  /** Paths that may be written. */
  write: string[];
  /** Hosts, with ports, that may be listened on or connected to. */
  net: string[];
  /** Environment variables that may be read. */
  env: string[];
}

/** What is known before the server starts. */
export interface SandboxOptions {
  workspace: string;
  /** The user's own configuration file, readable although it is outside the workspace. */
  configFile?: string;
  /** The directory of the program's own code, if it is loaded in chunks. */
  codeDirectories?: string[];
  net?: string[];
  /** Further files that may be read. */
  reads?: string[];
  /** Another store that may be read and written: the user's own, for the agent. */
  userStore?: string;
  /** Further environment variables. */
  env?: string[];
}

/** The environment that a confined server may read: where the configuration is, and ctx's own. */
export const sandboxVariables: readonly string[] = [
  "HOME",
  "USERPROFILE",
  "XDG_CONFIG_HOME",
  "CTX_*",
];

/** Read inside the workspace, write inside its store, and nothing else. */
export function planSandbox(options: SandboxOptions): SandboxPlan {
  const root = `${options.workspace.replace(/\/+$/, "")}/.contextfs`;
  return {
    read: [
      options.workspace,
      options.configFile,
      ...(options.codeDirectories ?? []),
      ...(options.reads ?? []),
      options.userStore,
    ]
      .filter((path) => path !== undefined),
    write: [root, options.userStore].filter((path) => path !== undefined),
    net: options.net ?? [],
    env: [...sandboxVariables, ...options.env ?? []],
  };
}

/** Whether this process is already sandboxed, by our own flags or by the user's. */
export function isConfined(): boolean {
  const broad = ["read", "write", "run", "ffi", "sys", "net"] as const;
  return broad.every((name) => Deno.permissions.querySync({ name }).state !== "granted");
}

/** The plan as flags of `deno run`. */
export function toFlags(plan: SandboxPlan): string[] {
  const list = (name: string, values: string[]): string[] =>
    values.length === 0 ? [] : [`--allow-${name}=${values.map(escapeComma).join(",")}`];
  return [
    ...list("read", plan.read),
    ...list("write", plan.write),
    ...list("net", plan.net),
    ...list("env", plan.env),
  ];
}

export function toWorkerPermissions(plan: SandboxPlan): Deno.PermissionOptionsObject {
  return {
    read: plan.read,
    write: plan.write,
    net: plan.net.length > 0 ? plan.net : false,
    env: plan.env,
    run: false,
    ffi: false,
    sys: false,
    import: false,
  };
}

export interface ConfinedStart {
  /** The program's main module, for the process; the worker's module, for the worker. */
  module: string;
  args: string[];
  plan: SandboxPlan;
}

/** What a process needs in addition. */
export interface ConfinedProcess extends ConfinedStart {
  /** The runtime's flags that are no permissions. */
  flags: readonly string[];
  readsInput: boolean;
}

/** Set for a process whose standard input ends when its parent exits. */
export const heldVariable = "CTX_HELD";

/** How long a server may take to stop. */
const graceMs = 2000;

/** With this, a request's signal fires when its client disconnects, not after every answer. */
const noLegacyAbort = "--unstable-no-legacy-abort";

/**
 * Restarts this program under the plan and returns its exit code. A signal to this process gives the
 * child a moment to stop. The child's input is a pipe from here, so it notices even if this process is
 * killed.
 */
export async function runConfinedProcess(start: ConfinedProcess): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...start.flags,
      noLegacyAbort,
      ...toFlags(start.plan),
      start.module,
      ...start.args,
    ],
    env: { [heldVariable]: "1" },
    stdin: "piped",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  if (start.readsInput) Deno.stdin.readable.pipeTo(child.stdin).catch(() => {});
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    Deno.addSignalListener(name, () => {
      tryKill(child, "SIGINT");
      setTimeout(() => tryKill(child, "SIGKILL"), graceMs);
    });
  }
  return (await child.status).code;
}

/** Runs the server in a Worker under the plan, drops this thread's own permissions, and waits. */
export async function runConfinedWorker(start: ConfinedStart): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const worker = new Worker(start.module, {
    type: "module",
    deno: { permissions: toWorkerPermissions(start.plan) },
  });
  worker.onmessage = ({ data }) => resolve(Number(data?.exit ?? 1));
  worker.onerror = (event) => {
    event.preventDefault();
    resolve(1);
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(name, () => {
      worker.postMessage({ stop: true });
      setTimeout(() => resolve(0), graceMs);
    });
  }
  worker.postMessage({ args: start.args });
  for (const name of ["run", "ffi", "net", "write"] as const) Deno.permissions.revokeSync({ name });
  const code = await promise;
  worker.terminate();
  return code;
}

/** Whether this is a compiled binary, which cannot restart itself with other permissions. */
export function isCompiled(): boolean {
  return Deno.build.standalone;
}

function tryKill(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch {
    return;
  }
}

/** A comma in a path is doubled, or it would start another path. */
function escapeComma(path: string): string {
  return path.replaceAll(",", ",,");
}
