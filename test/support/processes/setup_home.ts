// A home with agents' settings in it, for tests of `ctx setup` in process.

import { openContext } from "../../../src/app/app.ts";
import { setup } from "../../../src/commands/setup/setup.ts";
import { execute } from "../../../src/command/execute.ts";
import { realPath } from "../../../src/core/platform_path.ts";

/** The home; dispose of it. */
export class SetupHome implements AsyncDisposable {
  readonly path = realPath(Deno.makeTempDirSync({ prefix: "ctx-home-" }));
  readonly before: Record<string, string>;

  /** Where `ctx` is said to be. */
  executable = "/opt/ctx";

  constructor(texts: Record<string, string>) {
    Deno.mkdirSync(`${this.path}/project`);
    for (const [name, text] of Object.entries(texts)) {
      Deno.mkdirSync(`${this.path}/${name}/..`.replace(/[^/]+\/\.\.$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${this.path}/${name}`, text);
    }
    this.before = this.read();
  }

  async setup(
    client: string,
    input: object = {},
    confirm?: (question: string) => boolean,
  ): Promise<Awaited<ReturnType<typeof setup.run>>> {
    const context = openContext({
      confirm,
      cwd: `${this.path}/project`,
      env: (name) => ({ HOME: this.path, CTX_EXECUTABLE: this.executable })[name],
    });
    return await execute(setup, { client, no_check: true, ...input }, context);
  }

  /** All files and their texts, without backups. */
  read(directory = ""): Record<string, string> {
    const found: Record<string, string> = {};
    for (const { name, isDirectory, isFile } of Deno.readDirSync(`${this.path}/${directory}`)) {
      const path = `${directory}${name}`;
      if (isDirectory) Object.assign(found, this.read(`${path}/`));
      else if (isFile && !name.endsWith(".ctx-backup")) {
        found[path] = Deno.readTextFileSync(`${this.path}/${path}`);
      }
    }
    return found;
  }

  /** The text of a file, with its byte order mark. */
  bytes(name: string): string {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(Deno.readFileSync(`${this.path}/${name}`));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Deno.remove(this.path, { recursive: true });
  }
}
