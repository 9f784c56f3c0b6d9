// The command line of a hook, as agents give it to a shell. Settings outlive programs: they are
// committed, cloned and left behind by an uninstall. Without ctx on the machine the line must succeed
// and print nothing, because Gemini takes a missing command as "block this prompt", and every agent
// takes exit code 2 that way, which another program named ctx may return. Pure.

import { toOwnPath } from "../core/platform_path.ts";
import { toShellWord } from "../core/text.ts";

/** What a line depends on beside its words. */
export interface HookLineOptions {
  /** Whether the agent runs hooks with bash on Windows too; others use cmd or PowerShell there. */
  hasBash?: boolean;
  os?: typeof Deno.build.os;
}

/** The line for the words of a hook. It works in sh, bash, zsh and fish: Codex uses the login shell. */
export function toHookLine(words: readonly string[], options: HookLineOptions = {}): string {
  const { hasBash = false, os = Deno.build.os } = options;
  const [program, ...rest] = words;
  if (os === "windows" && !hasBash) {
    const called = words.map(toCmdWord).join(" ");
    if (/[\\/]/.test(program)) return `cmd /d /c if exist "${program}" ${called}`;
    // For both shells the quotes hold one word, in which neither sees an operator or a variable; cmd
    // takes them off. `call` is for a ctx.cmd, whose exit code `||` would not see without it.
    return `cmd /d /c "where /q ${program} || exit 0 & call ${called} || exit 1"`;
  }
  // Bash takes "/" on Windows too, and looks for what has none on the PATH.
  const named = toShellWord(toOwnPath(program, os));
  const plain = [named, ...rest.map(toShellWord)].join(" ");
  return `command -v ${named} >/dev/null 2>&1 || exit 0; ${plain} || exit 1`;
}

/** The words of a line: of one that `toHookLine` made, or any other. */
export function toHookWords(line: string): string[] {
  const guarded = /^command -v .+? >\/dev\/null 2>&1 \|\| exit 0; (.+) \|\| exit 1$/s.exec(line) ??
    /^cmd \/d \/c if exist "[^"]*" (.+)$/s.exec(line) ??
    /^cmd \/d \/c "where \/q \S+ \|\| exit 0 & call (.+) \|\| exit 1"$/s.exec(line);
  return [...(guarded?.[1] ?? line).matchAll(/(?:'[^']*'|"[^"]*"|\\['"]|[^\s'"])+/g)]
    .map(([word]) =>
      word.replaceAll(
        /'([^']*)'|"([^"]*)"|\\(['"])/g,
        (_all, ...found) => found.slice(0, 3).find((one) => one !== undefined) ?? "",
      )
    );
}

function toCmdWord(word: string): string {
  return /^[\w-]+$/.test(word) ? word : `"${word}"`;
}
