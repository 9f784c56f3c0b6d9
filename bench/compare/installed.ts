// Tools from npm in a home of their own, as `npm install` leaves them there.

/** Where a tool is and how its programs are started. */
export interface Installed {
  /** The folder of the package. */
  directory: string;
  /** Where it may keep what it likes; its home. */
  home: string;
  env: Record<string, string>;
  version: string;
  megabytes: number;
  /** What did not go as its README has it. */
  notes: string[];
}

/** Installs packages into a directory, with a mark for their processes. */
export async function install(
  directory: string,
  { name, version, beside, mark }: {
    name: string;
    version: string;
    /** Packages whose programs it needs. */
    beside: readonly string[];
    mark: string;
  },
): Promise<Installed> {
  const home = `${directory}/home`;
  Deno.mkdirSync(home, { recursive: true });
  Deno.writeTextFileSync(`${directory}/package.json`, "{}");
  const modules = `${directory}/node_modules`;
  const notes: string[] = [];
  const env = {
    HOME: home,
    PATH: `${modules}/.bin:${Deno.env.get("PATH")}`,
    CTX_COMPARE: mark,
  };
  const npm = (...args: string[]) =>
    run("npm", [...args, "--no-audit", "--no-fund"], { directory });
  if (beside.length > 0) await npm("install", ...beside);
  let package_ = `${modules}/${name}`;
  const before = await sizeOf(directory);
  const whole = await npm("install", `${name}@${version}`);
  if (!whole.success) {
    const fault = /notarget (No matching version found for \S+)/.exec(whole.fault)?.[1];
    notes.push(`npm install failed (${fault ?? "see npm"}); its packed files were used`);
    await npm("pack", `${name}@${version}`);
    const [tar] = [...Deno.readDirSync(directory)].filter((item) => item.name.endsWith(".tgz"));
    if (tar === undefined) throw new Error(whole.fault);
    await run("tar", ["xf", tar.name], { directory });
    package_ = `${directory}/package`;
  }
  const found = JSON.parse(Deno.readTextFileSync(`${package_}/package.json`));
  const megabytes = await sizeOf(directory) - before;
  return { directory: package_, home, env, version: found.version, megabytes, notes };
}

/** The megabytes of what is below a path. */
export async function sizeOf(path: string): Promise<number> {
  const { text } = await run("du", ["-sk", path], { directory: "/" });
  return Number(text.split("\t")[0]) / 1024;
}

/** Runs a program to its end. */
export async function run(
  command: string,
  args: readonly string[],
  { directory, env }: { directory: string; env?: Record<string, string> },
): Promise<{ success: boolean; text: string; fault: string }> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd: directory,
    env,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout), fault: decoder.decode(stderr) };
}
