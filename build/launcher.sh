#!/bin/sh
# ctx @VERSION@ for @TARGET@: this text, then the program that it unpacks (Deno and ctx's own code).
# Made by `deno task compile`; docs/BINARY.md says how it works and what it guards against.
#
# The first start unpacks into the user's cache directory, checks every file's SHA-256, makes the
# files read-only and sets their times back to a day long past. Later starts look whether Deno, what
# every command loads or a directory is newer: then something was written, replaced, added or removed
# since, and all is unpacked and verified anew. That takes no other program. Needs a POSIX shell and
# @NEEDS@, nothing else.
id=@ID@
# Beyond the limit on a file's size a write then fails, and ctx says so, where it would be killed.
trap '' XFSZ

case $HOME in /*) home_cache=$HOME@HOME_CACHE@ ;; *) home_cache= ;; esac
case $XDG_CACHE_HOME in /*) cache=$XDG_CACHE_HOME/ctx ;; *) cache=$home_cache ;; esac

# Whether $cache/$at is this user's and was not touched since it was verified: the stamp is a day newer.
# A directory is newer once something in it was added, removed or replaced. Of the hundreds of files
# only those that every command loads are looked at: a start takes a handful of looks. A write into
# another is noticed by `ctx doctor`, or when that file is loaded.
is_sound() {
  at=
  [ -O "$cache" ] && [ -f "$cache/$id" ] && [ -O "$cache/$id" ] &&
    IFS= read -r at < "$cache/$id" || return 1
  case $at in
    "$id".??????) ;;
    *) return 1 ;;
  esac
  # Some shells hold that anything is newer than what is not there.
  [ -O "$cache/$at" ] && [ -x "$cache/$at/deno" ] || return 1
  for file in . deno app @LOADED@; do
    [ -e "$cache/$at/$file" ] && [ "$cache/$id" -nt "$cache/$at/$file" ] || return 1
  done
}

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
  dir=$cache/$at
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
    @LOCAL@) exec "$dir/deno" run @START@ @LOCAL_FLAGS@ "$dir/app/mod.js" "$@" ;;
    @SELF@)
      double_commas "$CTX_EXECUTABLE" && self=$doubled
      exec "$dir/deno" run @START@ @LOCAL_FLAGS@ "--allow-run=$self" "$dir/app/mod.js" "$@"
      ;;
    @EDITOR@)
      editor=${VISUAL:-${EDITOR:-vi}}
      set -f
      for word in $editor; do editor=$word && break; done
      set +f
      double_commas "$editor"
      exec "$dir/deno" run @START@ @LOCAL_FLAGS@ "--allow-run=$doubled" "$dir/app/mod.js" "$@"
      ;;
    @PROVIDER@)
      names_provider || exec "$dir/deno" run @START@ @LOCAL_FLAGS@ "$dir/app/mod.js" "$@"
      exec "$dir/deno" run @START@ @NET_FLAGS@ "$dir/app/mod.js" "$@"
      ;;
    @NET@) exec "$dir/deno" run @START@ @NET_FLAGS@ "$dir/app/mod.js" "$@" ;;
    mcp) names_provider || start_confined "$@" ;;
  esac
  # A server starts ctx again with less; no other program can be started, but what opens its page.
  double_commas "$dir/deno" && deno=$doubled
  unset CTX_OPENER
  case $task in
    @PAGE@)
      for word in @OPENERS@; do
        command -v "$word" > /dev/null && deno=$deno,$word && export "CTX_OPENER=$word" && break
      done
      ;;
  esac
  exec "$dir/deno" run @START@ @NET_FLAGS@ "--allow-run=$deno" "$dir/app/mod.js" "$@"
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

# What runs for long loads code from its copy later too: a mark keeps that from being cleared away.
mark_running() {
  forget_ended
  echo > "$cache/run.${at##*.}.$$"
} 2>/dev/null

forget_ended() {
  for run in "$cache"/run.??????.* "$cache"/page.*; do
    [ ! -e "$run" ] || kill -0 "${run##*.}" 2>/dev/null || rm -f "$run"
  done
  for old in "$cache"/*.old; do
    [ ! -e "$old" ] || drop "${old%.old}"
  done
}

# Removes a version. One that something runs from is marked and goes when that has ended.
drop() { # STAMP
  for copy in "$1".??????; do
    ! is_running "$copy" || { echo > "$1.old"; return; }
  done
  rm -rf "$1" "$1".*
}

is_running() { # COPY
  for run in "$cache/run.${1##*.}".* "$cache/pid.${1##*.}"; do
    [ ! -e "$run" ] || return 0
  done
  # Where the system tells, also what leaves no mark.
  for run in /proc/[0-9]*/exe; do
    [ ! "$run" -ef "$1/deno" ] || return 0
  done 2>/dev/null
  return 1
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
  double_commas "$dir/app" && code=$doubled
  exec "$dir/deno" run @START@ "--allow-read=$up,$config,$code" \
    "--allow-write=${up%/}/.contextfs" --allow-env=@MCP_ENV@ "$dir/app/mod.js" "$@"
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

[ -z "$CTX_INSTALLING$gone" ] && is_sound && answer "$@" && begin "$@"

# From here on: the first start, one after something was changed, or install.sh's. In a subshell, so
# that its settings do not reach ctx. Ends with 99 when the home's cache is to be taken instead.
prepare() ( # ARGUMENTS
  unset CDPATH
  umask 077
  LC_ALL=C
  export LC_ALL
  json='' mark=''
  for word; do
    case $word in
      --) break ;;
      --json) json=1 ;;
    esac
  done

  clear_away() {
    [ -z "$mark" ] || rm -rf "$new" "$new.stamp" "$mark"
  }

  # Says what is wrong as ctx itself would, and gives up.
  fail() { # CODE EXIT MESSAGE HINT
    clear_away
    if [ -n "$json" ]; then
      retry=false
      [ "$1" = DISK_FULL ] && retry=true
      printf '{"error":{"code":"%s","message":"%s","hint":"%s","retryable":%s}}\n' \
        "$1" "$(printf '%s' "$3" | tr '"\\\n\t' "''  ")" "$4" "$retry" >&2
    else
      printf 'ctx: %s\nhint: %s\n' "$3" "$4" >&2
    fi
    exit "$2"
  }

  fail_damaged() {
    fail DENIED 7 "Cannot unpack: \"$0\" is damaged (a checksum does not match)" \
      'download or build it again'
  }

  # Gives up because a step failed and said why.
  fail_with() { # REASON
    case $1 in
      *'No space left'* | *'quota exceeded'* | *'File too large'*)
        fail DISK_FULL 5 "Cannot unpack into \"$cache\": the disk is full" \
          'ctx needs @NEED_MB@ MB there; free some, or set XDG_CACHE_HOME to another directory'
        ;;
      *gzip:*stdout*) ;;
      *xz:*corrupt*) fail_damaged ;;
      *gzip:*) fail_damaged ;;
    esac
    fail DENIED 7 "Cannot unpack into \"$cache\": ${1##*: }" \
      'set XDG_CACHE_HOME to a directory that you may write to'
  }

  # The list of checksums comes first, Deno last.
  piece() { # SIZE NAME
    dd bs="$1" count=1 of="$2" status=none <&4
  }

@UNXZ@
  unpack() {
    exec 3< "$0" && mkdir "$new/app" && dd bs=@HEADER@ count=1 of=/dev/null status=none <&3 &&
      @OPEN_PIECES@
@PIECES@
      @UNPACK@ <&3 > "$new/deno" && chmod 400 "$new/sums" "$new"/app/* && chmod 500 "$new/deno"
  }

  # Clears away copies that are not in use and whose maker, named by a mark, is gone; and versions
  # before the last, or all others when this one is being installed. A maker writes its mark before
  # its copy and stays alive while it runs from it. A copy that something runs from stays until that
  # has ended.
  tidy() {
    forget_ended
    for left in "$cache"/pid.??????; do
      owner=
      [ ! -e "$left" ] || IFS= read -r owner < "$left"
      [ -z "$owner" ] || kill -0 "$owner" 2>/dev/null ||
        rm -f "$left" "$cache"/*".${left##*.}".stamp
    done
    for copy in "$cache/$id".??????; do
      [ -d "$copy" ] && ! is_running "$copy" || continue
      in_use=
      [ ! -f "$cache/$id" ] || IFS= read -r in_use < "$cache/$id"
      [ "$copy" = "$cache/$in_use" ] || rm -rf "$copy"
    done
    kept=${CTX_INSTALLING:+1}
    for name in $(ls -tc "$cache" 2>/dev/null); do
      case $name in
        "$id" | *[!0-9a-f]*) continue ;;
        ????????????????????????????????) ;;
        *) continue ;;
      esac
      [ -z "$kept" ] || drop "$cache/$name"
      kept=1
    done
  }

  # Whether only this user (and root) can write to a directory and to those on the way to it, by name
  # and in truth: else somebody could put other code in its place. A sticky directory keeps what is in
  # it, and a group with the number of its user is that user's own.
  is_private() { # DIRECTORY
    me=$(id -u) && real=$(cd -P -- "$1" && pwd -P) && own=$(ls -ldn "$real") || return 1
    set -- "$1" "$real"
    for way in "$1" "$real"; do
      while [ -n "${way%/*}" ]; do
        way=${way%/*}
        set -- "$@" "$way"
      done
    done
    all=$(ls -ldn "$@" /) || return 1
    printf '%s\n' "$all" "$own" | while read -r mode _ owner group _; do
      case $owner in
        0 | "$me") ;;
        *) exit 1 ;;
      esac
      case $mode in
        l* | d????????[tT]*) ;;
        d???????w*) exit 1 ;;
        d????w*) [ "$owner" = "$group" ] || exit 1 ;;
        d*) ;;
        *) exit 1 ;;
      esac
    done || return 1
    case $own in
      d???????w*) return 1 ;;
    esac
  }

  [ -z "$gone" ] ||
    fail NOT_FOUND 3 'Cannot start: the working directory was removed' \
      'cd to a directory that exists, then run the same command again'
  [ -n "$cache" ] ||
    fail DENIED 7 'Cannot unpack: neither HOME nor XDG_CACHE_HOME names a directory' \
      'set HOME, or XDG_CACHE_HOME to a directory that you may write to'
  [ -r "$0" ] || fail DENIED 7 "Cannot unpack: \"$0\" cannot be read" 'start ctx by its full path'
@FIND_GZIP@
@FIND_XZ@
  made=
  [ -e "$cache" ] || made=1
  said=$(mkdir -p "$cache" 2>&1) || fail_with "$said"
  if ! [ -O "$cache" ] || ! is_private "$cache"; then
    [ -z "$made" ] || rmdir "$cache"
    [ -z "$home_cache" ] || [ "$cache" = "$home_cache" ] || exit 99
    fail DENIED 7 "Cannot unpack into \"$cache\": others can write there, or it is not yours" \
      'set XDG_CACHE_HOME to a directory that is yours and that only you can write to'
  fi
  said=$( { chmod 700 "$cache" && mkdir -p "$cache/$id.code"; } 2>&1) || fail_with "$said"
  if is_sound; then
    [ -z "$CTX_INSTALLING" ] || tidy
    exit 0
  fi
  said=$(mktemp "$cache/pid.XXXXXX" 2>&1) || fail_with "$said"
  mark=$said new=$cache/$id.${said##*.}
  trap 'clear_away; exit 130' INT TERM HUP
  said=$( { echo "$$" > "$mark" && mkdir "$new"; } 2>&1) || fail_with "$said"
  tidy
  said=$( (unpack) 2>&1) || fail_with "$said"
  sum=$(@SHA256@ < "$new/sums")
  if [ "${sum%% *}" != @SUMS@ ] || ! (cd "$new" && @SHA256@ -c sums) > /dev/null 2>&1; then
    fail_damaged
  fi
  said=$("$new/deno" --version 2>&1) ||
    fail DENIED 7 "Cannot run what was unpacked into \"$cache\": ${said##*: }" \
      'this file is for @TARGET@; the directory must not be mounted noexec'
  sync "$new"/* "$new"/app/* 2>/dev/null || sync

  # Puts the copy to use. Another first start may have been faster: then its copy serves both. Times
  # long past do not depend on whether the clock was right.
  said=$( {
    touch -t 200001010000 "$new"/app/* "$new"/sums "$new"/deno "$new"/app "$new" &&
      printf '%s\n' "${new##*/}" > "$new.stamp" && touch -t 200001020000 "$new.stamp"
  } 2>&1) || fail_with "$said"
  [ ! -d "$cache/$id" ] || rm -rf "$cache/$id"
  if ! ln "$new.stamp" "$cache/$id" 2>/dev/null; then
    if is_sound; then
      clear_away
      exit 0
    fi
    said=$(mv -f "$new.stamp" "$cache/$id" 2>&1) || fail_with "$said"
  fi
  rm -f "$new.stamp"
  tidy
)

prepare "$@"
status=$?
if [ "$status" = 99 ]; then
  cache=$home_cache
  [ -z "$CTX_INSTALLING" ] && is_sound && begin "$@"
  printf 'ctx: not unpacked below "%s", where others can write: "%s" is used\n' \
    "$XDG_CACHE_HOME" "$cache" >&2
  prepare "$@"
  status=$?
fi
[ "$status" = 0 ] || exit "$status"
IFS= read -r at < "$cache/$id"
begin "$@"
exit
