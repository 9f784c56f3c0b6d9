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
  use_copy
  [ -O "$cache/$at" ] && [ -x "$deno" ] || return 1
  for file in . deno app @LOADED@; do
    [ -e "$cache/$at/$file" ] && [ "$cache/$id" -nt "$cache/$at/$file" ] || return 1
  done
}

use_copy() {
  deno=$cache/$at/deno app=$cache/$at/app
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

@START_CTX@
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
use_copy
begin "$@"
exit
