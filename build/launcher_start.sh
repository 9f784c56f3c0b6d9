# The version, and the help where there is no terminal and nobody wants colour: nothing is started.
# What cannot be written is left to ctx, which says so.
answer() { # ARGUMENTS
  case $#$1 in
    1--version | 1-V | 1version) said='ctx @VERSION@' ;;
    0 | 1--help | 1-h | 1help)
      [ ! -t 1 ] && [ -z "$CLICOLOR_FORCE" ] || return 0
      said=@HELP@
      ;;
    *) return 0 ;;
  esac
  trap '' PIPE
  printf '%s\n' "$said" 2> /dev/null && exit
  trap - PIPE
}

# Becomes ctx. On a terminal, for what people read, ctx is a child: what it finds to be longer than the
# screen it leaves in a file, which is shown through the pager. Only this text starts the pager: ctx
# itself may start nothing.
page=
begin() { # ARGUMENTS
  [ -t 1 ] && may_page "$@" || start "$@"
  page=$cache/page.$$
  trap : INT QUIT
  trap 'rm -f "$page"; exit 143' TERM HUP
  [ ! -e "$page" ] || rm -f "$page"
  (
    CTX_PAGE=$page CTX_PARENT=$PPID
    export CTX_PAGE CTX_PARENT
    start "$@"
  )
  status=$?
  if [ -f "$page" ]; then
    # Nothing that happens from here on leaves the file behind.
    exec 3< "$page" 4< "$page"
    rm -f "$page"
    trap - TERM HUP
    [ "$status" -ge 128 ] || show_page
  fi
  # Whoever started us is to know that it was interrupted.
  [ "$status" != 130 ] || { trap - INT && kill -INT $$; }
  exit "$status"
}

# Whether there is a pager and the words are a command that prints for reading, or ask for help.
may_page() { # ARGUMENTS
  pager=${CTX_PAGER-${PAGER-less -FRX}}
  case $TERM,$pager in
    ,* | dumb,* | *,cat) return 1 ;;
    # Nobody asked for it where it is not installed.
    *,'less -FRX') command -v less > /dev/null || return ;;
    *,*[![:space:]]*) ;;
    *) return 1 ;;
  esac
  reads=1
  case "$1 $2 " in
    @PAGED@) reads=0 ;;
  esac
  for word; do
    case $word in
      --) break ;;
      --json | --json=* | --no-pager) return 1 ;;
      -h | --help) reads=0 ;;
    esac
  done
  return $reads
}

# The user's own variable is a command line of the shell, as git has it. When it cannot be started or
# says that it failed, the page is printed as it is.
show_page() {
  LESS=${LESS-FRX} LESSCHARSET=${LESSCHARSET-utf-8} LV=${LV--c} sh -c "$pager" <&3 3<&- 4<&-
  case $? in
    1 | 126 | 127) cat <&4 ;;
  esac
}

# Becomes ctx, with the permissions of the sub-command.
start() { # ARGUMENTS
  case $0 in
    /*) CTX_EXECUTABLE=$0 ;;
    *) CTX_EXECUTABLE=$PWD/$0 ;;
  esac
  DENO_DIR=$cache/$id.code DENO_NO_UPDATE_CHECK=1 DENO_NO_PACKAGE_JSON=1
  # What Deno compiled is kept in a database with a log that every start reads: ctx empties that.
  compiled=$DENO_DIR/v8_code_cache_v2 CTX_UNSETTLED=
  [ -s "$compiled" ] && [ ! -s "$compiled-wal" ] || CTX_UNSETTLED=1
  export CTX_EXECUTABLE CTX_UNSETTLED DENO_DIR DENO_NO_UPDATE_CHECK DENO_NO_PACKAGE_JSON
  unset DENO_V8_FLAGS
  [ -n "$page" ] || unset CTX_PAGE CTX_PARENT
  task=$1
  case "$1 $2" in
    @OTHER_WORDS@
  esac
  case $task in
    # glibc gives every large buffer back at once, and the next one is new memory again.
    @QUICK@) export MALLOC_MMAP_THRESHOLD_=4194304 MALLOC_TRIM_THRESHOLD_=67108864 ;;
  esac
  case $task in
    @LASTING@) mark_running ;;
  esac
  case $task in
    @LOCAL@) exec "$deno" run @START@ @LOCAL_FLAGS@ "$app/mod.js" "$@" ;;
    @SELF@)
      double_commas "$CTX_EXECUTABLE" && self=$doubled
      exec "$deno" run @START@ @LOCAL_FLAGS@ "--allow-run=$self" "$app/mod.js" "$@"
      ;;
    @EDITOR@)
      editor=${VISUAL:-${EDITOR:-vi}}
      set -f
      for word in $editor; do editor=$word && break; done
      set +f
      double_commas "$editor"
      exec "$deno" run @START@ @LOCAL_FLAGS@ "--allow-run=$doubled" "$app/mod.js" "$@"
      ;;
    @PROVIDER@)
      names_provider || exec "$deno" run @START@ @LOCAL_FLAGS@ "$app/mod.js" "$@"
      exec "$deno" run @START@ @NET_FLAGS@ "$app/mod.js" "$@"
      ;;
    @NET@) exec "$deno" run @START@ @NET_FLAGS@ "$app/mod.js" "$@" ;;
    mcp) names_provider || start_confined "$@" ;;
  esac
  # A server starts ctx again with less; no other program can be started, but what opens its page.
  double_commas "$deno" && runs=$doubled
  unset CTX_OPENER
  case $task in
    @PAGE@)
      for word in @OPENERS@; do
        command -v "$word" > /dev/null && runs=$runs,$word && export "CTX_OPENER=$word" && break
      done
      ;;
  esac
  exec "$deno" run @START@ @NET_FLAGS@ "--allow-run=$runs" "$app/mod.js" "$@"
}

# Whether a model or an embedder may be configured: else nothing has a reason to use the network. The
# address and the key of one are in the user's file or the environment, never in the workspace.
names_provider() {
  [ -z "@PROVIDER_ENV@" ] || return 0
  user_config
  [ -f "$config" ] || return 1
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in @PROVIDER_WORDS@) return 0 ;; esac
  done < "$config"
  return 1
} 2>/dev/null

user_config() {
  case ${XDG_CONFIG_HOME:-} in
    /*) config=$XDG_CONFIG_HOME/ctx/config.jsonc ;;
    *) config=${HOME:-/nowhere}/.config/ctx/config.jsonc ;;
  esac
}

# A server over standard input and output is held to its workspace by the flags of its process;
# returns when it needs more than that (it then confines itself).
start_confined() { # ARGUMENTS
  work='' before=''
  for word; do
    case $word in
      --) break ;;
      --workspace=*) work=${word#*=} ;;
      @WIDER@) return ;;
    esac
    [ "$before" = --workspace ] && work=$word
    before=$word
  done
  # The dot keeps line ends that belong to the name.
  here=$(CDPATH='' cd -P -- "${work:-.}" 2>/dev/null && pwd -P && printf .) || return
  here=${here%?.}
  up=$here
  if [ -z "$work" ]; then
    until holds_store "$up"; do
      # A git worktree may share the store of its main checkout: ctx itself looks for that.
      [ ! -f "$up/.git" ] || return
      [ -n "$up" ] || { up=$here; break; }
      up=${up%/*}
    done
    # It may not look for the store itself: all above is out of its reach.
    shift
    set -- mcp --workspace "${up:-/}" "$@"
  fi
  double_commas "${up:-/}" && up=$doubled
  user_config
  double_commas "$config" && config=$doubled
  double_commas "$app" && code=$doubled
  exec "$deno" run @START@ "--allow-read=$up,$config,$code" \
    "--allow-write=${up%/}/.contextfs" --allow-env=@MCP_ENV@ "$app/mod.js" "$@"
}

holds_store() { # DIRECTORY
  # What may not be looked into is not passed over: ctx says so.
  [ -d "$1/.contextfs" ] && [ ! -x "$1/.contextfs" ] && return
  for name in @STORE_NAMES@; do
    [ -e "$1/.contextfs/$name" ] || [ -L "$1/.contextfs/$name" ] && return
  done
  return 1
}

# A comma in a path is doubled, or it would start another path.
double_commas() { # PATH
  rest=$1 doubled=
  while [ "$rest" != "${rest#*,}" ]; do
    doubled=$doubled${rest%%,*},, rest=${rest#*,}
  done
  doubled=$doubled$rest
}

# Deno would not start in a directory that was removed. Where its name merely cannot be followed, pwd
# tells.
gone=
[ "$PWD" -ef . ] || /bin/pwd > /dev/null 2>&1 || gone=1
