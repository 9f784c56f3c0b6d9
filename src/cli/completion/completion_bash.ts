// Completion for bash, without need of the bash-completion package.

import {
  type CompletionCommand,
  type CompletionFlag,
  flagForms,
  toPairs,
  toWords,
  valueForm,
} from "./completion_command.ts";

/** The script for bash. */
export function toBashScript(commands: readonly CompletionCommand[]): string {
  const words = toWords(commands);
  const firsts = words.firsts.map(({ name }) => name);
  const groups = words.groups.map(({ name, verbs }) =>
    `    ${name}) flags="--help"; values=${quote(verbs.map(({ word }) => word).join(" "))} ;;`
  );
  const pairs = toPairs(commands);
  const cases = commands.map((command) =>
    `    ${quote(command.name)}) flags=${
      quote(command.flags.flatMap(flagForms).join(" "))
    }; values=${quote(command.values.join(" "))}${
      command.offers === undefined ? "" : `; offers=${command.offers}`
    } ;;`
  );
  const valued = commands.flatMap((command) =>
    command.flags.filter((flag) => flag.takesValue).map((flag) => {
      const names = flagForms(flag).map((form) => quote(`${command.name} ${form}`));
      return `    ${names.join("|")}) ${answerOf(flag)} ;;`;
    })
  );
  return `# bash completion for ctx, made by: ctx completions bash
# Use it with: eval "$(ctx completions bash)"
_ctx_offers() {
  # Not with compgen -W: it would run what stands in a tag. What is inserted is quoted.
  local value about
  while IFS=$'\\t' read -r value about; do
    [[ $value != "$2"* ]] || COMPREPLY+=("$(printf %q "$value")")
  done < <(ctx completions --of "$1" --word "$2" 2>/dev/null)
}
_ctx() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command= word flags= values= offers= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      --workspace) ((i++)) ;;
      -*) ;;
      *)
        if [[ -z $command ]]; then
          command=$word
        else
          case "$command $word" in
            ${pairs.map(quote).join("|") || '""'}) command="$command $word" ;;
          esac
          break
        fi
        ;;
    esac
  done
  case $command in
    "") flags="--help --version --json --workspace"; values=${quote(firsts.join(" "))} ;;
${groups.join("\n")}
${cases.join("\n")}
  esac
  COMPREPLY=()
  case "$command $prev" in
    " --workspace") COMPREPLY=($(compgen -d -- "$cur")); return ;;
${valued.join("\n")}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
    [[ -z $offers ]] || _ctx_offers $offers "$cur"
  fi
}
complete -o bashdefault -o default -F _ctx ctx contextfs
`;
}

/** What follows a flag: one of its values, a path, or nothing that could be guessed. */
function answerOf(flag: CompletionFlag): string {
  const reply = (source: string): string => `COMPREPLY=($(compgen ${source} -- "$cur")); return`;
  return valueForm(flag, {
    oneOf: (values) => reply(`-W ${quote(values)}`),
    offers: (of) => `_ctx_offers ${of} "$cur"; return`,
    directories: reply("-d"),
    files: reply("-f"),
    anything: "return",
  });
}

function quote(text: string): string {
  return `"${text}"`;
}
