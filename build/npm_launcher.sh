#!/bin/sh
# ctx @VERSION@, installed by npm for @TARGET@: starts ctx's code with the Deno that npm installed for
# this machine. Made by `deno task npm`. When npm may run scripts, build/npm_install.cjs puts a copy in
# the place of bin/ctx, so that no command starts Node; otherwise bin/ctx runs this file.
id=npm-@VERSION@
# Both are written into the copy.
root='' deno=''
# Beyond the limit on a file's size a write then fails, and ctx says so, where it would be killed.
trap '' XFSZ

fail() { # MESSAGE HINT
  printf 'ctx: %s\nhint: %s\n' "$1" "$2" >&2
  exit 7
}

# Looks for the package and for Deno: in the copy only after the whole tree was moved.
find_files() {
  self=$0
  while [ -h "$self" ]; do
    link=$(readlink "$self")
    case $link in
      /*) self=$link ;;
      *) self=${self%/*}/$link ;;
    esac
  done
  root=$(CDPATH='' cd -P -- "${self%/*}" && pwd -P)
  # The copy is in bin/, this file in the package itself or one folder below: no further up.
  for _ in 1 2 3; do
    [ ! -f "$root/app/mod.js" ] || break
    root=${root%/*}
  done
  [ -f "$root/app/mod.js" ] && [ -f "$root/package.json" ] ||
    fail 'Cannot start: its files are missing' 'install it again: npm i -g @PACKAGE@'
  case $(uname -m) in
    x86_64 | amd64) part=@X64@ ;;
    *) part=@ARM64@ ;;
  esac
  up=$root
  until deno=$up/node_modules/$part/deno && [ -x "$deno" ]; do
    [ -n "$up" ] ||
      fail "Cannot start: npm did not install $part" \
        'install it again: npm i -g --include=optional @PACKAGE@'
    up=${up%/*}
  done
}

mark_running() {
  :
}

@START_CTX@

[ "$root/bin/ctx" -ef "$0" ] && [ -x "$deno" ] || find_files
app=$root/app

# Compiled code is kept in the package, where `npm uninstall` removes it, if that is this user's.
cache=$root/cache
if ! [ -O "$cache" ] && ! (umask 077 && mkdir "$cache") 2> /dev/null; then
  case $XDG_CACHE_HOME,$HOME in
    /*) cache=$XDG_CACHE_HOME/ctx ;;
    *,/*) cache=$HOME@HOME_CACHE@ ;;
  esac
  [ -O "$cache" ] || (umask 077 && mkdir -p "$cache") 2> /dev/null
fi

[ -z "$gone" ] ||
  fail 'Cannot start: the working directory was removed' \
    'cd to a directory that exists, then run the same command again'
answer "$@"
begin "$@"
