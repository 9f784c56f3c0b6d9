#!/bin/sh
# Installs ctx: verifies, unpacks and warms it up, so that an agent's first call is fast.
# `sh install.sh --help` explains the options. Needs a POSIX shell; curl or GNU wget to download.
set -eu

releases=${CTX_RELEASES_URL:-https://github.com/ctx-memory/ctx/releases}
repository=${releases#https://*/}
repository=${repository%/releases}
from='' dir='' wanted='' reason='' alias=1 man=1

usage() {
  cat << 'END'
Installs ctx as ~/.local/bin/ctx, with contextfs as a second name.

  sh install.sh                          install the latest release for this machine
  sh install.sh dist/ctx                 install a local file
  sh install.sh https://…/ctx-linux-x64  install from a URL

  --dir DIR     install into DIR
  --no-alias    do not install contextfs
  --no-man      do not install the man page
  --sha256 HEX  expected checksum of the file

The SHA-256 is verified before anything is installed: against --sha256, or against SHA256SUMS in the same
directory or at the same URL. A local file without either is installed unverified. Downloads use https only,
including redirects; file:// URLs name a local mirror. For releases, build provenance is also verified if gh
(the GitHub CLI) is installed and logged in; otherwise the output says why not. The program is unpacked into
$XDG_CACHE_HOME/ctx (default: ~/.cache/ctx, on macOS ~/Library/Caches/ctx), and other versions there are
removed. If DIR ends in /bin, the man page goes to share/man/man1 next to it.

To uninstall, remove ~/.local/bin/ctx, ~/.local/bin/contextfs, their man pages (ctx.1, contextfs.1) in
~/.local/share/man/man1, the cache directory above, and your settings in ~/.config/ctx. Everything you saved
is in the .contextfs/ directory of each workspace.
END
}
say() { printf '%s\n' "$*"; }
die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

# Exits unless the argument is a checksum.
check_sum() { # HEX
  case $1 in
    *[!0-9a-f]*) ;;
    *) [ ${#1} -ne 64 ] || return 0 ;;
  esac
  die "--sha256 needs 64 hexadecimal digits in lower case, not \"$1\""
}

while [ $# -gt 0 ]; do
  case $1 in
    --dir | --sha256)
      [ $# -gt 1 ] || die "$1 needs a value"
      if [ "$1" = --dir ]; then
        dir=$2
      else
        check_sum "$2"
        wanted=$2
      fi
      shift
      ;;
    --no-alias) alias='' ;;
    --no-man) man='' ;;
    -h | --help)
      usage
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
    *) die "there is no build for $(uname -s); on Windows, download ctx-windows-x64.exe" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    arm64 | aarch64) arch=arm64 ;;
    *) die "there is no build for $(uname -m)" ;;
  esac
  printf 'ctx-%s-%s' "$os" "$arch"
}

# Uses https only, including redirects.
fetch() { # URL FILE
  case $1 in
    https://*) ;;
    file://*)
      cp "${1#file://}" "$2"
      return
      ;;
    *) die "cannot download $1: only https:// is used (or file:// for a local mirror)" ;;
  esac
  if command -v curl > /dev/null 2>&1; then
    curl -fsSL --proto '=https' --proto-redir '=https' --tlsv1.2 --retry 2 -o "$2" "$1"
  elif wget --help 2>&1 | grep -q -e --max-redirect; then
    fetch_with_wget "$1" "$2"
  else
    # Busybox has a wget that does not check certificates.
    die 'curl or GNU wget is needed to download; or pass a local file'
  fi
}

# wget would follow a redirect to http, so each is followed here.
fetch_with_wget() { # URL FILE
  url=$1 hops=0
  until wget -nv -S --max-redirect=0 --secure-protocol=TLSv1_2 -O "$2" "$url" 2> "$work/headers"; do
    url=$(sed -n 's/^ *[Ll]ocation: *\([^[:space:]]*\).*/\1/p' "$work/headers" | tail -n 1)
    hops=$((hops + 1))
    case $url in
      https://*) [ "$hops" -le 10 ] || return 1 ;;
      '')
        grep -v '^ ' "$work/headers" >&2
        return 1
        ;;
      *) die "cannot download $1: it redirects to $url, and only https:// is used" ;;
    esac
  done
}

sha256() { # FILE
  if command -v sha256sum > /dev/null 2>&1; then
    sha256sum < "$1" | cut -d ' ' -f 1
  elif command -v shasum > /dev/null 2>&1; then
    shasum -a 256 < "$1" | cut -d ' ' -f 1
  else
    die 'sha256sum or shasum is needed to verify the checksum; nothing was installed'
  fi
}

# The checksum of a file in SHA256SUMS.
listed() { # SUMS NAME
  while read -r sum name || [ -n "$sum" ]; do
    if [ "${name#\*}" = "$2" ]; then printf '%s' "$sum"; fi
  done < "$1"
}

# Checks GitHub's attestation that the release workflow built this file.
verify_provenance() { # FILE
  case $from in
    file://*) reason="$from is not a release of $repository" ;;
    "$releases"/*) ;;
    *://*) reason="$from is not a release of $repository" ;;
    *) reason="$from is a local file" ;;
  esac
  if [ -z "$reason" ]; then
    if ! command -v gh > /dev/null 2>&1; then
      reason='gh (the GitHub CLI) is not installed'
    elif ! gh attestation verify --help > /dev/null 2>&1; then
      reason='this gh is too old to verify attestations'
    elif ! gh auth token > /dev/null 2>&1; then
      reason='gh is not logged in'
    fi
  fi
  if [ -n "$reason" ]; then
    say "provenance not verified: $reason"
    return 0
  fi
  gh attestation verify "$1" --repo "$repository" \
    --signer-workflow "$repository/.github/workflows/release.yml" > "$work/gh" 2>&1 || {
    cat "$work/gh" >&2
    die "gh could not confirm that $repository built this file; nothing was installed (network or login trouble: try again, or run gh auth logout to install with the checksum only)"
  }
  say "provenance verified: built by $repository"
}

# Runs what agents call first, so that Deno has compiled it: in a temporary workspace, without the user's
# settings. The server may not clean up Deno's cache, so it does not run last.
warm_up() (
  cd "$work"
  export XDG_CONFIG_HOME="$work/config"
  unset CTX_SESSION CTX_TOKEN
  ctx=$dir/ctx
  hello='"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"install","version":"1"}'
  turn='"isSidechain":false,"sessionId":"install","timestamp":"2026-01-01T00:00:00.000Z","message"'
  echo 'export const a = 1;' > a.ts
  printf '{"type":"user","uuid":"1","cwd":"%s",%s:{"role":"user","content":"warm"}}\n' \
    "$work" "$turn" > install.jsonl
  "$ctx" init
  id=$("$ctx" save 'warm up')
  printf '{"jsonrpc":"2.0",%s}\n' \
    '"id":1,"method":"initialize","params":{'"$hello"'}' \
    '"method":"notifications/initialized"' \
    '"id":2,"method":"tools/list"' \
    '"id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":"warm"}}' \
    '"id":4,"method":"tools/call","params":{"name":"get","arguments":{"ids":["'"$id"'"]}}' \
    '"id":5,"method":"tools/call","params":{"name":"save_memory","arguments":{"text":"warm"}}' |
    "$ctx" mcp
  printf '{"cwd":"%s","session_id":"install","transcript_path":"%s","hook_event_name":"Stop"}' \
    "$work" "$work/install.jsonl" | "$ctx" hook claude-code
  printf '{"cwd":"%s","tool_name":"Edit","tool_input":{"file_path":"%s"}}' \
    "$work" "$work/a.ts" | "$ctx" hook pre-edit
  "$ctx" search warm
  "$ctx" timeline "$id"
  "$ctx" get "$id"
)

# Installs the man page that the program prints; older versions have none.
install_page() {
  case $dir in */bin) ;; *) return 0 ;; esac
  pages=${dir%/bin}/share/man/man1
  "$dir/ctx" completions man > "$work/ctx.1" 2> /dev/null < /dev/null || return 0
  grep -q '^\.TH CTX 1 ' "$work/ctx.1" || return 0
  mkdir -p "$pages" && cp "$work/ctx.1" "$pages/ctx.1" || return 1
  case $names in
    *contextfs*) echo '.so man1/ctx.1' > "$pages/contextfs.1" ;;
  esac
}

if [ -z "$dir" ]; then
  [ -n "${HOME:-}" ] || die 'HOME is not set; pass --dir DIR'
  dir=$HOME/.local/bin
fi
[ -n "$from" ] || from=$releases/latest/download/$(machine)
mkdir -p "$dir" || die "cannot create $dir"
dir=$(CDPATH='' cd -- "$dir" && pwd)
[ ! -d "$dir/ctx" ] || die "$dir/ctx is a directory; pass another --dir"
new=$(mktemp "$dir/.ctx.XXXXXX") || die "cannot write to $dir"
work=$(mktemp -d) || die 'cannot create a temporary directory'
sums=$work/SHA256SUMS
trap 'rm -rf "$new" "$work"' EXIT
trap 'exit 130' INT TERM HUP

case $from in
  *://*)
    say "downloading $from"
    fetch "$from" "$new" || die "cannot download $from"
    if [ -z "$wanted" ]; then
      fetch "${from%/*}/SHA256SUMS" "$sums" || die "cannot download ${from%/*}/SHA256SUMS"
      wanted=$(listed "$sums" "${from##*/}")
      [ -n "$wanted" ] || die "SHA256SUMS does not list ${from##*/}"
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
  say 'checksum not verified: none given (pass --sha256 HEX)'
fi

verify_provenance "$new"

# Unpack it before installing it: a file that does not start here must not replace anything.
chmod 755 "$new"
version=$(CTX_INSTALLING=1 "$new" --version) ||
  die "it does not start on this machine; nothing was installed"
mv -f "$new" "$dir/ctx"
names=$dir/ctx
if [ -n "$alias" ] && [ -e "$dir/contextfs" ] && ! [ "$dir/contextfs" -ef "$dir/ctx" ]; then
  say "note: $dir/contextfs is another program and was left alone"
elif [ -n "$alias" ]; then
  ln -sf ctx "$dir/contextfs"
  names="$names (and contextfs)"
fi
warm_up > /dev/null 2>&1 < /dev/null || say 'note: warm-up failed; the first calls will be slower'
[ -z "$man" ] || install_page || say 'note: the man page could not be installed'
say "installed $version as $names"
case ":${PATH:-}:" in
  *":$dir:"*)
    first=$(command -v ctx || true)
    [ "$first" = "$dir/ctx" ] || say "note: \"ctx\" runs $first; put $dir before it in your PATH, or use contextfs"
    ;;
  *) say "note: $dir is not in your PATH; add: export PATH=\"$dir:\$PATH\"" ;;
esac
