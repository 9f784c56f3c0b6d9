// Completion for zsh, with what each command and flag does.

import {
  type CompletionCommand,
  type CompletionFlag,
  flagForms,
  toPairs,
  toWords,
  valueForm,
} from "./completion_command.ts";

/** The script for zsh; a file named `_ctx` on the fpath, or evaluated after compinit. */
export function toZshScript(commands: readonly CompletionCommand[]): string {
  const words = toWords(commands);
  const firsts = words.firsts.map(({ name, about }) => describe(name, about));
  const groups = words.groups.map(({ name, verbs }) =>
    `    ${quote(name)})
      local -a verbs=(
${verbs.map(({ word, about }) => describe(word, about)).join("\n")}
      )
      _describe -t commands '${name} command' verbs
      return
      ;;`
  );
  const cases = commands.map((command) =>
    `    ${quote(command.name)}) specs=(
${command.flags.flatMap(flagSpecs).map((spec) => `      ${spec}`).join("\n")}
${
      command.values.length > 0
        ? `      ${quote(`1:value:(${command.values.join(" ")})`)}\n`
        : ""
    }      ${quote(`*:argument:${command.offers ? offer(command.offers) : "_files"}`)}
    ) ;;`
  );
  return `#compdef ctx contextfs
# zsh completion for ctx, made by: ctx completions zsh
# Use it with: ctx completions zsh > "\${fpath[1]}/_ctx", or source <(ctx completions zsh)
_ctx_offers() {
  local -a offers=("\${(@f)$(ctx completions --of $1 --word "$PREFIX" 2>/dev/null)}")
  offers=("\${(@)offers//:/\\\\:}")
  offers=("\${(@)offers/$'\\t'/:}")
  _describe -V -t values value offers
}
_ctx() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${firsts.join("\n")}
    )
    _describe -t commands 'ctx command' commands
    return
  fi
  local command=$words[2] skip=2
  local -a specs
  (( CURRENT > 3 )) || case $command in
${groups.join("\n")}
  esac
  (( CURRENT == 3 )) || case "$words[2] $words[3]" in
    ${toPairs(commands).map(quote).join("|")}) command="$words[2] $words[3]" skip=3 ;;
  esac
  case $command in
${cases.join("\n")}
    *) specs=('*:argument:_files') ;;
  esac
  words=(ctx "\${(@)words[skip + 1, -1]}")
  (( CURRENT -= skip - 1 ))
  _arguments -s -S $specs
}
if [[ $funcstack[1] == _ctx ]]; then
  _ctx "$@"
else
  compdef _ctx ctx contextfs
fi
`;
}

function offer(of: string): string {
  return `{_ctx_offers ${of}}`;
}

function describe(name: string, about: string): string {
  return `      ${quote(`${name}:${about}`)}`;
}

function flagSpecs(flag: CompletionFlag): string[] {
  const about = flag.about.replace(/[[\]]/g, "").replaceAll(":", "\\:");
  const value = !flag.takesValue ? "" : valueForm(flag, {
    oneOf: (values) => `:value:(${values})`,
    offers: (of) => `:value:${offer(of)}`,
    directories: ":directory:_files -/",
    files: ":file:_files",
    anything: ":value: ",
  });
  return flagForms(flag).map((name) => quote(`*${name}[${about}]${value}`));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
