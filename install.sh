#!/bin/sh
# Installs sluice, and a `flux` link to it, into a prefix.
#
#   ./install.sh [--prefix DIR] [--no-flux-link] [--force] [--demo]
#
# Built from this checkout: there is no published release yet. `--demo` then runs the whole
# loop on this machine: a real Kubernetes API server, a Git server, a commit that becomes
# running objects, a change that arrives, a drift that is reverted.
set -eu

usage() {
    cat <<'USAGE'
usage: ./install.sh [--prefix DIR] [--no-flux-link] [--force] [--demo]

  --prefix DIR     install into DIR/bin (default: /usr/local, or ~/.local when that is not writable)
  --no-flux-link   do not make the `flux` link
  --force          replace a `flux` that is not ours
  --demo           afterwards run `sluice dev --once`: commit -> ready, change -> ready, drift -> reverted
USAGE
}

fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 1
}

prefix=""
link=yes
force=no
demo=no
while [ $# -gt 0 ]; do
    case "$1" in
        --prefix)
            [ $# -ge 2 ] || fail "--prefix needs a directory"
            prefix="$2"
            shift
            ;;
        --prefix=*) prefix="${1#--prefix=}" ;;
        --no-flux-link) link=no ;;
        --force) force=yes ;;
        --demo) demo=yes ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            usage >&2
            fail "unknown argument: $1"
            ;;
    esac
    shift
done

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cd "$here"

# Say everything that is missing at once, with what brings it.
missing=""
need() {
    command -v "$1" >/dev/null 2>&1 || missing="$missing
  $1: $2"
}
need cargo "Rust 1.95 or newer, with rustup (the toolchain file picks the version)"
need cc "a C compiler (Debian: apt-get install gcc libc6-dev)"
need git "git (Debian: apt-get install git)"
if [ "$demo" = yes ] && [ -z "${KUBEBUILDER_ASSETS:-}" ]; then
    need go "Go 1.26 or newer: the demo builds etcd and the Kubernetes control plane (or set KUBEBUILDER_ASSETS to a directory that holds them)"
fi
[ -z "$missing" ] || fail "not found on this machine:$missing"
case "$(uname -s)/$(uname -m)" in
    Linux/x86_64) ;;
    *) printf 'install.sh: note: only Linux on x86_64 is tested; building from source all the same\n' >&2 ;;
esac

if [ -z "$prefix" ]; then
    if [ -w /usr/local/bin ] || { [ ! -e /usr/local/bin ] && [ -w /usr/local ]; }; then
        prefix=/usr/local
    else
        prefix="$HOME/.local"
    fi
fi
bin="$prefix/bin"
mkdir -p "$bin" || fail "cannot create $bin: choose another --prefix"
[ -w "$bin" ] || fail "cannot write to $bin: choose another --prefix"
if [ "$link" = yes ] && [ "$force" = no ] && { [ -e "$bin/flux" ] || [ -L "$bin/flux" ]; }; then
    case "$(readlink "$bin/flux" 2>/dev/null || true)" in
        sluice | */sluice) ;;
        *) fail "$bin/flux exists and is not ours: use --no-flux-link, or --force to replace it" ;;
    esac
fi

cache="${SLUICE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/sluice}"
export SLUICE_CACHE_DIR="$cache"
target="${CARGO_TARGET_DIR:-$cache/target}"
printf '► building sluice (the first build compiles every dependency: about 10 minutes on 2 cores)\n' >&2
# Only the last link is told to be static, so that the crates are compiled as for any other build.
CARGO_TARGET_DIR="$target" cargo rustc --release --locked --package sluice --bin sluice -- \
    -C target-feature=+crt-static

# A half-written binary is never seen: copy beside, then rename.
staged="$bin/.sluice.$$"
trap 'rm -f "$staged"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cp "$target/release/sluice" "$staged"
chmod 0755 "$staged"
mv -f "$staged" "$bin/sluice"
printf '✔ installed %s\n' "$bin/sluice" >&2
if [ "$link" = yes ]; then
    ln -sfn sluice "$bin/flux"
    printf '✔ linked %s\n' "$bin/flux" >&2
fi
case ":$PATH:" in
    *":$bin:"*) ;;
    *) printf '⚠️  %s is not on your PATH\n' "$bin" >&2 ;;
esac

if [ "$demo" = yes ]; then
    "$bin/sluice" dev --once
fi
