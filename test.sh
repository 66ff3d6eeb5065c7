#!/usr/bin/env bash
# Runs every check and every test of the repository, and installs what they need.
#
#   ./test.sh            everything
#   ./test.sh checks     formatting, lints, docs, layers, derived files, licences
#   ./test.sh tests      the tests only
#
# Needs Rust, Go, git and a C compiler. As root on a Debian-like system it installs the
# servers that some tests talk to (sshd, containerd, …) and runs the tests that need a real
# node; elsewhere those tests say that they are skipped. REQUIRE_TIER2=1 and
# REQUIRE_ORACLES=1 turn such a skip into a failure.
#
# Everything that is slow to make (compiled crates, the pinned Kubernetes binaries,
# cargo-deny) is kept under $SLUICE_CACHE_DIR (default: ~/.cache/sluice). Deleting it costs
# time and nothing else.
set -euo pipefail
cd "$(dirname "$0")"

cache="${SLUICE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/sluice}"
export SLUICE_CACHE_DIR="$cache"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache/target}"
export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-auto}"
# One compiled form of each dependency for checks, tests and tools.
export CARGO_INCREMENTAL=0
mkdir -p "$cache"

step() {
    local name="$1" start=$SECONDS
    shift
    printf '\n==> %s\n' "$name"
    "$@"
    printf '    %s: %ss\n' "$name" "$((SECONDS - start))"
}

require() {
    local missing=()
    for tool in cargo go git cc; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    if [ "${#missing[@]}" -gt 0 ]; then
        echo "test.sh: missing: ${missing[*]} (needed: Rust 1.95, Go 1.26, git and a C compiler)" >&2
        exit 1
    fi
}

# The servers that tests start on loopback. Services that a package starts by itself are
# stopped again: tests run their own, with their own state.
system_packages() {
    local wanted=() package
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
    for package in openssh-server containerd runc containernetworking-plugins iptables iproute2; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || wanted+=("$package")
    done
    if [ "${#wanted[@]}" -gt 0 ]; then
        echo "    installing ${wanted[*]}"
        export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null
    fi
}

cargo_deny() {
    local version=0.20.2 root="$cache/cargo-tools"
    if [ "$("$root/bin/cargo-deny" --version 2>/dev/null)" != "cargo-deny $version" ]; then
        echo "    building cargo-deny $version (about 4 minutes)"
        CARGO_TARGET_DIR="$cache/cargo-tools-target" \
            cargo install --quiet --locked --root "$root" --version "$version" cargo-deny
        rm -rf "$cache/cargo-tools-target"
    fi
    "$root/bin/cargo-deny" --offline --log-level warn check licenses bans sources
}

checks() {
    step "format" cargo fmt --all --check
    step "clippy" cargo clippy --workspace --all-targets --locked -- -D warnings
    step "command line without controllers" \
        cargo clippy --package sluice --no-default-features --locked -- -D warnings
    # Private items are documented too, for who works here: links to them are meant.
    step "docs" env RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --workspace --no-deps --document-private-items --locked --quiet
    step "layers" cargo xtask layers
    step "derived files" cargo xtask generate --check
    step "licences and sources" cargo_deny
}

# What the tests on a real node install there. The rest of the tests build most of the same crates.
image() {
    export SLUICE_IMAGE="$CARGO_TARGET_DIR/image/sluice.tar"
    cargo xtask image --profile dev --output "$SLUICE_IMAGE"
}

tests() {
    step "cluster binaries" cargo xtask cluster tools
    step "image" image
    step "tests" cargo test --workspace --locked --no-fail-fast
}

require
step "system packages" system_packages
case "${1:-all}" in
    checks) checks ;;
    tests) tests ;;
    all)
        checks
        tests
        ;;
    *)
        echo "test.sh: unknown argument '$1': say nothing, 'checks' or 'tests'" >&2
        exit 2
        ;;
esac
printf '\nall green in %ss\n' "$SECONDS"
