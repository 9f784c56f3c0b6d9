#!/bin/sh
# Installs ctx as ~/.local/bin/ctx, and as contextfs beside it.
#
#   sh install.sh dist/ctx                 from a local file
#   sh install.sh                          the newest release for this machine
#   sh install.sh https://…/ctx-linux-x64  from a URL
#
# The SHA-256 is verified before anything is put in place: against --sha256 HEX, or the line of the
# file's name in SHA256SUMS beside it (same directory or same URL). A local file without either is
# taken as it is. --dir DIR installs elsewhere; --no-alias leaves contextfs out.
set -eu

releases=${CTX_RELEASES_URL:-https://github.com/ctx-memory/ctx/releases}
from='' dir='' wanted='' alias=1

say() { printf '%s\n' "$*"; }
die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case $1 in
    --dir | --sha256)
      [ $# -gt 1 ] || die "$1 needs a value"
      if [ "$1" = --dir ]; then dir=$2; else wanted=$2; fi
      shift
      ;;
    --no-alias) alias='' ;;
    -h | --help)
      sed -n '2,11s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    -*) die "unknown flag \"$1\"" ;;
    *) from=$1 ;;
  esac
  shift
done

machine() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=macos ;;
    *) die "there is no build for $(uname -s); Windows users take ctx-windows-x64.exe" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    arm64 | aarch64) arch=arm64 ;;
    *) die "there is no build for $(uname -m)" ;;
  esac
  printf 'ctx-%s-%s' "$os" "$arch"
}

fetch() { # URL FILE
  if command -v curl > /dev/null 2>&1; then
    curl -fsSL --retry 2 -o "$2" "$1"
  elif command -v wget > /dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    die 'curl or wget is needed to download; or pass a local file'
  fi
}

sha256() { # FILE
  if command -v sha256sum > /dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    shasum -a 256 "$1" | cut -d ' ' -f 1
  fi
}

# The checksum that SHA256SUMS names for a file.
listed() { # SUMS NAME
  while read -r sum name; do
    if [ "${name#\*}" = "$2" ]; then printf '%s' "$sum"; fi
  done < "$1"
}

if [ -z "$dir" ]; then
  [ -n "${HOME:-}" ] || die 'HOME is not set; pass --dir DIR'
  dir=$HOME/.local/bin
fi
[ -n "$from" ] || from=$releases/latest/download/$(machine)
mkdir -p "$dir" || die "cannot make $dir"
new=$(mktemp "$dir/.ctx.XXXXXX") || die "cannot write to $dir"
sums=$(mktemp) || die 'cannot make a temporary file'
trap 'rm -f "$new" "$sums"' EXIT
trap 'exit 130' INT TERM HUP

case $from in
  http://* | https://* | file://*)
    say "downloading $from"
    fetch "$from" "$new" || die "cannot download $from"
    if [ -z "$wanted" ]; then
      fetch "${from%/*}/SHA256SUMS" "$sums" || die "cannot download ${from%/*}/SHA256SUMS"
      wanted=$(listed "$sums" "${from##*/}")
      [ -n "$wanted" ] || die "SHA256SUMS does not name ${from##*/}"
    fi
    ;;
  *)
    [ -f "$from" ] || die "there is no file $from"
    cp "$from" "$new" || die "cannot copy $from to $dir"
    beside=$(dirname "$from")/SHA256SUMS
    if [ -z "$wanted" ] && [ -f "$beside" ]; then wanted=$(listed "$beside" "${from##*/}"); fi
    ;;
esac

if [ -n "$wanted" ]; then
  found=$(sha256 "$new")
  [ "$found" = "$wanted" ] || die "wrong checksum: expected $wanted, found $found; nothing was installed"
  say "checksum verified: $found"
else
  say 'no checksum to compare with (pass --sha256 HEX)'
fi

chmod 755 "$new"
mv -f "$new" "$dir/ctx"
[ -z "$alias" ] || ln -sf ctx "$dir/contextfs"
version=$("$dir/ctx" --version) || die "$dir/ctx does not start on this machine"
say "installed $version as $dir/ctx${alias:+ (and contextfs)}"
case ":${PATH:-}:" in
  *":$dir:"*)
    first=$(command -v ctx || true)
    [ "$first" = "$dir/ctx" ] || say "note: \"ctx\" runs $first; put $dir before it on the PATH, or use contextfs"
    ;;
  *) say "note: $dir is not on the PATH; add: export PATH=\"$dir:\$PATH\"" ;;
esac
