// ctx as a library: every command as a method. The types are the commands' own; nothing of a command
// is loaded before its method is called.

import { openContext } from "./app.ts";
import { commandNames, findCommand, type Methods, toMethodName } from "../commands/mod.ts";
import { CtxError, toCtxError } from "../core/errors.ts";
import { realDirectory } from "../disk/layout.ts";

/** What a program may say when it opens a memory; everything has a sensible default. */
export interface OpenOptions {
  /** The session that saves join, and that search leaves out unless it is asked for. */
  session?: string;
  /** Hears what is not a result, such as a secret that was taken out. */
  warn?: (message: string) => void;
  /** Hears how far long work has come. */
  progress?: (message: string, done?: number, total?: number) => void;
  /** Ends what is running when it is aborted. */
  signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** The environment: `CTX_*` settings, HOME, keys of providers. */
  env?: (name: string) => string | undefined;
}

/**
 * The memory of one workspace: every command of docs/COMMANDS.md as a method (`docs add` is
 * `docsAdd`), with its flags as fields and its `--json` as the result. Failures are `CtxError`.
 * Disposing of it closes the files that it keeps open between searches.
 */
export type Library = Methods & Disposable;

/**
 * Opens the memory of a workspace: the directory that holds `.contextfs/`, or that `init()` will
 * make one in. Relative paths start there. Nothing is read before a method is called.
 */
export function open(workspace: string, options: OpenOptions = {}): Library {
  const { session: ownSession, ...rest } = options;
  const cwd = realDirectory(workspace);
  const context = openContext({ ...rest, ownSession, workspace: cwd, cwd, surface: "library" });
  let isOpen = true;
  let running = 0;
  const call = async (name: string, input: object = {}): Promise<object> => {
    if (!isOpen) {
      throw new CtxError("USAGE", `Cannot run ${name}: the memory is closed`, {
        hint: "open(workspace) opens it again",
      });
    }
    const [{ execute }, command] = await Promise.all([
      import("../command/execute.ts"),
      findCommand(name),
    ]);
    if (command === undefined) throw new CtxError("INTERNAL", `Cannot run ${name}: no command`);
    running++;
    try {
      return await execute(command, input, context);
    } catch (error) {
      const isAbort = context.signal.aborted && !(error instanceof CtxError);
      throw isAbort
        ? new CtxError("INTERRUPTED", "Interrupted", { cause: error })
        : toCtxError(error);
    } finally {
      running--;
      // What was disposed of while it ran may have opened files since.
      if (!isOpen && running === 0) context[Symbol.dispose]();
    }
  };
  const methods = commandNames.map((name) => [
    toMethodName(name),
    (input?: object) => call(name, input),
  ]);
  // The table's names are known to the type, its functions only here.
  return {
    ...Object.fromEntries(methods),
    [Symbol.dispose]() {
      isOpen = false;
      context[Symbol.dispose]();
    },
  } as Library;
}
