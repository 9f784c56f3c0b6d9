// The completion scripts: each asks ctx what may follow the words so far, a line each with what it is
// behind a tab, and leaves the names of files to its shell.

export const completionScripts = {
  bash: `# bash completion for ctx, made by: ctx completions bash
# Use it with: eval "$(ctx completions bash)"
_ctx() {
  # Not with compgen -W: it would run what stands in a tag. What is inserted is quoted.
  local value about word asked=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do asked+=("--word=$word"); done
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    case $value in
      :files) ;;
      :directories) COMPREPLY=($(compgen -d -- "\${COMP_WORDS[COMP_CWORD]}")) ;;
      *) COMPREPLY+=("$(printf %q "$value")") ;;
    esac
  done < <(ctx completions "\${asked[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _ctx ctx contextfs
`,
  zsh: `#compdef ctx contextfs
# zsh completion for ctx, made by: ctx completions zsh
# Use it with: ctx completions zsh > "\${fpath[1]}/_ctx", or source <(ctx completions zsh)
_ctx() {
  local -a asked=("--word="\${(@Q)^words[2,CURRENT]})
  local -a offers=("\${(@f)$(ctx completions $asked 2>/dev/null)}")
  case $offers[1] in
    :files) _files ;;
    :directories) _files -/ ;;
    ?*)
      offers=("\${(@)offers//:/\\\\:}")
      offers=("\${(@)offers/$'\\t'/:}")
      _describe -V -t values value offers
      ;;
  esac
}
if [[ $funcstack[1] == _ctx ]]; then
  _ctx "$@"
else
  compdef _ctx ctx contextfs
fi
`,
  fish: `# fish completion for ctx, made by: ctx completions fish
# Use it with: ctx completions fish > ~/.config/fish/completions/ctx.fish
function __ctx_offers
    set -l words (commandline -opc)[2..] (commandline -ct)
    set -l offers (ctx completions --word=$words 2>/dev/null)
    switch "$offers[1]"
        case ':files*'
            __fish_complete_path (commandline -ct)
        case ':directories*'
            __fish_complete_directories (commandline -ct)
        case '*'
            string join -- \\n $offers
    end
end
for name in ctx contextfs
    complete -c $name -e
    complete -c $name -f -a '(__ctx_offers)'
end
`,
};
